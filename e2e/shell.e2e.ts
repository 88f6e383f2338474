import type { Locator, Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { newPlayer, type Person } from './support/api.ts'
import { refusal, replyWith } from './support/front.ts'
import { arriveAs, expect, gate, test } from './support/journey.ts'
import { wordsOf, type Words } from './support/words.ts'

/** The shell of signed-in people, word for word. SHELL-2 to SHELL-10 */

// the worker is not tested here, and replies are replaced
// SHELL-8
const SIDEBAR_COOKIE = 'sidebar:state'
const SIDEBAR_COOKIE_SECONDS = 7 * 24 * 3600

const PHONE = { width: 360, height: 740 }
const menu = (page: Page, t: Words) => page.getByRole('navigation', { name: t('shell:MainMenu') })
const toggle = (page: Page, t: Words) => page.getByRole('button', { name: t('shell:ToggleMenu') })
/** the container of the menu: the sidebar or the drawer */
const width = async (inside: Locator) => (await inside.locator('..').boundingBox())?.width

async function arrive(page: Page, t: Words, url: string): Promise<Person> {
  const player = await newPlayer(url)
  await arriveAs(page, player, paths.home())
  await expect(page.getByRole('heading', { name: t('player:InProgressAssessmentsTitle') })).toBeVisible()
  return player
}

test('the sidebar has its items, marks the active one, shows the e-mail, and has keys and a cookie', async ({
  page,
  t,
  server,
  context,
}) => {
  const player = await arrive(page, t, server.url)
  const nav = menu(page, t)
  const items = [
    ['MenuHome', '/'],
    ['MenuProfile', '/profile'],
    ['MenuAbout', '/about'],
  ] as const
  await expect(nav.getByRole('list').getByRole('link')).toHaveText(items.map(([key]) => t(`shell:${key}`)))
  for (const [key, url] of items) await expect(nav.getByRole('link', { name: t(`shell:${key}`) })).toHaveAttribute('href', url)
  await expect(nav.getByRole('button', { name: t('shell:MenuSignOut') })).toBeVisible()
  await expect(nav.getByText(player.email)).toBeVisible()
  await expect(nav.getByRole('link', { name: t('shell:MenuHome') })).toHaveAttribute('aria-current', 'page')

  // 16rem and 3rem
  expect(await width(nav)).toBe(256)
  await page.keyboard.press('Control+b')
  await expect.poll(() => width(nav)).toBe(48)
  await expect(toggle(page, t)).toHaveAttribute('aria-expanded', 'false')
  const cookie = (await context.cookies()).find(({ name }) => name === SIDEBAR_COOKIE)
  expect(cookie?.value).toBe('false')
  expect(Math.abs((cookie?.expires ?? 0) - Date.now() / 1000 - SIDEBAR_COOKIE_SECONDS)).toBeLessThan(60)
  await page.reload()
  await expect(nav).toBeVisible()
  expect(await width(nav)).toBe(48)
  // the name is there for screen readers, and as a tooltip
  await expect(nav.getByRole('link', { name: t('shell:MenuProfile') })).toHaveAttribute('title', t('shell:MenuProfile'))
  await page.keyboard.press('Meta+b')
  await expect.poll(() => width(nav)).toBe(256)
  await toggle(page, t).click()
  await expect.poll(() => width(nav)).toBe(48)

  await nav.getByRole('link', { name: t('shell:MenuProfile') }).click()
  await expect(nav.getByRole('link', { name: t('shell:MenuProfile') })).toHaveAttribute('aria-current', 'page')
  await expect(nav.getByRole('link', { name: t('shell:MenuHome') })).not.toHaveAttribute('aria-current')
  await page.getByRole('textbox', { name: t('details:FirstName') }).press('Control+b')
  expect(await width(nav)).toBe(48)
  // the focus stays in a list from which something was chosen
  await page.getByRole('combobox', { name: t('details:BestPosition') }).press('Control+b')
  await expect.poll(() => width(nav)).toBe(256)
})

test('the footer says User if the token cannot be read, and the address once it is renewed', async ({ page, t, server }) => {
  const { email } = await arrive(page, t, server.url)
  await page.route('**/api/auth/refresh', (route) => route.fulfill({ status: 503, json: refusal('Later') }))
  await page.evaluate(() => localStorage.setItem('idToken', 'unreadable'))
  await page.reload()
  await expect(menu(page, t).getByText(t('shell:User'), { exact: true })).toBeVisible()

  await page.unroute('**/api/auth/refresh')
  await page.reload()
  await expect(menu(page, t).getByText(email, { exact: true })).toBeVisible()
})

test('a phone’s menu is a drawer: it traps the focus, returns it, and closes in every way', async ({ page, t, server }) => {
  await page.setViewportSize(PHONE)
  await arrive(page, t, server.url)
  await expect(menu(page, t)).toBeHidden()
  const drawer = page.getByRole('dialog', { name: t('shell:MainMenu') })
  const open = async () => {
    await toggle(page, t).press('Enter')
    await expect(drawer).toBeVisible()
  }
  await open()
  expect((await drawer.boundingBox())?.width).toBe(288)
  for (let press = 0; press < 8; press += 1) {
    await page.keyboard.press('Tab')
    expect(await drawer.evaluate((dialog) => document.activeElement === document.body || dialog.contains(document.activeElement))).toBe(
      true,
    )
  }
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(toggle(page, t)).toBeFocused()

  await open()
  await drawer.getByRole('button', { name: t('ui:Close') }).click()
  await expect(drawer).toBeHidden()
  await open()
  await page.mouse.click(PHONE.width - 20, 400)
  await expect(drawer).toBeHidden()
  await page.keyboard.press('Control+b')
  await drawer.getByRole('link', { name: t('shell:MenuAbout') }).click()
  await expect(drawer).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: t('about:AboutTitle') })).toBeFocused()
})

