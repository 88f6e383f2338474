import { paths } from '#app/paths.ts'
import { users } from '#contract/users.ts'
import { newAddress, newPlayer, signInByApi } from './support/api.ts'
import { newCoach } from './support/coach.ts'
import { arriveAs, expect, test } from './support/journey.ts'
import { enlarge, speak, whatIsCutOff } from './support/look.ts'
import { expectScreen } from './support/screens.ts'
import { DEMO_COACH, teamOf } from './support/team-panel.ts'
import { give, panel } from './support/tokens-panel.ts'
import { wordsOf } from './support/words.ts'

/** Text up to twice as large on a phone: WCAG 1.4.4. */

test.setTimeout(180_000)

const PHONE = { width: 360, height: 740 }
const PHONES = [{ width: 320, height: 640 }, PHONE]

test('nothing overflows a phone’s screen at twice the text size with a very long name', async ({ page, server }) => {
  const player = await newPlayer(server.url, { questions: 3 })
  const further = await newPlayer(server.url, { questions: 30 })
  const firstName = 'Wolfeschlegelsteinhausenbergerdorff'
  await player.api.ask(users.update, { params: { id: player.userId }, body: { firstName, lastName: 'Lindqvist' } })
  const buyer = await newPlayer(server.url, { hasBought: false })
  await page.setViewportSize(PHONE)
  const t = wordsOf('en')
  for (const [screen, path, person] of [
    ['login', paths.login()],
    ['notFound', '/no-such-screen'],
    ['home', paths.home(), player],
    ['profile', paths.profile(), player],
    ['test', paths.test(player.instanceId), player],
    ['test', paths.test(further.instanceId), further],
    ['payment', paths.payment('touchline-profile'), buyer],
  ] as const) {
    if (person) await arriveAs(page, person, path)
    else await page.goto(path)
    await expectScreen(page, t, screen, path)
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    const found: string[] = []
    for (const language of ['fr', 'en'] as const) {
      await speak(page, language)
      for (const percent of [100, 200]) {
        await enlarge(page, percent)
        for (const size of PHONES) {
          await page.setViewportSize(size)
          const findings = await page.evaluate(whatIsCutOff)
          found.push(...findings.map((finding) => `${finding} (${language}, ${size.width} px, ${percent} %)`))
        }
      }
      await enlarge(page, 100)
    }
    expect.soft(found, path).toEqual([])
  }
})

test('what is clear in a result is read in lines, not in letters, at twice the text size on a phone', async ({ page, server }) => {
  const squad = await signInByApi(server.url, DEMO_COACH)
  const report = (await teamOf(squad)).find(({ status }) => status === 'COMPLETED')?.instanceId ?? ''
  await page.setViewportSize(PHONE)
  await arriveAs(page, squad, paths.coachReport(report))
  await expect(page.getByRole('definition').first()).toBeVisible()
  await enlarge(page, 200)
  const widths = await page.getByRole('definition').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width))
  for (const width of widths) expect(width).toBeGreaterThan(PHONE.width / 2)
})

test('dashboards fit a tablet and a laptop in larger text, and their heading doubles in size', async ({ page, server }) => {
  const coach = await newCoach(server.url, { tokens: 35 })
  const player = await newPlayer(server.url)
  for (const person of [coach, player]) {
    await page.setViewportSize({ width: 1280, height: 800 })
    await arriveAs(page, person, paths.home())
    await expectScreen(page, wordsOf('en'), 'home', paths.home())
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    for (const language of ['fr', 'en'] as const) {
      await speak(page, language)
      for (const percent of [125, 150, 200]) {
        await enlarge(page, percent)
        for (const width of [820, 1100, 1280, 1600]) {
          await page.setViewportSize({ width, height: 800 })
          const found = await page.evaluate(whatIsCutOff)
          expect.soft(found, `${language}, ${width} px, ${percent} %`).toEqual([])
          // lines of more than a letter
          const heading = await page.getByRole('heading', { level: 1 }).boundingBox()
          expect.soft(heading?.width, `heading in ${language}, ${width} px, ${percent} %`).toBeGreaterThan(200)
        }
      }
      await enlarge(page, 100)
      await page.setViewportSize({ width: 1280, height: 800 })
    }
  }
})

