import { paths } from '#app/paths.ts'
import { newPlayer } from './support/api.ts'
import { captivePortal, cut } from './support/front.ts'
import { arriveAs, expect, expectAccessible, workerTest as test } from './support/journey.ts'
import { countLoads, watchRequests } from './support/requests.ts'
import { expectScreen } from './support/screens.ts'
import { openWeakLine } from './support/weak-line.ts'
import { wordsOf } from './support/words.ts'

/** The first visit by a bad line: it goes on by itself, says so, and never has to be begun anew. */

for (const language of ['en', 'fr'] as const) {
  test(`files that the line cuts are asked for again, and the page says so (${language})`, async ({ page, server, front }) => {
    const t = wordsOf(language)
    const player = await newPlayer(server.url)
    const loads = countLoads(page)
    // whatever came before the line went is not asked for twice
    const asked = watchRequests(page)
    front.bend(/^\/assets\/(vendor|test|questionnaire|assessment)-|^\/assets\/test\.screen-/, cut)
    await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url, language })
    const count = page.getByText(new RegExp(t('start:LoadingFiles', { here: '\\d+', all: '\\d+' })))
    await expect(count).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: t('start:WeakRetrying') })).toBeVisible()
    await expectAccessible(page, `loading, ${language}`)

    // mended, the page goes on by itself too, and sooner than a pointer finds the button
    await page.getByRole('button', { name: t('start:TryAgain') }).focus()
    front.mend()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('radio').first()).toBeVisible()
    await expect(count).toHaveCount(0)
    // the health page and the questionnaire
    expect(loads()).toBe(2)
    expect(asked.filter((path) => path.startsWith('/assets/core-') || path.startsWith('/assets/index-'))).toHaveLength(2)
  })
}

test('a captive portal’s page in place of the files is not taken for them', async ({ page, server, front, t }) => {
  const player = await newPlayer(server.url)
  const loads = countLoads(page)
  let given = 0
  front.bend(/^\/assets\/(vendor|core)-/, (...asked) => {
    given += 1
    captivePortal(...asked)
  })
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await expect(page.getByText(t('start:WeakRetrying'))).toBeVisible()
  // in place of what was asked for again as well
  await expect.poll(() => given).toBeGreaterThan(6)
  front.mend()
  await expect(page.getByRole('radio').first()).toBeVisible()
  expect(loads()).toBe(2)
})

test('by a slow line that loses much and breaks twice the questionnaire comes by itself', async ({ page, server, t }) => {
  const player = await newPlayer(server.url)
  const { SLOW_LINE_BITS: bits = '600000', SLOW_LINE_DELAY: delay = '40', SLOW_LINE_CUT: cutMs = '1000' } = process.env
  const line = await openWeakLine(server.url, { bitsPerSecond: Number(bits), delayMs: Number(delay), lostPercent: 20 })
  try {
    const loads = countLoads(page)
    await arriveAs(page, player, paths.test(player.instanceId), { origin: line.url })
    for (const files of ['[2-9]', '(?:[5-9]|1\\d)']) {
      // it breaks while files are on their way
      const words = t('start:LoadingFiles', { here: files, all: '\\d+' })
      await expect(page.getByText(new RegExp(words)).or(page.getByRole('radio').first())).toBeVisible({ timeout: 60_000 })
      await line.cutFor(Number(cutMs))
    }
    await expect(page.getByRole('radio').first()).toBeVisible({ timeout: 80_000 })
    expect(loads()).toBe(2)
  } finally {
    await line.close()
  }
})

test('the first question waits for nothing that only the other screens have', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  const asked = watchRequests(page, /^\/assets\//)
  await arriveAs(page, player, paths.test(player.instanceId))
  await expect(page.getByRole('radio').first()).toBeVisible()
  expect(asked.join(' ')).toContain('/assets/questionnaire-')
  const others = ['shared', 'queries', 'GlobalStyles'].map((name) => new RegExp(`^/assets/${name}-`))
  const asksFor = (name: RegExp) => asked.some((path) => name.test(path))
  expect(others.filter(asksFor)).toEqual([])
  // which are there under these names
  await page.goto(paths.profile())
  await expectScreen(page, t, 'profile', paths.profile())
  expect(others.filter(asksFor)).toEqual(others)
})
