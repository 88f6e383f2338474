import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { answersOf, newPlayer, scriptOf, storedAnswers } from './support/api.ts'
import { savedFile } from './support/answers-file.ts'
import { cut, fileMissing, isNext, publishNext, refuseWith } from './support/front.ts'
import { arriveAs, expect, goOffline, workerTest as test, untilWorkerIsThere } from './support/journey.ts'
import { KillableBrowser } from './support/killable-browser.ts'
import { answer } from './support/questionnaire.ts'
import { countLoads } from './support/requests.ts'
import { expectScreen } from './support/screens.ts'
import { startOf } from './support/words.ts'

test('the app can be installed', async ({ server }) => {
  const browser = await KillableBrowser.make()
  try {
    const page = await browser.open()
    await page.goto(server.url + paths.login())
    await untilWorkerIsThere(page)
    const devtools = await page.context().newCDPSession(page)
    expect((await devtools.send('Page.getAppManifest')).errors).toEqual([])
    await expect.poll(async () => (await devtools.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([])
  } finally {
    await browser.throwAway()
  }
})

test('the app’s files and calls do not wait for the worker to start', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.home())
  await expect(page.getByText(t('player:ReadyForNoSignal'))).toBeVisible({ timeout: 30_000 })
  await page.goto(paths.profile())
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('profile:ProfileTitle'))
  const from = await page.evaluate(() =>
    // not yet in the types of the DOM
    (performance.getEntriesByType('resource') as (PerformanceResourceTiming & { workerFinalSourceType: string })[]).map(
      ({ name, workerFinalSourceType }) =>
        `${/\/(?:assets|api\/sports|api\/reference-data|api)\b/.exec(name)?.[0] ?? ''} ${workerFinalSourceType}`,
    ),
  )
  expect(from).toEqual(expect.arrayContaining(['/assets cache', '/api network']))
  expect(from).not.toContain('/assets fetch-event')
  expect(from).not.toContain('/api fetch-event')
})

test('every address opens without a connection after one visit', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  await page.goto(paths.login())
  await untilWorkerIsThere(page)
  await page.context().setOffline(true)
  for (const screen of ['login', 'onboard'] as const) {
    await page.goto(paths[screen]())
    await expectScreen(page, t, screen, paths[screen]())
  }
  await page.context().setOffline(false)
  await arriveAs(page, player, paths.home())
  await expect(page.getByText(t('player:ReadyForNoSignal'))).toBeVisible({ timeout: 30_000 })

  await page.context().setOffline(true)
  const { instanceId } = player
  const screens = [
    [paths.home(), t('home:HomeHeading', { name: 'Maya' })],
    [paths.profile(), t('profile:ProfileTitle')],
    [paths.about(), t('about:AboutTitle')],
    [paths.checkout('touchline-profile'), t('checkout:NoConnection')],
    [paths.payment('touchline-profile'), t('checkout:NoConnection')],
    [paths.coachConfirmDetails(), t('parts:ForCoaches')],
    [paths.purchaseToken(), t('parts:ForCoaches')],
    [paths.purchaseTokenPayment(3), t('parts:ForCoaches')],
    [paths.confirmDetails(instanceId), t('details:ConfirmDetailsTitle')],
    [paths.brief(instanceId), 'Touchline Profile'],
    [paths.test(instanceId), t('assessment:TestTitle')],
    [paths.results(instanceId), t('results:ResultsNotYetTitle')],
    [paths.directPurchaseReturn('cs_test'), t('stripe:NotVerifiedTitle')],
    [paths.tokenPurchaseReturn('cs_test'), t('parts:ForCoaches')],
    [paths.tokenPurchaseSuccessful(), t('parts:ForCoaches')],
  ] as const
  for (const [path, title] of screens) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: title }), path).toBeAttached()
  }
})

