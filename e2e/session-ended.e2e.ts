import type { Page } from '@playwright/test'
import { RELOADED_KEY } from '#app/constants.ts'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { Api, answersOf, newPlayer, scriptOf, storedAnswers } from './support/api.ts'
import { cut } from './support/front.ts'
import { arriveAs, expect, goOffline, goOnline, signInHere, test, untilWorkerIsThere, workerTest } from './support/journey.ts'
import { answerAll, expectAnswered } from './support/questionnaire.ts'
import { expectScreen } from './support/screens.ts'
import { openSlowly } from './support/slow-tab.ts'
import { startOf } from './support/words.ts'

/** A session that the server has ended while answers are on the device. SESSION-10 */

/** The part of the app that stores and sends answers. */
const DEVICE_CHUNK = /\/assets\/sending-/

workerTest('a session ended by the server leads to the sign-in and loses no answer', async ({ page, t, api, server }) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  await arriveAs(page, player, paths.test(player.instanceId))
  await expect(page.getByRole('group', { name: script[0]?.text ?? '', exact: true })).toBeVisible()
  await goOffline(page, t)
  await answerAll(page, t, script.slice(0, 3))
  await expect(page.getByText(t('assessment:TestSavedOnDevice', { count: 3 }))).toBeVisible()
  await signOutElsewhere(player.api.url, player.accessToken)
  await page.context().setOffline(false)
  await expectScreen(page, t, 'login', paths.login(), { timeout: 30_000 })
  await expect(page.getByText(t('shell:SessionEnded'))).toBeVisible()
  await expect(page.getByText(t('device:WaitsForSignIn'))).toBeVisible()
  // the phone was in a pocket: the message is still there, and is not an error
  await page.reload()
  await expect(page.getByText(t('shell:SessionEnded'))).toBeVisible()
  await expect(page.getByText(t('device:WaitsForSignIn'))).toBeVisible()
  await expect(page.getByText(t('ui:Error'), { exact: true })).toBeHidden()
  // also for whoever opens the app anew
  const other = await page.context().newPage()
  await other.goto(paths.home())
  await expect(other.getByText(t('device:WaitsForSignIn'))).toBeVisible()
  await other.close()
  await signInHere(page, t, api, player.email)
  await expectScreen(page, t, 'test', paths.test(player.instanceId))
  await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()
  for (const question of script.slice(0, 3)) await expectAnswered(page, t, question)
  const accessToken = (await page.evaluate(() => localStorage.getItem('accessToken'))) ?? ''
  const now = { ...player, api: new Api(server.url, accessToken) }
  expect(await storedAnswers(now, player.instanceId)).toEqual(answersOf(script.slice(0, 3)))
})

for (const [screen, pathOf] of [
  ['profile', () => paths.profile()],
  ['test', paths.test],
] as const) {
  test(`a link to the ${screen} screen that still loads while another tab learns of the end is opened after the sign-in`, async ({
    page,
    context,
    t,
    api,
    server,
  }) => {
    const player = await newPlayer(server.url)
    await arriveAs(page, player, paths.home())
    const target = server.url + pathOf(player.instanceId)
    const { tab, open } = await openSlowly(context, target)
    await expect.poll(() => tab.evaluate(() => history.state)).not.toBeNull()
    await signOutElsewhere(player.api.url, player.accessToken)
    await page.bringToFront()
    await page.reload()
    await expectScreen(page, t, 'login', server.url + paths.login())
    await tab.bringToFront()
    open()
    await signInHere(tab, t, api, player.email)
    await expectScreen(tab, t, screen, target)
  })
}

test('two tabs on two screens are there again, whichever the owner signs in again in', async ({ page, context, t, api, server }) => {
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.test(player.instanceId))
  const other = await context.newPage()
  await other.goto(server.url + paths.profile())
  await expectScreen(other, t, 'profile', server.url + paths.profile())
  await signOutElsewhere(player.api.url, player.accessToken)
  await page.bringToFront()
  await page.reload()
  for (const tab of [page, other]) {
    await expectScreen(tab, t, 'login', server.url + paths.login())
    await expect(tab.getByText(t('shell:SessionEnded'))).toBeVisible()
  }
  await signInHere(page, t, api, player.email)
  await expectScreen(page, t, 'test', server.url + paths.test(player.instanceId))
  await expectScreen(other, t, 'profile', server.url + paths.profile())
})

test('a reload that loses the history’s state as the session ends says so, and keeps the screen for its owner', async ({
  page,
  context,
  t,
  api,
  server,
}) => {
  // this tab hears of nothing, as one that is just being reloaded
  await page.addInitScript(() => {
    addEventListener('storage', (event) => {
      event.stopImmediatePropagation()
    })
  })
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.profile())
  await expectScreen(page, t, 'profile', server.url + paths.profile())
  // nor does a call of its own tell it
  const calls = '**/api/**'
  await page.route(calls, (route) => route.abort())
  const other = await context.newPage()
  await other.goto(server.url + paths.home())
  await expectScreen(other, t, 'home', server.url + paths.home())
  await signOutElsewhere(player.api.url, player.accessToken)
  await other.reload()
  await expectScreen(other, t, 'login', server.url + paths.login())
  await page.evaluate(() => {
    History.prototype.replaceState.call(history, null, '')
  })
  await page.unroute(calls)
  await page.reload()
  await expect(page.getByText(t('shell:SessionEnded'))).toBeVisible()
  await signInHere(page, t, api, player.email)
  await expectScreen(page, t, 'profile', server.url + paths.profile())
})

test('what each of two tabs has in a form is there again after the session ended, a reload and the sign-in', async ({
  page,
  context,
  t,
  api,
  server,
}) => {
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.profile())
  const firstName = (tab: Page) => tab.getByLabel(t('details:FirstName'))
  const other = await context.newPage()
  await other.goto(server.url + paths.profile())
  await firstName(other).fill('Other')
  await page.bringToFront()
  await firstName(page).fill('Mine')
  await other.bringToFront()
  await signOutElsewhere(player.api.url, player.accessToken)
  await other.reload()
  await expectScreen(other, t, 'login', server.url + paths.login())
  await page.bringToFront()
  await page.reload()
  await signInHere(page, t, api, player.email)
  await expect(firstName(page)).toHaveValue('Mine')
  await other.bringToFront()
  await other.goto(server.url + paths.profile())
  await expect(firstName(other)).toHaveValue('Other')
})

workerTest(
  'the rest of the app, the answers and the worker follow after a connection lost while loading',
  async ({ page, t, server, front }) => {
    const player = await newPlayer(server.url)
    const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
    const isLost = [DEVICE_CHUNK, /\/assets\/worker-/].map((part) =>
      page.waitForEvent('requestfailed', (request) => part.test(request.url())),
    )
    // the page was reloaded for a missing file a moment ago, so it does not do so again
    await page.addInitScript((key) => sessionStorage.setItem(key, String(Date.now())), RELOADED_KEY)
    front.bend(/^\/assets\/(sending|worker)-/, cut)
    await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
    await Promise.all(isLost)
    await answerAll(page, t, script.slice(0, 2))
    await goOffline(page, t)
    front.mend()
    await goOnline(page, t)
    await expect.poll(() => storedAnswers(player, player.instanceId), { timeout: 20_000 }).toEqual(answersOf(script.slice(0, 2)))
    await untilWorkerIsThere(page)
  },
)

async function signOutElsewhere(url: string, bearer: string): Promise<void> {
  const response = await fetch(`${url}/api/user/auth/logout`, { method: 'POST', headers: { authorization: `Bearer ${bearer}` } })
  expect(response.ok).toBe(true)
}
