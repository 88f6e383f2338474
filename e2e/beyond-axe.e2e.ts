import type { Locator, Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { newAddress, newPlayer, signInByApi, type Person } from './support/api.ts'
import { newCoach } from './support/coach.ts'
import { arriveAs, askForCode, codeField, expect, test, typeCode } from './support/journey.ts'
import { enlarge, speak, whatIsCutOff } from './support/look.ts'
import { openCropStep } from './support/photo.ts'
import { expectScreen, type Screen } from './support/screens.ts'
import { startOf, wordsOf } from './support/words.ts'
import { DEMO_COACH, teamHeading, teamOf } from './support/team-panel.ts'
import { give, listField, openAssign, openMany, send } from './support/tokens-panel.ts'

/** Criteria of WCAG 2.2 A and AA that no rule of axe checks. docs/accessibility.md lists them. */

test.setTimeout(240_000)

const PHONE = { width: 390, height: 844 }
const LAPTOP = { width: 1280, height: 800 }
/** a phone in landscape: little height between the sticky bars */
const LANDSCAPE = { width: 844, height: 390 }
/** 1280 × 1024 at 400 % */
const ENLARGED = { width: 320, height: 256 }

/** Every kind of screen, each with the person who sees it. */
async function screensOf(url: string): Promise<[screen: Screen, path: string, person?: Person][]> {
  const player = await newPlayer(url, { questions: 3 })
  const buyer = await newPlayer(url, { hasBought: false })
  const coach = await newCoach(url, { tokens: 3 })
  const squad = await signInByApi(url, DEMO_COACH)
  const report = (await teamOf(squad)).find(({ status }) => status === 'COMPLETED')?.instanceId ?? ''
  return [
    ['login', paths.login()],
    ['onboard', paths.onboard()],
    ['answersFile', paths.answersFile()],
    ['operator', paths.operator()],
    ['home', paths.home(), player],
    ['profile', paths.profile(), player],
    ['brief', paths.brief(player.instanceId), player],
    ['test', paths.test(player.instanceId), player],
    ['confirmDetails', paths.confirmDetails(player.instanceId), player],
    ['checkout', paths.checkout('touchline-profile'), buyer],
    ['about', paths.about(), buyer],
    ['home', paths.home(), squad],
    ['coachReport', paths.coachReport(report), squad],
    ['profile', paths.profile(), coach],
    ['purchaseToken', paths.purchaseToken(3), coach],
  ]
}

/** The findings of `find` for each screen at each size, in one report. */
const settling = expect.configure({ soft: true, timeout: 20_000 })

async function findOnEveryScreen(page: Page, url: string, sizes: { width: number; height: number }[], find: () => Promise<string[]>) {
  for (const [screen, path, person] of await screensOf(url)) {
    await page.setViewportSize(LAPTOP)
    if (person) await arriveAs(page, person, path)
    else await page.goto(path)
    await expectScreen(page, wordsOf('en'), screen, path)
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    for (const size of sizes) {
      await page.setViewportSize(size)
      // a long questionnaire is laid out in parts, so only findings that last count
      await settling.poll(find, { message: `${path} at ${size.width} × ${size.height}` }).toEqual([])
    }
  }
}

test('each stop of the Tab key has a visible focus, and nothing covers it', async ({ page, server }) => {
  await findOnEveryScreen(page, server.url, [PHONE, LAPTOP], async () => {
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    const findings = new Set<string>()
    for (let stop = 0; stop < 45; stop++) {
      await page.keyboard.press('Tab')
      const finding = await page.evaluate(whatHidesTheFocus)
      if (finding) findings.add(finding)
    }
    return [...findings]
  })
})

test('nothing covers the focus on the way back through the questions either', async ({ page, t, server }) => {
  const player = await newPlayer(server.url, { questions: 3 })
  await page.setViewportSize({ width: 1280, height: 700 })
  await arriveAs(page, player, paths.test(player.instanceId))
  await page.getByRole('button', { name: t('assessment:TestNext'), exact: true }).focus()
  for (let stop = 0; stop < 45; stop++) {
    await page.keyboard.press('Shift+Tab')
    // what was not drawn before is scrolled to in the next frames
    await expect.poll(() => page.evaluate(whatHidesTheFocus), `stop ${stop}`).toBeFalsy()
  }
})

for (const language of ['en', 'fr'] as const) {
  test(`nothing covers the focus in a dialog of a low window (${language})`, async ({ page, server }) => {
    const t = wordsOf(language)
    const coach = await newCoach(server.url, { tokens: 5 })
    await arriveAs(page, coach, paths.home(), { language })
    const tabThrough = async (size: { width: number; height: number }) => {
      await page.setViewportSize(size)
      for (let stop = 0; stop < 20; stop++) {
        await page.keyboard.press('Tab')
        await expect.poll(() => page.evaluate(whatHidesTheFocus), `stop ${stop} at ${size.width} px`).toBeFalsy()
      }
      await page.setViewportSize(LAPTOP)
    }
    await openMany(page, t)
    await listField(page, t).fill(Array.from({ length: 25 }, (_, index) => `p${index}@${index % 3 ? 'club.test' : 'club'}`).join('\n'))
    await expect(send(page, t)).toBeVisible()
    await listField(page, t).focus()
    await tabThrough({ width: 1366, height: 682 })
    await tabThrough(ENLARGED)
    await tabThrough(LANDSCAPE)
    await page.keyboard.press('Escape')
    await openAssign(page, t, 1)
    await tabThrough(ENLARGED)
    await tabThrough(LANDSCAPE)
  })
}

test('by keyboard the focus stays in view on another page of a table, and where a row was taken back', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 24 })
  const address = newAddress()
  for (let at = 10; at < 32; at += 1) await give(coach, `${at}${address}`)
  await page.setViewportSize(ENLARGED)
  await arriveAs(page, coach, paths.home())
  const isInView = () => expect.poll(() => page.evaluate(whatHidesTheFocus)).toBeFalsy()
  for (const title of ['team:TeamOverviewTitle', 'tokens:TokenManagementTitle']) {
    const region = page.getByRole('region', { name: t(title), exact: true })
    const first = region.getByRole('row').nth(1)
    const before = await first.innerText()
    await region.getByRole('button', { name: t('ui:NextPage') }).focus()
    await page.keyboard.press('Enter')
    await expect(first).not.toHaveText(before, { useInnerText: true })
    await isInView()
  }
  const take = page.getByRole('button', { name: startOf(t('tokens:TokenReclaimOf', { email: '' })) })
  await take.nth(3).focus()
  await page.keyboard.press('Enter')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('tokens:ReclaimConfirm') })
    .focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  const heading = page.getByRole('heading', { name: t('tokens:TokenManagementTitle') })
  await expect(heading).toBeFocused()
  await expect(heading).toBeInViewport()
})