test('countries, and the cities of a country opened before, are available without a connection', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.home())
  await untilWorkerIsThere(page)
  await expect(page.getByText(t('player:ReadyForNoSignal'))).toBeVisible({ timeout: 30_000 })
  await page.goto(paths.confirmDetails(player.instanceId))
  const city = page.getByRole('combobox', { name: t('details:City') })
  await city.fill('toron')
  await expect(page.getByRole('option', { name: 'Toronto', exact: true })).toBeVisible()

  await goOffline(page, t)
  await page.reload()
  await city.fill('vancou')
  await page.getByRole('option', { name: 'Vancouver', exact: true }).click()
  await expect(city).toHaveValue('Vancouver')
  await page.getByRole('combobox', { name: t('details:Country') }).fill('Fran')
  await expect(page.getByRole('option', { name: 'France', exact: true })).toBeVisible()
})

/** A check begun at the start would count for this one: called until the update is found. */
const findUpdate = async () => {
  const registration = await navigator.serviceWorker.ready
  if (!registration.installing && !registration.waiting) await registration.update()
  return registration.waiting !== null
}

test('an update is not stored with the page of the build before it, which a CDN may still have', async ({ page, t, server, front }) => {
  test.setTimeout(240_000)
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.home(), { origin: front.url })
  await untilWorkerIsThere(page)
  publishNext(front, server.url)
  front.bend(/^\/index\.html/, (_, __, pass) => pass())
  const ended = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    for (;;) {
      await registration.update()
      const worker = registration.installing ?? registration.waiting
      if (!worker) continue
      while (worker.state === 'installing') await new Promise((resolve) => worker.addEventListener('statechange', resolve, { once: true }))
      return worker.state
    }
  })
  expect(ended).toBe('redundant')
  front.mend()
  publishNext(front, server.url)
  // the app tries again by itself, and offers it
  await page.getByRole('button', { name: t('shell:UpdateNow') }).click({ timeout: 90_000 })
  await expect.poll(() => page.evaluate(isNext).catch(() => false), { timeout: 30_000 }).toBe(true)
})

test('an update is offered on the dashboard and never in the questionnaire', async ({ page, t, server, front }) => {
  // every file of the second build has been fetched
  test.slow()
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await untilWorkerIsThere(page)
  const loads = countLoads(page)
  publishNext(front, server.url)
  await expect.poll(() => page.evaluate(findUpdate), { timeout: 60_000 }).toBe(true)
  const offer = page.getByRole('button', { name: t('shell:UpdateNow') })
  await expect(offer).toBeHidden()
  // the old app still works, including screens that were never opened
  await page.getByRole('button', { name: t('assessment:TestSaveAndExit') }).click()
  await expect(offer).toBeVisible()
  await page.getByRole('link', { name: t('shell:MenuAbout'), exact: true }).click()
  await expectScreen(page, t, 'about', front.url + paths.about())
  expect(loads()).toBe(0)
  expect(await page.evaluate(isNext)).toBe(false)

  await offer.click()
  await expect.poll(() => page.evaluate(isNext).catch(() => false), { timeout: 30_000 }).toBe(true)
  await expect(offer).toBeHidden()
  expect(loads()).toBe(1)
  await expect(page.getByText(player.email)).toBeVisible()
})

test('a page that stays open while another one takes the update still opens every screen', async ({ page, context, t, server, front }) => {
  // every file of the second build has been fetched
  test.slow()
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.home(), { origin: front.url })
  await expect(page.getByText(t('player:ReadyForNoSignal'))).toBeVisible({ timeout: 30_000 })
  publishNext(front, server.url)
  const other = await context.newPage()
  await other.goto(front.url + paths.home())
  await expect.poll(() => other.evaluate(findUpdate), { timeout: 60_000 }).toBe(true)
  await other.getByRole('button', { name: t('shell:UpdateNow') }).click()
  await expect.poll(() => other.evaluate(isNext).catch(() => false), { timeout: 30_000 }).toBe(true)

  await (await context.newCDPSession(page)).send('Network.clearBrowserCache')
  await context.setOffline(true)
  await page.bringToFront()
  await page.getByRole('link', { name: t('shell:MenuAbout'), exact: true }).click()
  await expectScreen(page, t, 'about', front.url + paths.about())
  expect(await page.evaluate(isNext)).toBe(false)

  // its files go with it
  await page.close()
  await other.reload()
  await expect
    .poll(() =>
      other.evaluate(async () =>
        (await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))).flat().map(({ url }) => url),
      ),
    )
    .not.toContainEqual(expect.stringMatching(/\/assets\/[^.]+\.(?:js|css)$/))
})

