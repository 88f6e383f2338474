import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { newPlayer } from './support/api.ts'
import { gone, isNext, publishNext } from './support/front.ts'
import { arriveAs, expect, goOffline, test, untilWorkerIsThere } from './support/journey.ts'
import { ProfileBrowser } from './support/profile.ts'
import { startOf } from './support/words.ts'

test('it can be installed', async ({ server }) => {
  const browser = await ProfileBrowser.make()
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

test('after one visit every address opens without a connection', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  await page.goto(paths.login())
  await untilWorkerIsThere(page)
  await page.context().setOffline(true)
  for (const path of [paths.login(), paths.onboard()]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page).toHaveURL(path)
  }
  await page.context().setOffline(false)
  await arriveAs(page, player, paths.home())
  await expect(page.getByText(t('home:ReadyForNoSignal'))).toBeVisible({ timeout: 30_000 })

  await page.context().setOffline(true)
  const { instanceId } = player
  const screens = [
    paths.home(),
    paths.profile(),
    paths.about(),
    paths.checkout('touchline-profile'),
    paths.payment('touchline-profile'),
    paths.coachConfirmDetails(),
    paths.purchaseToken(),
    paths.purchaseTokenPayment(3),
    paths.confirmDetails(instanceId),
    paths.brief(instanceId),
    paths.test(instanceId),
    paths.results(instanceId),
    paths.directPurchaseReturn('cs_test'),
    paths.tokenPurchaseReturn('cs_test'),
    paths.tokenPurchaseSuccessful(),
  ]
  for (const path of screens) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible()
    await expect(page.getByRole('heading', { name: t('shell:UnexpectedApplicationError') }), path).toBeHidden()
    await expect(page, path).not.toHaveURL(/\/auth\//)
  }
})

test('countries and the cities of a country once opened are there without a connection', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.home())
  await untilWorkerIsThere(page)
  await expect(page.getByText(t('home:ReadyForNoSignal'))).toBeVisible({ timeout: 30_000 })
  await page.goto(paths.confirmDetails(player.instanceId))
  const city = page.getByRole('combobox', { name: t('parts:City') })
  await city.fill('toron')
  await expect(page.getByRole('option', { name: 'Toronto', exact: true })).toBeVisible()

  await goOffline(page, t)
  await page.reload()
  await city.fill('vancou')
  await page.getByRole('option', { name: 'Vancouver', exact: true }).click()
  await expect(city).toHaveValue('Vancouver')
  await page.getByRole('combobox', { name: t('parts:Country') }).fill('Fran')
  await expect(page.getByRole('option', { name: 'France', exact: true })).toBeVisible()
})

test('an update waits for the dashboard, and never shows in the questionnaire', async ({ page, t, server, front }) => {
  // every file of the second build is fetched
  test.slow()
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await untilWorkerIsThere(page)
  const loads = countLoads(page)
  publishNext(front, server.url)
  // a look that is still under way from the start would answer for this one: look until it is found
  const found = async () => {
    const registration = await navigator.serviceWorker.ready
    if (!registration.installing && !registration.waiting) await registration.update()
    return registration.waiting !== null
  }
  await expect.poll(() => page.evaluate(found), { timeout: 60_000 }).toBe(true)
  const offer = page.getByRole('button', { name: t('shell:UpdateNow') })
  await expect(offer).toBeHidden()
  // the old app goes on whole, its screens that were never opened included
  await page.getByRole('button', { name: t('assessment:TestSaveAndExit') }).click()
  await expect(offer).toBeVisible()
  await page.getByRole('link', { name: t('shell:MenuAbout'), exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(loads()).toBe(0)
  expect(await page.evaluate(isNext)).toBe(false)

  await offer.click()
  await expect.poll(() => page.evaluate(isNext).catch(() => false), { timeout: 30_000 }).toBe(true)
  await expect(offer).toBeHidden()
  expect(loads()).toBe(1)
  await expect(page.getByText(player.email)).toBeVisible()
})

test.describe('without the worker', () => {
  test.use({ serviceWorkers: 'block' })

  test('a screen that a deployment took away comes back with one reload', async ({ page, t, server, front }) => {
    const player = await newPlayer(server.url)
    await arriveAs(page, player, paths.home(), { origin: front.url })
    await expect(page.getByRole('link', { name: startOf(t('home:GoToAssessmentOf', { name: '' })) })).toBeVisible()
    // what the dashboard loads by itself is there: else that is what the reload is for, and it may swallow the click
    await page.waitForLoadState('networkidle')
    const loads = countLoads(page)
    publishNext(front, server.url)
    await page.getByRole('link', { name: t('shell:MenuProfile'), exact: true }).click()
    await expect.poll(() => page.evaluate(isNext).catch(() => false)).toBe(true)
    await expect(page).toHaveURL(front.url + paths.profile())
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(loads()).toBe(1)
  })

  test('one that stays away ends in words, not in a loop', async ({ page, t, server, front }) => {
    const player = await newPlayer(server.url)
    await arriveAs(page, player, paths.home(), { origin: front.url })
    await expect(page.getByRole('link', { name: startOf(t('home:GoToAssessmentOf', { name: '' })) })).toBeVisible()
    const loads = countLoads(page)
    front.bend(/\/assets\/profile\.screen/, gone)
    await page.getByRole('link', { name: t('shell:MenuProfile'), exact: true }).click()
    await expect(page.getByRole('heading', { name: t('shell:UnexpectedApplicationError') })).toBeVisible()
    expect(loads()).toBeLessThanOrEqual(1)
    front.mend()
    await page.getByRole('button', { name: t('shell:Reload') }).click()
    await expect(page.getByRole('heading', { name: t('shell:UnexpectedApplicationError') })).toBeHidden()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })
})

function countLoads(page: Page): () => number {
  let loads = 0
  page.on('load', () => (loads += 1))
  return () => loads
}
