import type { Page } from '@playwright/test'
import { firstPairBetween, resultLine } from '#contract/rules/result-line.ts'
import { paths } from '#app/paths.ts'
import { assessments } from '#contract/assessments.ts'
import { isNextType } from '#contract/rules/clear-results.ts'
import { instances, ownResults } from '#contract/instances.ts'
import { leaningOf } from '#sandbox/demo-accounts/leaning.ts'
import { buy, completeAs, newPlayer, signInByApi, type Person } from './support/api.ts'
import { arriveAs, expect, goOffline, goOnline, tapInVain, test, untilWorkerIsThere, workerTest } from './support/journey.ts'
import { startOf, wordsOf } from './support/words.ts'

/** A result to keep. RESULTS-1 to RESULTS-12 */

async function done(url: string) {
  const player = await signInByApi(url, 'player.done@demo.test')
  return { player, ...(await resultOf(player)) }
}

async function resultOf({ api }: Person) {
  const [instance] = (await api.ask(instances.list, { query: {} })).data
  const results = instance && ownResults(instance)
  if (!results) throw new Error('The demo player has no result')
  return { instanceId: instance.instanceId, results }
}

test('the pair, one picture, its tables, the words, and where they lead', async ({ page, t, server }) => {
  const { player, instanceId, results } = await done(server.url)
  await arriveAs(page, player, paths.results(instanceId))
  const { Section1, section2 } = results
  await expect(page.getByRole('heading', { level: 1, name: resultLine(results, t('parts:NoClearStyle')), exact: true })).toBeVisible()

  const bars = page.getByRole('region', { name: t('results:ResultsPreferencesTitle') }).getByRole('listitem')
  await expect(bars).toHaveCount(4)
  for (const [at, axis] of section2.axes.entries()) {
    for (const chosen of [axis.firstCount, axis.secondCount])
      await expect(bars.nth(at)).toContainText(t('results:ResultsCountOf', { chosen, total: 11 }))
    await expect(bars.nth(at)).toContainText(
      axis.closeCall ? t('results:ResultsCloseCall') : axis.letter === null ? 'between the two' : /clear|strong/,
    )
    await expect(bars.nth(at).getByText(t('results:ResultsCloseCall'))).toHaveCount(axis.closeCall ? 1 : 0)
  }
  const picture = page.getByRole('img', { name: startOf(t('results:ResultsModesPicture')) })
  for (const sum of Object.values(Section1.modes)) await expect(picture).toHaveAccessibleName(new RegExp(`\\b${sum}\\b`))

  await expect(page.getByRole('table')).toHaveCount(0)
  await page.getByText(t('results:ResultsFigures'), { exact: true }).click()
  await expect(page.getByRole('table', { name: t('results:ResultsPreferencesTable') }).getByRole('row')).toHaveCount(5)
  await expect(page.getByRole('table', { name: t('results:ResultsModesTable') }).getByRole('row')).toHaveCount(5)

  const overview = page.getByRole('region', { name: t('results:ResultsOverviewTitle') })
  await expect(overview.getByRole('paragraph')).not.toHaveCount(0)
  const standOut = await overview.getByRole('heading', { name: t('results:ResultsOverviewStandOut') }).count()
  await expect(overview.getByText(t('results:ResultsOverviewStandOutLimit'))).toHaveCount(standOut)
  const { lsiType, mbtiType } = await player.api.ask(assessments.resultText, {
    query: { lsi: Section1.value, mbti: section2.value, instanceId },
  })
  const style = page.getByRole('region', { name: t('results:ResultsStyleNearest', { name: Section1.result }) })
  await expect(style.getByRole('paragraph').first()).toHaveText(lsiType.content)
  const type = page.getByRole('region', { name: t('results:ResultsTypeNearest', { name: section2.label }) })
  await expect(type.getByRole('paragraph').first()).toHaveText(mbtiType.content)
  await expect(page.getByRole('region', { name: t('results:ResultsPerformersTitle') }).getByRole('listitem')).not.toHaveCount(0)
  await opensSample(page, () => page.getByRole('link', { name: startOf(t('results:ResultsReportLink')) }).click())
  await page.getByRole('link', { name: t('assessment:LimitsLink') }).click()
  await expect(page.getByRole('heading', { name: t('about:AboutLimitsTitle') })).toBeInViewport()
})