test('each change of the screen moves the focus to its heading, and sets the title', async ({ page, t, server }) => {
  const { open: answer, opened: held } = gate()
  await page.route(/\/api\/(?!health)/, async (route) => {
    await held
    await route.continue()
  })
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.home())
  // it loads late, and still counts as the first load
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  answer()
  await expect(page.getByRole('heading', { name: t('player:InProgressAssessmentsTitle') })).toBeVisible()
  await expect(page).toHaveTitle(t('ui:DocumentTitle', { title: t('home:HomeTitle') }))
  // the browser itself starts the first load at the top
  await expect(page.getByRole('heading', { level: 1 })).not.toBeFocused()
  await page.mouse.wheel(0, 400)
  for (const [key, title] of [
    ['MenuProfile', t('profile:ProfileTitle')],
    ['MenuAbout', t('about:AboutTitle')],
  ] as const) {
    await menu(page, t)
      .getByRole('link', { name: t(`shell:${key}`) })
      .click()
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeFocused()
    await expect(page).toHaveTitle(t('ui:DocumentTitle', { title }))
    expect(await page.evaluate(() => scrollY)).toBe(0)
  }
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: t('profile:ProfileTitle') })).toBeFocused()
})

test('Authenticating covers the screen while an expiring token is renewed, and unmounts nothing', async ({ page, t, server }) => {
  await arrive(page, t, server.url)
  const { open: release, opened: held } = gate()
  await page.route('**/api/**/refresh', async (route) => {
    await held
    await route.continue()
  })
  await page.evaluate(() => localStorage.setItem('expiresAt', String(Date.now() + 240_000)))
  await page.reload()
  await expect(page.getByText(t('shell:Authenticating'))).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
  release()
  await expect(page.getByText(t('shell:Authenticating'))).toBeHidden()
  await expect(page.getByRole('heading', { name: t('player:InProgressAssessmentsTitle') })).toBeVisible()
})

test('a lost file brings the new version at once also where a link has just saved a file', async ({ page, t, server }) => {
  await arrive(page, t, server.url)
  await page.route('**/report.pdf', (route) => route.fulfill({ body: 'x', headers: { 'content-disposition': 'attachment' } }))
  const saved = page.waitForEvent('download')
  const asked = page.evaluate(() => new Promise((resolve) => addEventListener('beforeunload', resolve)).then(() => true))
  await page.evaluate(() => location.assign('/report.pdf'))
  await saved
  expect(await asked).toBe(true)
  await openLostScreen(page, t)
})

test('a lost file brings the new version at once also while another is loading that no screen waits for', async ({ page, t, server }) => {
  const { open: release, opened: held } = gate()
  const requested = page.waitForRequest(/assets\/worker/)
  await page.route(/assets\/worker/, async (route) => {
    await held
    await route.continue()
  })
  await arrive(page, t, server.url)
  await requested
  await openLostScreen(page, t)
  release()
})

/** Opens a screen whose file is there again only after a reload, and expects that one. */
async function openLostScreen(page: Page, t: Words): Promise<void> {
  let isReloaded = false
  page.on('request', (request) => {
    if (request.isNavigationRequest()) isReloaded = true
  })
  await page.route(/about\.screen/, (route) => (isReloaded ? route.continue() : route.fulfill({ status: 404 })))
  await menu(page, t)
    .getByRole('link', { name: t('shell:MenuAbout') })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: t('about:AboutTitle') })).toBeVisible()
  expect(isReloaded).toBe(true)
}