for (const [text, size] of [
  [100, ENLARGED],
  [200, ENLARGED],
  [200, { width: 320, height: 568 }],
] as const)
  test(`a toast leaves a part of the focused field in view (${size.width} × ${size.height}, text ${text} %)`, async ({ page, t }) => {
    await page.setViewportSize(size)
    await page.goto(paths.login())
    await enlarge(page, text)
    await askForCode(page, t, newAddress())
    await typeCode(page, t, '00000000')
    await expect(page.locator('#toasts').getByText(t('errors:INVALID_CODE'))).toBeVisible()
    await expect(codeField(page, t)).toBeFocused()
    await expect.poll(() => codeField(page, t).evaluate(isPartInSight)).toBe(true)
    await expect(page.locator('#toasts').getByRole('button', { name: t('ui:Close') })).toBeInViewport({ ratio: 1 })
  })

test('nothing covers a part of a focused button in a dialog whose window is low for its text, forwards and backwards', async ({
  page,
  t,
  server,
}) => {
  const coach = await newCoach(server.url, { tokens: 5 })
  await arriveAs(page, coach, paths.home())
  const tabThrough = async (dialog: string, stops: number) => {
    for (const size of [
      { width: 568, height: 320 },
      { width: 844, height: 540 },
    ]) {
      await page.setViewportSize(size)
      await enlarge(page, 200)
      for (const key of ['Tab', 'Shift+Tab']) {
        for (let stop = 0; stop < stops; stop++) {
          await page.keyboard.press(key)
          const where = `${dialog}, stop ${stop} by ${key} at ${size.width} × ${size.height} px`
          await expect.poll(() => page.evaluate(whatCoversAButton), where).toBeFalsy()
        }
      }
      await enlarge(page, 100)
    }
    await page.setViewportSize(LAPTOP)
  }
  await openMany(page, t)
  await listField(page, t).fill(Array.from({ length: 6 }, (_, index) => `p${index}@club`).join('\n'))
  await expect(send(page, t)).toBeVisible()
  await tabThrough('many', 12)
  // its title leaves the content the room
  await page.setViewportSize({ width: 820, height: 700 })
  await enlarge(page, 200)
  await send(page, t).focus()
  await expect(page.getByRole('dialog').getByRole('heading')).not.toBeInViewport()
  await page.goto(paths.profile())
  await openCropStep(page, t)
  await tabThrough('photo', 9)
})