test('what tokens cost is on the screen in larger text', async ({ page, server }) => {
  const coach = await newCoach(server.url)
  await arriveAs(page, coach, paths.purchaseToken(13))
  await expectScreen(page, wordsOf('en'), 'purchaseToken', paths.purchaseToken(13))
  await expect(page.getByText('$364.00 USD')).toBeVisible()
  for (const language of ['fr', 'en'] as const) {
    await speak(page, language)
    for (const percent of [150, 200]) {
      await enlarge(page, percent)
      for (const width of [360, 820, 1024, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        const price = await page.getByText('$364.00 USD').boundingBox()
        expect.soft((price?.x ?? width) + (price?.width ?? 0), `${language}, ${width} px, ${percent} %`).toBeLessThanOrEqual(width)
        expect.soft(await page.evaluate(whatIsCutOff), `${language}, ${width} px, ${percent} %`).toEqual([])
      }
    }
    await enlarge(page, 100)
    await page.setViewportSize({ width: 1280, height: 800 })
  }
})

test('a given token’s buttons stay in its row in larger text, and the table does not scroll sideways', async ({ page, server }) => {
  const coach = await newCoach(server.url, { tokens: 2 })
  const email = newAddress()
  await give(coach, email)
  await arriveAs(page, coach, paths.home())
  for (const language of ['en', 'fr'] as const) {
    await speak(page, language)
    const t = wordsOf(language)
    const table = panel(page, t).getByRole('region', { name: t('tokens:TokenTable') })
    await expect(table.getByRole('button', { name: t('tokens:TokenReclaimOf', { email }) })).toBeVisible()
    for (const percent of [100, 125, 150, 200]) {
      await enlarge(page, percent)
      for (const width of [320, 390, 820, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        const found = await table.evaluate(whatLeavesItsRow)
        expect.soft(found, `${language}, ${width} px, ${percent} %`).toEqual([])
      }
    }
    await enlarge(page, 100)
  }
})

test('sticky bars leave room for the question at twice the text size', async ({ page, t, server }) => {
  const player = await newPlayer(server.url, { questions: 3 })
  await page.setViewportSize(PHONE)
  await arriveAs(page, player, paths.test(player.instanceId))
  const panel = page.getByRole('tabpanel', { name: t('assessment:TestSection', { number: 1 }) })
  await expect(panel).toBeVisible()
  for (const size of PHONES) {
    await page.setViewportSize(size)
    for (const percent of [100, 150, 200]) {
      await enlarge(page, percent)
      const share = await panel.evaluate((panel) => {
        panel.scrollIntoView({ block: 'center' })
        const x = innerWidth / 2
        const rows = Array.from({ length: 50 }, (_, row) => ((row + 0.5) * innerHeight) / 50)
        return rows.filter((y) => panel.contains(document.elementFromPoint(x, y))).length / rows.length
      })
      expect.soft(share, `${size.width} px, ${percent} %`).toBeGreaterThan(0.5)
    }
  }
})

test('every month of birth is shown in full', async ({ page, server }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile())
  for (const language of ['fr', 'en'] as const) {
    await speak(page, language)
    for (const percent of [100, 200]) {
      await enlarge(page, percent)
      for (const width of [320, 360, 412]) {
        await page.setViewportSize({ width, height: 740 })
        const cut = await page.getByLabel(wordsOf(language)('details:BirthMonth')).evaluate(optionsCutOff)
        expect.soft(cut, `${language}, ${width} px, ${percent} %`).toEqual([])
      }
    }
    await enlarge(page, 100)
  }
})

test('no word above the numbers of a ranking is broken in larger text', async ({ page, server }) => {
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.test(player.instanceId))
  for (const language of ['fr', 'en'] as const) {
    await page.setViewportSize({ width: 390, height: 760 })
    await speak(page, language)
    const words = page.locator('[aria-hidden="true"]').filter({ hasText: { fr: 'Le moins moi', en: 'Least like me' }[language] })
    for (const percent of [100, 150, 200]) {
      await enlarge(page, percent)
      for (const size of PHONES) {
        await page.setViewportSize(size)
        expect(await words.first().evaluate(brokenWords), `${language}, ${size.width} px, ${percent} %`).toEqual([])
      }
    }
    await enlarge(page, 100)
  }
})

/** Runs in the page: words drawn on more than one line. */
function brokenWords(element: Element): string[] {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const broken: string[] = []
  while (texts.nextNode()) {
    const text = texts.currentNode
    for (const { 0: word, index } of (text.textContent ?? '').matchAll(/\S+/g)) {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      if (range.getClientRects().length > 1) broken.push(word)
    }
  }
  return broken
}

/** Runs in the page: a table wider than its container, and buttons that overflow their cell. */
function whatLeavesItsRow(table: HTMLElement | SVGElement): string[] {
  const wide = table.scrollWidth > table.clientWidth + 1 ? [`${table.scrollWidth} px in ${table.clientWidth}`] : []
  const out = [...table.querySelectorAll('td button')].filter((button) => {
    const right = button.closest('td')?.getBoundingClientRect().right ?? 0
    return button.getBoundingClientRect().right > right + 1 || button.scrollWidth > button.clientWidth + 1
  })
  return [...wide, ...out.map((button) => `sticks out: ${button.textContent}`)]
}

/** Runs in the page: choices wider than the room before the arrow. */
function optionsCutOff(field: HTMLElement | SVGElement): string[] {
  const { options, clientWidth } = field as HTMLSelectElement // the label is a select's
  const { font, paddingLeft, paddingRight } = getComputedStyle(field)
  const pen = new OffscreenCanvas(1, 1).getContext('2d')
  if (!pen) return ['nothing to measure with']
  pen.font = font
  const room = clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
  return [...options].map(({ label }) => label).filter((label) => pen.measureText(label).width > room)
}