workerTest('the neighbouring styles and types are named, and a tap shows their texts, also offline', async ({ page, t, server }) => {
  const { player, instanceId, results } = await done(server.url)
  const { Section1, section2 } = results
  const query = { lsi: Section1.value, mbti: section2.value, instanceId }
  const { neighbours } = await player.api.ask(assessments.resultText, { query })
  const named = [...(neighbours?.styles ?? []), ...(neighbours?.types ?? [])]
  expect(named).toHaveLength(4)
  await arriveAs(page, player, paths.results(instanceId))
  await untilWorkerIsThere(page)
  // only the types that differ in one letter are beside it
  const type = page.getByRole('region', { name: t('results:ResultsTypeNearest', { name: section2.label }) })
  const count = (neighbours?.types ?? []).filter(({ value }) => isNextType(section2.value, value)).length
  await expect(type.getByText(startOf(t('results:ResultsNeighbours', { count })))).toBeVisible()
  const [beside = '', others = ''] = (await type.innerText()).split(t('results:ResultsNeighboursAlso'))
  for (const { name } of neighbours?.types ?? []) expect(isNextType(section2.value, name) ? beside : others).toContain(name)
  for (const isOnline of [true, false]) {
    if (!isOnline) {
      await goOffline(page, t)
      await page.reload()
    }
    for (const { name, content } of named) {
      await expect(page.getByText(content)).toBeHidden()
      await page.getByText(name, { exact: true }).and(page.locator('summary')).click()
      await expect(page.getByText(content)).toBeVisible()
    }
  }
})

test.describe('a result that follows another', () => {
  const EARLIER = { ...leaningOf(0), firstCounts: { EI: 2, SN: 8, TF: 6, JP: 4 } }
  for (const [axis, firstCount] of [
    ['nothing', 8],
    ['inward and outward', 9],
  ] as const) {
    test(`says that ${axis} changed by more than chance, and draws the earlier one`, async ({ page, t, server }) => {
      const player = await newPlayer(server.url)
      await completeAs(player, player.instanceId, EARLIER)
      const later = await buy(player)
      await completeAs(player, later, { ...EARLIER, firstCounts: { ...EARLIER.firstCounts, EI: firstCount } })
      await arriveAs(page, player, paths.results(later))
      const since = page.getByRole('region', { name: startOf(t('results:ResultsSince')) })
      const [from, towards] = [t('results:ResultsPoleI'), t('results:ResultsPoleE')]
      const direction = t('results:ResultsSinceDirection', { from, towards })
      await expect(since).toContainText(
        axis === 'nothing' ? t('results:ResultsSinceUnchanged') : t('results:ResultsSinceChanged', { list: direction }),
      )
      // I stood, and now E does: within chance that is said, too
      await expect(since.getByText(t('results:ResultsSinceOpposite', { list: 'E/I' }))).toBeVisible({ visible: axis === 'nothing' })
      await expect(page.getByText(t('results:ResultsEarlierMark'))).toBeVisible()
      const bars = page.getByRole('region', { name: t('results:ResultsPreferencesTitle') }).getByRole('listitem')
      await expect(bars.first()).toContainText(t('results:ResultsEarlierCount', { first: 2, second: 9 }))
      await expect(page.getByRole('img', { name: startOf(t('results:ResultsModesPicture')) })).toHaveAccessibleName(
        new RegExp(startOf(t('results:ResultsModesPictureEarlier')).source.slice(1)),
      )
      await page.getByText(t('results:ResultsFigures'), { exact: true }).click()
      const figures = page.getByRole('table', { name: t('results:ResultsPreferencesTable') })
      await expect(figures.getByRole('row').nth(1).getByRole('cell')).toContainText([`${firstCount} – ${11 - firstCount}`, '2 – 9'])
      await since.getByRole('link').click()
      await expect(page.getByRole('region', { name: t('results:ResultsPreferencesTitle') })).toContainText(
        t('results:ResultsCountOf', { chosen: 2, total: 11 }),
      )
      await expect(since).toBeHidden()
    })
  }
})