test('a language whose texts do not load is not chosen, and is at the next tap', async ({ page, t, server, front }) => {
  await arriveAs(page, await newPlayer(server.url), paths.profile(), { origin: front.url })
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText(t('profile:ProfileTitle'))
  front.bend(/\/assets\/profile-[\w-]+\.js$/, replyWith(500, {}))
  const french = page.getByRole('button', { name: 'Français' })
  await french.click()
  await expect(page.locator('#toasts').getByText(t('shell:LanguageNotLoaded'))).toBeVisible()
  await expect(french).toHaveAttribute('aria-pressed', 'false')
  await expect(heading).toHaveText(t('profile:ProfileTitle'))
  front.mend()
  await french.click()
  await expect(heading).toHaveText(wordsOf('fr')('profile:ProfileTitle'))
})

test('a screen is shown also where the texts of errors do not load', async ({ page, t, server, front }) => {
  front.bend(/\/assets\/errors-[\w-]+\.js$/, replyWith(500, {}))
  await arriveAs(page, await newPlayer(server.url), paths.profile(), { origin: front.url })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('profile:ProfileTitle'), { timeout: 30_000 })
})

test('an unexpected error has its own screen, which says what happened', async ({ page, t, server }) => {
  await arrive(page, t, server.url)
  const body = "export default () => { throw new Error('the screen broke') }"
  await page.route(/about\.screen/, (route) => route.fulfill({ contentType: 'text/javascript', body }))
  await menu(page, t)
    .getByRole('link', { name: t('shell:MenuAbout') })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'Unexpected Application Error!' })).toBeVisible()
  await expect(page.getByText('the screen broke')).toBeVisible()
  await expect(page.getByRole('link', { name: t('shell:ToDashboard') })).toHaveAttribute('href', '/')
})

test.describe('toasts', () => {
  const WRONG = 'Unexpected authentication challenge'
  const shown = (page: Page) => page.getByRole('status').getByText(WRONG)

  test.beforeEach(async ({ page, t }) => {
    await page.clock.install()
    await page.route('**/api/user/auth/initiate', (route) => route.fulfill({ json: { session: 'x', challengeName: 'SMS' } }))
    await page.goto(paths.login())
    await page.getByLabel(t('auth:Email')).fill('somebody@club.test')
  })

  test('are in a polite region that exists from the start, one at a time, for 5 s', async ({ page, t }) => {
    const region = page.locator('[aria-live="polite"]').first()
    await expect(region).toBeAttached()
    const send = page.getByRole('button', { name: t('auth:SendCode') })
    await send.click()
    await expect(region.getByText(WRONG)).toBeVisible()
    await expect(region.getByText(t('ui:Error'), { exact: true })).toBeVisible()
    await send.click()
    await expect(shown(page)).toHaveCount(1)
    await page.clock.fastForward(5000)
    await expect(shown(page)).toBeHidden()
  })

  test('stay while hovered or focused, and are closed by a swipe to the right, Escape or their button', async ({ page, t }) => {
    const send = page.getByRole('button', { name: t('auth:SendCode') })
    const close = page.getByRole('button', { name: t('ui:Close') })
    await send.click()
    await shown(page).hover()
    await page.clock.fastForward(60_000)
    await expect(shown(page)).toBeVisible()
    await page.mouse.move(0, 0)
    await close.focus()
    await page.clock.fastForward(60_000)
    await expect(shown(page)).toBeVisible()
    await close.click()
    await expect(shown(page)).toBeHidden()

    await send.click()
    await expect(shown(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(shown(page)).toBeHidden()

    await send.click()
    await expect(shown(page)).toBeVisible()
    await swipe(page, shown(page), 49)
    await expect(shown(page)).toBeVisible()
    await swipe(page, shown(page), 50)
    await expect(shown(page)).toBeHidden()
  })
})

async function swipe(page: Page, what: Locator, by: number): Promise<void> {
  const box = await what.boundingBox()
  if (!box) throw new Error('Nothing to swipe')
  await page.mouse.move(box.x + 5, box.y + 5)
  await page.mouse.down()
  await page.mouse.move(box.x + 5 + by, box.y + 5, { steps: 5 })
  await page.mouse.up()
}

test('a toast on a phone covers no action of the screen or of a dialog', async ({ page, t, server }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await page.setViewportSize({ width: 360, height: 740 })
  await arriveAs(page, player, paths.profile())
  const save = page.getByRole('button', { name: t('details:Save') })
  await save.click()
  const toast = page.locator('#toasts').getByText(t('details:ProfileSaved'))
  await expect(toast).toBeVisible()
  // it stays while hovered
  await toast.hover()
  const box = await toast.boundingBox()
  expect((box?.y ?? 740) + (box?.height ?? 0)).toBeLessThan((await save.boundingBox())?.y ?? 0)
  // the dialog opens under it
  await page.getByRole('button', { name: t('profile:PhotoAdd') }).press('Enter')
  const close = page.getByRole('dialog').getByRole('button', { name: t('ui:Close') })
  await expect(close).toBeVisible()
  await expect(toast).toBeVisible()
  expect((box?.y ?? 740) + (box?.height ?? 0)).toBeLessThan((await close.boundingBox())?.y ?? 0)
})
