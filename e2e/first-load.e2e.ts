import { paths } from '#app/paths.ts'
import { newPlayer } from './support/api.ts'
import { captivePortal, cut, fileMissing, noReply, refuseWith } from './support/front.ts'
import { arriveAs, expect, expectAccessible, workerTest as test } from './support/journey.ts'
import { countLoads, watchRequests } from './support/requests.ts'
import { expectScreen } from './support/screens.ts'
import { openWeakLine } from './support/weak-line.ts'
import { wordsOf } from './support/words.ts'

/** The first visit over a bad connection: loading resumes by itself, says so, and never starts over. */

for (const language of ['en', 'fr'] as const) {
  test(`files cut off by the connection are requested again, and the page says so (${language})`, async ({ page, server, front }) => {
    const t = wordsOf(language)
    const player = await newPlayer(server.url)
    const loads = countLoads(page)
    // files loaded before the connection broke are not requested twice
    const asked = watchRequests(page)
    front.bend(/^\/assets\/(vendor|test|questionnaire|assessment)-|^\/assets\/test\.screen-/, cut)
    await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url, language })
    const count = page.getByText(new RegExp(t('start:LoadingFiles', { here: '\\d+', all: '\\d+' })))
    await expect(count).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: t('start:WeakRetrying') })).toBeVisible()
    await expectAccessible(page, `loading, ${language}`)

    // once the connection works the page also resumes by itself, sooner than the button could be clicked
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

test('a file that was cut off comes over the line once more, not twice', async ({ page, server, front, t }) => {
  const player = await newPlayer(server.url)
  front.bend(/^\/assets\//, cut)
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await expect(page.getByText(t('start:WeakRetrying'))).toBeVisible()
  const sent: string[] = []
  front.mend()
  front.bend(/^\/assets\/(?:vendor|core|questionnaire|index|test\.screen)-.*\.js/, (incoming, _, pass) => {
    sent.push(incoming.url ?? '')
    pass()
  })
  await expect(page.getByRole('radio').first()).toBeVisible({ timeout: 40_000 })
  expect(sent).toHaveLength(5)
  expect(new Set(sent).size).toBe(5)
})

for (const part of ['questionnaire', 'base']) {
  test(`a file without a reply is soon loaded once the line is good and Try again is tapped: ${part}`, async ({
    page,
    server,
    front,
    t,
  }) => {
    const player = await newPlayer(server.url)
    front.bend(new RegExp(`^/assets/${part}-.*\\.js`), noReply)
    await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
    await expect(page.getByText(t('start:WeakRetrying'))).toBeVisible({ timeout: 30_000 })
    front.mend()
    await page.getByRole('button', { name: t('start:TryAgain') }).click()
    await expect(page.getByRole('radio').first()).toBeVisible({ timeout: 12_000 })
  })
}

test('a line on which no file gets a reply is named in seconds', async ({ page, front, t }) => {
  front.bend(/^\/assets\//, noReply)
  await page.goto(front.url + paths.login(), { waitUntil: 'commit' })
  await expect(page.getByText(t('start:WeakRetrying'))).toBeVisible({ timeout: 20_000 })
  front.mend()
  await page.getByRole('button', { name: t('start:TryAgain') }).click()
  await expectScreen(page, t, 'login', front.url + paths.login(), { timeout: 30_000 })
})

test('base styles that come late, and are requested again, stay before those of the screen', async ({ page, server, front, t }) => {
  const player = await newPlayer(server.url)
  front.bend(/^\/assets\/base-.*\.css$/, cut)
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await expect(page.getByText(t('start:WeakRetrying'))).toBeVisible()
  const again = page.getByRole('button', { name: t('start:TryAgain') })
  expect((await again.boundingBox())?.height).toBeGreaterThanOrEqual(48)
  // before the line is mended, or a retry may remove the button
  await again.click()
  front.mend()
  await expect(page.getByRole('radio').first()).toBeVisible({ timeout: 40_000 })
  const sheets = await page.evaluate(() => [...document.querySelectorAll('link[rel=stylesheet]')].map((link) => link.getAttribute('href')))
  expect(sheets.length).toBeGreaterThan(1)
  expect(sheets.findLastIndex((href) => href?.includes('/assets/base-'))).toBe(0)
})

test('a captive portal’s page is not taken for the app’s files', async ({ page, server, front, t }) => {
  const player = await newPlayer(server.url)
  const loads = countLoads(page)
  let given = 0
  front.bend(/^\/assets\/(base|core)-/, (...asked) => {
    given += 1
    captivePortal(...asked)
  })
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await expect(page.getByText(t('start:ForeignRetrying'))).toBeVisible()
  await expect(page.getByText(new RegExp(t('start:LoadingFiles', { here: '\\d+', all: '\\d+' })))).toBeHidden()
  // also on the retry
  await expect.poll(() => given).toBeGreaterThan(6)
  front.mend()
  await expect(page.getByRole('radio').first()).toBeVisible()
  expect(loads()).toBe(2)
})

test('a file that the server does not have, or has trouble to send, is not called a weak connection', async ({
  page,
  server,
  front,
  t,
}) => {
  const player = await newPlayer(server.url)
  const loads = countLoads(page)
  front.bend(/^\/assets\/base-/, fileMissing)
  front.bend(/^\/assets\/questionnaire-/, refuseWith(503, 'UNAVAILABLE'))
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  // the health page and the questionnaire, which reloads once for a file that is gone
  await expect.poll(loads).toBe(3)
  const status = page.getByRole('status').filter({ hasText: t('start:ForeignRetrying') })
  await expect(status).toBeVisible()
  await expectAccessible(page, 'the server has trouble')
  front.mend()
  await expect(page.getByRole('radio').first()).toBeVisible()
})

test('the questionnaire loads by itself over a slow, lossy connection that breaks twice', async ({ page, server, t }) => {
  const player = await newPlayer(server.url)
  const { SLOW_LINE_BITS: bits = '600000', SLOW_LINE_DELAY: delay = '40', SLOW_LINE_CUT: cutMs = '1000' } = process.env
  const line = await openWeakLine(server.url, { bitsPerSecond: Number(bits), delayMs: Number(delay), lostPercent: 20 })
  try {
    const loads = countLoads(page)
    await arriveAs(page, player, paths.test(player.instanceId), { origin: line.url })
    for (const files of ['[2-9]', '(?:[5-9]|1\\d)']) {
      // the connection breaks while files are being loaded
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

test('the first question does not wait for files that only other screens need', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  const asked = watchRequests(page, /^\/assets\//)
  await arriveAs(page, player, paths.test(player.instanceId))
  await expect(page.getByRole('radio').first()).toBeVisible()
  expect(asked.join(' ')).toContain('/assets/questionnaire-')
  const others = ['shared', 'queries', 'GlobalStyles'].map((name) => new RegExp(`^/assets/${name}-`))
  const asksFor = (name: RegExp) => asked.some((path) => name.test(path))
  expect(others.filter(asksFor)).toEqual([])
  // these files exist
  await page.goto(paths.profile())
  await expectScreen(page, t, 'profile', paths.profile())
  expect(others.filter(asksFor)).toEqual(others)
})