test('a version that the API refuses shows an error, which goes with the next successful reply', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url)
  const [first, second] = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  if (!first || !second) throw new Error('no questions')
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await untilWorkerIsThere(page)
  front.bend(/^\/api\/(?!health)/, refuseWith(426, 'UPDATE_REQUIRED'))
  await answer(page, t, first)
  await expect(page.getByText(t('shell:UpdateComing'))).toBeVisible()
  await expect(page.getByText(t('parts:TooOldToSend'))).toBeVisible()
  const { text } = await savedFile(page, page.getByRole('button', { name: t('parts:CannotSendDownload') }))
  expect(text).toContain('1 answered question,')
  await page.getByRole('button', { name: t('assessment:TestSaveAndExit') }).click()
  await expectScreen(page, t, 'home', front.url + paths.home())
  // there is no newer version to update to
  await expect(page.getByText(t('shell:UpdateComing'))).toBeVisible()
  await expect(page.getByRole('button', { name: t('shell:UpdateNow') })).toBeHidden()
  await expect(page.getByText(t('shell:Offline'))).toBeHidden()
  await expect(page.getByText(t('parts:TooOldToSend'))).toBeVisible()
  await expect(page.getByRole('button', { name: t('parts:CannotSendDownload') })).toBeVisible()
  front.mend()
  await page.goBack()
  await answer(page, t, second)
  await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()
  await expect(page.getByText(t('shell:UpdateComing'))).toBeHidden()
  await expect(page.getByText(t('parts:TooOldToSend'))).toBeHidden()
  await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf([first, second]))
})

test.describe('without the worker', () => {
  test.use({ serviceWorkers: 'block' })

  test('a screen whose file a deployment removed is shown after one reload', async ({ page, t, server, front }) => {
    const player = await newPlayer(server.url)
    await arriveAs(page, player, paths.home(), { origin: front.url })
    await expect(page.getByRole('link', { name: startOf(t('player:GoToAssessmentOf', { name: '' })) })).toBeVisible()
    // the dashboard has loaded everything: else the reload would be for that, and might swallow the click
    await page.waitForLoadState('networkidle')
    const loads = countLoads(page)
    publishNext(front, server.url)
    await page.getByRole('link', { name: t('shell:MenuProfile'), exact: true }).click()
    await expect.poll(() => page.evaluate(isNext).catch(() => false)).toBe(true)
    await expectScreen(page, t, 'profile', front.url + paths.profile())
    expect(loads()).toBe(1)
  })

  test('a screen whose file stays missing shows an error and does not reload again', async ({ page, t, server, front }) => {
    const player = await newPlayer(server.url)
    await arriveAs(page, player, paths.home(), { origin: front.url })
    await expect(page.getByRole('link', { name: startOf(t('player:GoToAssessmentOf', { name: '' })) })).toBeVisible()
    const loads = countLoads(page)
    front.bend(/\/assets\/profile\.screen/, fileMissing)
    await page.getByRole('link', { name: t('shell:MenuProfile'), exact: true }).click()
    await expect(page.getByRole('heading', { name: t('shell:UnexpectedApplicationError') })).toBeVisible()
    expect(loads()).toBeLessThanOrEqual(1)
    front.mend()
    await page.getByRole('button', { name: t('shell:Reload') }).click()
    await expectScreen(page, t, 'profile', front.url + paths.profile())
  })

  test('a screen that cannot be fetched because the line has gone is not said to be no page of the app', async ({
    page,
    t,
    server,
    front,
  }) => {
    const player = await newPlayer(server.url)
    await arriveAs(page, player, paths.home(), { origin: front.url })
    await expect(page.getByRole('link', { name: startOf(t('player:GoToAssessmentOf', { name: '' })) })).toBeVisible()
    await page.waitForLoadState('networkidle')
    const loads = countLoads(page)
    front.bend(/./, cut)
    await page.getByRole('link', { name: t('shell:MenuProfile'), exact: true }).click()
    await expect(page.getByRole('heading', { name: t('shell:UnexpectedApplicationError') })).toBeVisible()
    expect(loads()).toBe(0)
    front.mend()
    // by itself
    await expectScreen(page, t, 'profile', front.url + paths.profile(), { timeout: 45_000 })
  })
})