workerTest('offline the report says why it does not open, and does nothing else', async ({ page, context, t, server }) => {
  const { player, instanceId } = await done(server.url)
  await arriveAs(page, player, paths.results(instanceId))
  await untilWorkerIsThere(page)
  const report = page.getByRole('link', { name: startOf(t('results:ResultsReportLink')) })
  await expect(report).toBeVisible()
  await goOffline(page, t)
  await expect(report).toHaveAttribute('aria-disabled', 'true')
  await tapInVain(page, t, report)
  expect(context.pages()).toHaveLength(1)
  await expect(report).toBeVisible()
  await goOnline(page, t)
  await opensSample(page, () => report.click())
})

/** In a tab of its own, which not every browser leaves open: some download a PDF. */
async function opensSample(page: Page, open: () => Promise<void>): Promise<void> {
  const isSample = (url: string) => new URL(url).pathname === '/media/sample/assessmentSampleReportImpact.pdf'
  const [, response] = await Promise.all([
    page.waitForEvent('popup'),
    page.context().waitForEvent('response', (response) => isSample(response.url())),
    open(),
  ])
  expect(response.headers()['content-type']).toBe('application/pdf')
}

workerTest('read again without a connection, it says of when it is', async ({ page, t, server }) => {
  const { player, instanceId } = await done(server.url)
  await arriveAs(page, player, paths.results(instanceId))
  await untilWorkerIsThere(page)
  await expect(page.getByRole('heading', { name: t('results:ResultsOverviewTitle') })).toBeVisible()
  const asOf = page.getByText(startOf(t('parts:AsOf')))
  await expect(asOf).toBeHidden()
  await goOffline(page, t)
  await page.reload()
  await expect(page.getByRole('heading', { name: t('results:ResultsOverviewTitle') })).toBeVisible()
  await expect(asOf).toBeVisible()
})

for (const language of ['en', 'fr'] as const) {
  test(`on paper it is whole, and nothing else is there (${language})`, async ({ page, server }) => {
    const t = wordsOf(language)
    const { player, instanceId } = await done(server.url)
    await arriveAs(page, player, paths.results(instanceId), { language })
    await expect(page.getByRole('heading', { name: t('results:ResultsOverviewTitle') })).toBeVisible()
    // by role, what is hidden is not there
    const onScreenOnly = [
      page.getByRole('banner'),
      page.getByRole('button'),
      page.getByRole('link', { name: t('assessment:ReturnToDashboard') }),
    ]
    for (const part of onScreenOnly) await expect(part).not.toHaveCount(0)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await expect(page.getByText('Touchline · ')).toBeVisible()
    // unfolded, although nobody has opened it
    await expect(page.getByRole('table')).toHaveCount(2)
    for (const part of onScreenOnly) await expect(part).toHaveCount(0)
    // paper is white, whatever the screen was
    const colours = await page.evaluate(() => {
      const { color } = getComputedStyle(document.querySelector('h1') ?? document.body)
      return { color, isWide: document.documentElement.scrollWidth > document.documentElement.clientWidth }
    })
    expect(colours).toEqual({ color: 'rgb(20, 33, 26)', isWide: false })
  })
}

test('results are printed on white, whatever the screen’s colours are', async ({ page, t, server }) => {
  const { player, instanceId } = await done(server.url)
  await arriveAs(page, player, paths.results(instanceId))
  await expect(page.getByRole('heading', { name: t('results:ResultsOverviewTitle') })).toBeVisible()
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ media: 'print', colorScheme })
    const ground = await page.locator('html').evaluate((html) => getComputedStyle(html).backgroundColor)
    expect.soft(ground, colorScheme).toBe('rgb(255, 255, 255)')
  }
})

/** Learning styles by where their dot lies: one in each quarter, one between two of them, and two with the dot near a label. */
const STYLES = [
  { doWatch: 9, ideaExperience: 9, en: ['Training Ground'], fr: ['Atelier'] },
  { doWatch: -9, ideaExperience: 9, en: ['Game Plan'], fr: ['Plan de jeu'] },
  { doWatch: 9, ideaExperience: -9, en: ['Free Play'], fr: ['Jeu libre'] },
  { doWatch: -9, ideaExperience: -9, en: ['Wide View'], fr: ['Vue d’ensemble'] },
  { doWatch: -15, ideaExperience: -1, en: ['Game Plan', 'Wide View'], fr: ['Plan de jeu', 'Vue d’ensemble'] },
  { doWatch: 15, ideaExperience: -1, en: ['Free Play', 'Training Ground'], fr: ['Jeu libre', 'Atelier'] },
  { doWatch: 1, ideaExperience: -12, en: ['Free Play', 'Wide View'], fr: ['Jeu libre', 'Vue d’ensemble'] },
] as const
const KEYS: Record<string, string> = { 'Training Ground': 'training', 'Game Plan': 'plan', 'Free Play': 'play', 'Wide View': 'view' }
const SHARED_NAME = 'X'

