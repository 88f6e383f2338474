import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { manifestFileOf } from '#contract/web-manifest.ts'
import { instances } from '#contract/instances.ts'
import { newPlayer, scriptOf, storedAnswers, type Person } from './support/api.ts'
import { cut } from './support/front.ts'
import { arriveAs, expect, expectAccessible, signOut, test } from './support/journey.ts'
import { speak } from './support/look.ts'
import { answer, ratingOf, show } from './support/questionnaire.ts'
import type { Words } from './support/words.ts'

/** How the app suggests installing it. HOME-21, INSTALL-9, INSTALL-10, DEVICE-6 */

const PHONE = { width: 390, height: 844 }
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
const FIREFOX = 'Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0'

/** The first section has 12 questions. */
const FIRST_SECTION = 12

const note = (page: Page, t: Words) => page.getByRole('complementary', { name: t('install:InstallTitle') })
const openPanel = (page: Page, t: Words) => page.getByRole('region', { name: t('player:InProgressAssessmentsTitle'), exact: true })
const close = (page: Page, t: Words) =>
  note(page, t)
    .getByRole('button', { name: t('install:InstallClose') })
    .click()

/** The browser offers to install, as Chromium does; resolves once its prompt was asked for. */
function offerIn(page: Page, outcome: 'accepted' | 'dismissed'): Promise<unknown> {
  return page.evaluate(
    (outcome) =>
      new Promise((resolve) => {
        const offer = { prompt: () => resolve('asked'), userChoice: Promise.resolve({ outcome }) }
        dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), offer))
      }),
    outcome,
  )
}

/** Opens the last question of the first section; returns it and the one after it. */
async function openLastOfSection(page: Page, t: Words, player: Person & { instanceId: string }, origin = player.api.url) {
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  const [last, next] = [script[FIRST_SECTION - 1], script[FIRST_SECTION]]
  if (!last || !next || next.section === last.section) throw new Error('the first section has another length')
  await arriveAs(page, player, paths.test(player.instanceId), { origin })
  await show(page, t, last)
  return { last, next }
}

/** Answers the last question of the first section and goes on to the second; `cutOff` before that answer. */
async function finishFirstSection(page: Page, t: Words, player: Person & { instanceId: string }, origin?: string, cutOff?: () => void) {
  const { last, next } = await openLastOfSection(page, t, player, origin)
  cutOff?.()
  await answer(page, t, last)
  await expect(note(page, t)).toHaveCount(0)
  await page.getByRole('button', { name: t('assessment:TestNext'), exact: true }).click()
  await expect(page.getByRole('group', { name: next.text, exact: true })).toBeVisible()
}

const nearlyThere = (url: string) => newPlayer(url, { questions: FIRST_SECTION - 1 })