test('no text is cut off at wider text spacing', async ({ page, server }) => {
  await findOnEveryScreen(page, server.url, [PHONE, LAPTOP], async () => {
    const found: string[] = []
    for (const language of ['fr', 'en'] as const) {
      await speak(page, language)
      await page.evaluate(spaceText)
      found.push(...(await page.evaluate(whatIsCutOff)))
    }
    return found
  })
})

test('each target is large enough, or a link in a sentence', async ({ page, server }) => {
  await findOnEveryScreen(page, server.url, [PHONE], () => page.evaluate(smallTargets))
})

test('each screen fits a phone in landscape', async ({ page, server }) => {
  await findOnEveryScreen(page, server.url, [LANDSCAPE], () => page.evaluate(whatIsCutOff))
})

test('every text is readable in forced colours', async ({ page, server }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await findOnEveryScreen(page, server.url, [PHONE], () => page.evaluate(unreadableInForcedColours))
})

test('in forced colours one sees which column sorts and how, which page is open and what is pressed', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 12 })
  await give(coach, 'bounces@club.test')
  await page.emulateMedia({ forcedColors: 'active' })
  await arriveAs(page, coach, paths.home())
  const drawn = (button: Locator, part?: string) =>
    button.evaluate((one, of) => {
      const { backgroundColor, borderTopColor, borderBottomColor } = getComputedStyle(one, of)
      return `${backgroundColor} ${borderTopColor} ${borderBottomColor}`
    }, part)
  const triangle = (column: string) => drawn(teamHeading(page, t, column).getByRole('button'), '::after')
  const [ascending, unsorted] = [await triangle('Player'), await triangle('Email')]
  await teamHeading(page, t, 'Player').getByRole('button').click()
  expect(new Set([ascending, unsorted, await triangle('Player')]).size, 'the order of a column').toBe(3)

  const pages = page.getByRole('navigation', { name: t('tokens:TokenPages') })
  const pageButton = (number: number) => pages.getByRole('button', { name: t('ui:PageNumber', { number }) })
  expect(await drawn(pageButton(1)), 'the open page').not.toBe(await drawn(pageButton(2)))

  const undelivered = page.getByRole('button', { name: t('tokens:TokensUndelivered', { count: 1 }) })
  const before = await drawn(undelivered)
  await undelivered.click()
  await expect(undelivered).toHaveAttribute('aria-pressed', 'true')
  expect(await drawn(undelivered), 'a pressed filter').not.toBe(before)
})