/** What the sentence on the learning style says, and where the dot is said to lie. */
const SAID = [
  {
    doWatch: 9,
    ideaExperience: -9,
    styles: ['play'],
    where: 'ResultsModesInQuarter',
    said: {
      en: 'X is how you like to learn: you lean towards experience and doing.',
      fr: 'X décrit comment tu aimes apprendre\u00a0: plutôt par l’expérience et en faisant.',
    },
  },
  {
    doWatch: 9,
    ideaExperience: 3,
    styles: ['training', 'play'],
    where: 'ResultsModesOnLine',
    said: {
      en: 'Your learning style lies between X and X: you lean towards doing, and otherwise hardly more one way than the other.',
      fr: 'Ton style d’apprentissage se situe entre X et X\u00a0: tu aimes apprendre plutôt en faisant et, pour le reste, tu ne penches presque d’aucun côté.',
    },
  },
  {
    doWatch: 0,
    ideaExperience: 3,
    styles: ['training', 'plan', 'play', 'view'],
    where: 'ResultsModesInMiddle',
    said: {
      en: 'No learning style stands out: you lean hardly more to ideas than to experience, and hardly more to doing than to watching.',
      fr: 'Aucun style d’apprentissage ne ressort\u00a0: tu ne penches guère plus vers les idées que vers l’expérience, ni vers faire que vers regarder.',
    },
  },
] as const

test.describe('the words on the pitch', () => {
  // what the API says of the result is changed on its way
  for (const style of STYLES) {
    for (const language of ['en', 'fr'] as const) {
      test(`none lies on another or beyond the edge (${style.en.join(', ')} at ${style.doWatch}, ${language})`, async ({
        page,
        server,
      }) => {
        const t = wordsOf(language)
        const { player, instanceId } = await done(server.url)
        const styles = style.en.map((name, at) => ({ value: KEYS[name] ?? '', result: style[language][at] ?? '' }))
        await bendStyle(page, { ...style, styles })
        await arriveAs(page, player, paths.results(instanceId), { language })
        await expect(page.getByRole('heading', { level: 1, name: startOf(`${style[language].join(' / ')} `) })).toBeVisible()
        const pitch = page.getByRole('img', { name: startOf(t('results:ResultsModesPicture')) })
        for (const width of [320, 390, 820, 1280]) {
          await page.setViewportSize({ width, height: 800 })
          await expect(pitch.locator('text')).toHaveCount(4 + styles.length)
          expect(await pitch.evaluate(wordsInTheWay), `${width} px`).toEqual([])
        }
        await page.unrouteAll({ behavior: 'wait' })
      })
    }
  }

  for (const language of ['en', 'fr'] as const) {
    test(`a sentence says which learning styles fit, and the pitch where the dot lies (${language})`, async ({ page, server }) => {
      const t = wordsOf(language)
      const { player, instanceId } = await done(server.url)
      for (const { said, where, styles, ...place } of SAID) {
        await bendStyle(page, { ...place, styles: styles.map((value) => ({ value, result: SHARED_NAME })) })
        await arriveAs(page, player, paths.results(instanceId), { language })
        await expect(page.getByText(said[language], { exact: true })).toBeVisible()
        await expect(page.getByText(t(`results:${where}`))).toBeVisible()
        await page.unrouteAll({ behavior: 'wait' })
      }
    })
  }
})

/** What the API says of the modes, changed on its way. */
interface BentStyle {
  doWatch: number
  ideaExperience: number
  styles: { value: string; result: string }[]
}