test.describe('on an iPhone', () => {
  test.use({ userAgent: IPHONE, viewport: PHONE })

  test('after the first saved section it says how, until it is closed: then never again, also after signing out', async ({
    page,
    t,
    server,
  }) => {
    const player = await nearlyThere(server.url)
    await arriveAs(page, player, paths.home())
    await expect(openPanel(page, t)).toBeVisible()
    await expect(note(page, t)).toHaveCount(0)
    await finishFirstSection(page, t, player)
    for (const step of ['IosShare', 'IosAdd', 'OwnStorage']) await expect(note(page, t)).toContainText(t(`install:${step}`))
    await expect(note(page, t)).toContainText(t('install:WhySevenDays'))
    await expectAccessible(page, 'the steps')

    await page.getByRole('button', { name: t('assessment:TestSaveAndExit') }).click()
    await expect(note(page, t)).toContainText(t('install:IosShare'))
    await close(page, t)
    await expect(note(page, t)).toHaveCount(0)
    await page.reload()
    await expect(openPanel(page, t)).toBeVisible()
    await expect(note(page, t)).toHaveCount(0)
    await page.getByRole('button', { name: t('shell:ToggleMenu') }).click()
    await signOut(page, t)
    await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
    const other = await nearlyThere(server.url)
    await finishFirstSection(page, t, other)
    await expect.poll(() => storedAnswers(other, other.instanceId).then((found) => Object.keys(found).length)).toBe(FIRST_SECTION * 4)
    await expect(note(page, t)).toHaveCount(0)
    // whoever looks for it finds it
    await page.goto(paths.device())
    await expect(page.getByText(t('install:IosShare'))).toBeVisible()
  })

  test('while something is not sent it says “send first”, and the steps once it is', async ({ page, t, server, front }) => {
    const player = await nearlyThere(server.url)
    await finishFirstSection(page, t, player, front.url, () => front.bend(/^\/api\/assessment\/assessment-instance\/responses/, cut))
    await expect(note(page, t)).toContainText(t('install:SendFirst', { count: 1 }))
    await expect(note(page, t)).not.toContainText(t('install:IosAdd'))
    await note(page, t)
      .getByRole('button', { name: t('install:SendNow') })
      .click()
    await expect(note(page, t).getByRole('alert')).toContainText(t('install:NotAllSent'))
    front.mend()
    await note(page, t)
      .getByRole('button', { name: t('install:SendNow') })
      .click()
    await expect(note(page, t)).toContainText(t('install:IosAdd'))
    await expect.poll(() => storedAnswers(player, player.instanceId).then((found) => Object.keys(found).length)).toBe(FIRST_SECTION * 4)
  })

  test('the installed app says once where its answers come from', async ({ page, t, server }) => {
    await page.addInitScript(() => Object.defineProperty(navigator, 'standalone', { value: true }))
    await arriveAs(page, await newPlayer(server.url), paths.home())
    const first = page.getByRole('complementary', { name: t('install:FirstStartTitle') })
    await expect(first).toContainText(t('install:FirstStartText'))
    await first.getByRole('button', { name: t('install:FirstStartClose') }).click()
    await expect(first).toHaveCount(0)
    await page.reload()
    await expect(openPanel(page, t)).toBeVisible()
    await expect(first).toHaveCount(0)
    await expect(note(page, t)).toHaveCount(0)
    await page.goto(paths.device())
    await expect(page.getByText(t('install:Installed'))).toBeVisible()
  })

  test('the page draws a start image in the size of the screen, for guests too, and names the manifest of their language', async ({
    page,
  }) => {
    await page.goto(paths.login())
    await speak(page, 'fr')
    await expect(page.locator('link[rel=manifest]')).toHaveAttribute('href', `/${manifestFileOf('fr')}`)
    const sizes = () =>
      page.evaluate(async () => {
        const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=apple-touch-startup-image]')]
        return Promise.all(
          links.map(async ({ href, media }) => {
            const image = new Image()
            image.src = href
            await image.decode()
            return [media, image.naturalWidth, image.naturalHeight]
          }),
        )
      })
    const [width, height] = await page.evaluate(() => [screen.width * devicePixelRatio, screen.height * devicePixelRatio])
    await expect.poll(sizes).toEqual([
      ['(orientation: portrait)', width, height],
      ['(orientation: landscape)', height, width],
    ])
  })
})

test.describe('in Firefox on Android', () => {
  test.use({ userAgent: FIREFOX, viewport: PHONE })

  test('it names the menu', async ({ page, t, server }) => {
    await finishFirstSection(page, t, await nearlyThere(server.url))
    await expect(note(page, t)).toContainText(t('install:FirefoxAdd'))
  })
})

test('it is suggested also if Next follows the last answer at once', async ({ page, t, server }) => {
  const { last, next: first } = await openLastOfSection(page, t, await nearlyThere(server.url))
  const ratings = last.items.map(({ text, value }) => ratingOf(page, text, value))
  const next = page.getByRole('button', { name: t('assessment:TestNext'), exact: true })
  const taps = await Promise.all([...ratings, next].map((one) => one.elementHandle()))
  // in one frame, before the answer is written
  await page.evaluate((taps) => taps.forEach((one) => one instanceof HTMLElement && one.click()), taps)
  await expect(page.getByRole('group', { name: first.text, exact: true })).toBeVisible()
  offerIn(page, 'accepted').catch(() => undefined)
  await expect(note(page, t)).toBeVisible()
})

test('a browser that offers it is asked, and if that is refused there, nothing is suggested again', async ({ page, t, server }) => {
  const player = await nearlyThere(server.url)
  await finishFirstSection(page, t, player)
  // a browser that offers nothing
  await expect(note(page, t)).toHaveCount(0)
  await page.goto(paths.device())
  await expect(page.getByText(t('install:NotOffered'))).toBeVisible()
  await page.goto(paths.home())
  await expect(openPanel(page, t)).toBeVisible()
  const asked = offerIn(page, 'dismissed')
  await expect(note(page, t)).toContainText(t('install:SameStorage'))
  await note(page, t)
    .getByRole('button', { name: t('shell:Install') })
    .click()
  expect(await asked).toBe('asked')
  await expect(note(page, t)).toHaveCount(0)
  await page.reload()
  await expect(openPanel(page, t)).toBeVisible()
  // nobody takes it up, so it ends with the page
  offerIn(page, 'accepted').catch(() => undefined)
  await expect(page.getByRole('navigation').getByRole('button', { name: t('shell:Install') })).toBeVisible()
  await expect(note(page, t)).toHaveCount(0)
})