test('a combobox announces the number of choices once, when typing pauses', async ({ page, t, server }) => {
  await arriveAs(page, await newPlayer(server.url, { hasBought: false }), paths.profile())
  const country = page.getByRole('combobox', { name: t('details:Country') })
  await expect(country).toBeVisible()
  await page.evaluate(() => {
    const said: string[] = []
    Object.assign(window, { said })
    new MutationObserver((changes) => {
      for (const { target } of changes) if (target.parentElement?.closest('[role="status"]')) said.push(target.textContent ?? '')
      for (const { target } of changes) if (target instanceof Element && target.closest('[role="status"]')) said.push(target.textContent)
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  await country.fill('')
  await country.pressSequentially('seneg')
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText(['Senegal'])
  const words = t('ui:ListCount', { count: 1 })
  await expect.poll(() => page.evaluate(() => (window as unknown as { said: string[] }).said)).toContain(words)
  const said = await page.evaluate(() => (window as unknown as { said: string[] }).said)
  expect(said.filter((text) => text !== '')).toEqual([words])
})

/** Runs in the page: the focused element, if it is hidden or its focus is not visible. */
function whatHidesTheFocus(): string {
  const stop = document.activeElement
  if (!stop || stop === document.body) return ''
  // a radio or a file field is drawn by its label, or by the element after it in the same cell
  const drawn = [stop, stop.parentElement, stop.nextElementSibling, stop.closest('label')].filter((part) => part !== null)
  const name = stop.getAttribute('aria-label') ?? stop.textContent.trim().slice(0, 40)
  const marked = drawn.some((part) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(part)
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) || boxShadow !== 'none'
  })
  if (!marked) return `no mark on ${stop.localName} ${name}`
  const inSight = drawn.some((part) => {
    const { left, top, width, height } = part.getBoundingClientRect()
    const points = [0.1, 0.5, 0.9].flatMap((x) => [0.1, 0.5, 0.9].map((y) => [left + width * x, top + height * y] as const))
    return points.some(([x, y]) => {
      const there = document.elementFromPoint(x, y)
      return there !== null && (part.contains(there) || there.contains(stop))
    })
  })
  return inSight ? '' : `covered: ${stop.localName} ${name}`
}

/** Runs in the page: whether a person sees a part of a field, which may be drawn by the elements beside it. */
function isPartInSight(field: Element): boolean {
  const { left, top, width, height } = field.getBoundingClientRect()
  const points = [0.1, 0.5, 0.9].flatMap((x) => [0.1, 0.5, 0.9].map((y) => [left + width * x, top + height * y] as const))
  return points.some(([x, y]) => field.parentElement?.contains(document.elementFromPoint(x, y)))
}

/** Runs in the page: the focused button, if its upper or lower part is covered or out of view. */
function whatCoversAButton(): string {
  const stop = document.activeElement
  if (stop?.localName !== 'button') return ''
  const { left, top, width, height } = stop.getBoundingClientRect()
  const isSeen = [0.2, 0.5, 0.8].every((share) => stop.contains(document.elementFromPoint(left + width / 2, top + height * share)))
  return isSeen ? '' : `covered: ${stop.getAttribute('aria-label') ?? stop.textContent}`
}

/** Runs in the page: the spacing of WCAG 1.4.12, as a constructed style sheet, which the security policy allows. */
function spaceText(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(
    '*{line-height:1.5!important;letter-spacing:.12em!important;word-spacing:.16em!important}p{margin-block-end:2em!important}',
  )
  document.adoptedStyleSheets = [sheet]
}

/** Runs in the page: targets under 24 × 24 px that are not links in a sentence. */
function smallTargets(): string[] {
  const targets = [...document.querySelectorAll<HTMLElement>('a[href], button, select, input, summary, [role="tab"], [role="switch"]')]
  return targets.flatMap((target) => {
    const label = target.closest('label') ?? target
    const boxes = [target, label, target.parentElement ?? target].map((part) => part.getBoundingClientRect())
    const { width, height } = target.getBoundingClientRect()
    if (!target.checkVisibility() || width < 2 || target.closest('.visually-hidden, .skip-link')) return []
    if (target.localName === 'a' && getComputedStyle(target).display === 'inline') return []
    const drawnLarger = target instanceof HTMLInputElement && boxes.some((box) => box.width >= 24 && box.height >= 24)
    if (drawnLarger || (width >= 24 && height >= 24)) return []
    return [`${Math.round(width)} × ${Math.round(height)}: ${target.getAttribute('aria-label') ?? target.textContent.trim()}`]
  })
}

/** Runs in the page: text in the colour of its background. */
function unreadableInForcedColours(): string[] {
  const grounds = (part: Element | null): string => {
    if (!part) return 'rgb(255, 255, 255)'
    const { backgroundColor } = getComputedStyle(part)
    return /, 0\)$|transparent/.test(backgroundColor) ? grounds(part.parentElement) : backgroundColor
  }
  const texts = [...document.querySelectorAll<HTMLElement>('body *')].filter(
    (part) => part.checkVisibility() && [...part.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim()),
  )
  return texts
    .filter((part) => getComputedStyle(part).color === grounds(part))
    .map((part) => `${part.localName}: ${part.textContent.slice(0, 40)}`)
}