async function bendStyle(page: Page, { doWatch, ideaExperience, styles }: BentStyle): Promise<void> {
  const Section1 = {
    ...styles[0],
    styles,
    modes: { experience: 30 - ideaExperience, watch: 30 - doWatch, idea: 30 + ideaExperience, do: 30 + doWatch },
    axes: { ideaExperience: 2 * ideaExperience, doWatch: 2 * doWatch },
    closeCalls: ideaExperience === 0 ? ['ideaExperience'] : [],
  }
  await page.route(/\/api\/assessment\/assessment-instance/, async (route) => {
    const response = await route.fetch()
    const changed: unknown = JSON.parse(await response.text(), (key, value: object) =>
      key === 'Section1' ? { ...value, ...Section1 } : value,
    )
    await route.fulfill({ response, json: changed })
  })
}

/** Runs in the page. */
function wordsInTheWay(pitch: Element): string[] {
  const edge = pitch.getBoundingClientRect()
  const texts = [...pitch.querySelectorAll('text')].map((text) => ({ words: text.textContent, at: text.getBoundingClientRect() }))
  const dot = [...pitch.querySelectorAll('circle')].at(-1)
  if (!dot) return ['there is no dot']
  const boxes = [...texts, { words: 'the dot', at: dot.getBoundingClientRect() }]
  const outside = boxes.filter(({ at }) => at.left < edge.left || at.right > edge.right || at.top < edge.top || at.bottom > edge.bottom)
  const pairs = boxes.flatMap((one, index) => boxes.slice(index + 1).map((other) => [one, other] as const))
  const crossed = pairs.filter(([{ at: a }, { at: b }]) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
  return [...outside.map(({ words }) => `beyond the edge: ${words}`), ...crossed.map(([a, b]) => `${a.words} on ${b.words}`)]
}

test('each letter is explained, the limits come before the words, and each part of them has a heading', async ({ page, t, server }) => {
  const { player, instanceId, results } = await done(server.url)
  await arriveAs(page, player, paths.results(instanceId))
  const { section2 } = results
  const clear = section2.axes.filter(({ letter }) => letter !== null).length
  await expect(page.getByText(t('results:ResultsLettersSomeClear', { count: clear, pair: firstPairBetween(section2) }))).toBeVisible()
  const letters = page.getByRole('region', { name: t('results:ResultsLettersTitle') })
  await expect(letters.getByRole('term')).toHaveText(section2.axes.map(({ first, second, letter }) => letter ?? `${first} / ${second}`))
  // one line for a letter that is clear, two where neither is
  await expect(letters.getByRole('definition')).toHaveCount(2 * section2.axes.length - clear)
  const overview = page.getByRole('region', { name: t('results:ResultsOverviewTitle') })
  // all but the first, which says what it is written for, and the limit of what stood out
  const limit = await overview.getByText(t('results:ResultsOverviewStandOutLimit')).count()
  const paragraphs = (await overview.getByRole('paragraph').count()) - 1 - limit
  await expect(overview.getByRole('heading', { level: 3 })).toHaveCount(paragraphs)
  await expect(overview.getByRole('heading', { level: 3 }).first()).toHaveText(t('results:ResultsOverviewTeam'))
  const inOrder = [t('results:ResultsLimitsTitle'), t('results:ResultsOverviewTitle')]
  const headings = await page.getByRole('heading', { level: 2 }).allTextContents()
  expect(headings.filter((heading) => inOrder.includes(heading))).toEqual(inOrder)
})

test('in a person’s own colours the bars stay filled', async ({ page, t, server }) => {
  const { player, instanceId } = await done(server.url)
  await page.emulateMedia({ forcedColors: 'active' })
  await arriveAs(page, player, paths.results(instanceId))
  const bars = page.getByRole('region', { name: t('results:ResultsPreferencesTitle') }).getByRole('listitem')
  await expect(bars).toHaveCount(4)
  const empty = await bars.evaluateAll(
    (all) =>
      all.filter((bar) => {
        const filled = [...bar.querySelectorAll<HTMLElement>('[style]')].map((part) => getComputedStyle(part))
        const behind = getComputedStyle(document.body).backgroundColor
        return !filled.some((part) => part.backgroundImage !== 'none' || ![behind, 'rgba(0, 0, 0, 0)'].includes(part.backgroundColor))
      }).length,
  )
  expect(empty).toBe(0)
})
