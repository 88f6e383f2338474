import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { answersOf, signInByApi, storedAnswers } from './support/api.ts'
import { installClock } from './support/clock.ts'
import { SAVING } from './support/requests.ts'
import { DEMO_COACH } from './support/team-panel.ts'
import { refuseWith, tooLarge, type Bend, type Front } from './support/front.ts'
import { arriveAs, expect, expectAccessible, signOut, test } from './support/journey.ts'
import { begunPlayer, openFromMenu, untilQuestionsAreStored } from './support/this-device.ts'
import { answer, answerAll } from './support/questionnaire.ts'
import { anyOf, type Words } from './support/words.ts'

/** A server that takes no answers: where that is said, why, and until when. DEVICE-1, DEVICE-2 */

test('a server that takes no answers is named on every screen; sending is tried at a tap, and works once it is well', async ({
  page,
  t,
  server,
  front,
}) => {
  const { player, script } = await begunPlayer(server.url)
  const [first] = script
  if (!first) throw new Error('no questions')
  const clock = await installClock(page)
  front.bend(SAVING, refuseWith(500, 'INTERNAL'))
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await answer(page, t, first)
  const strip = page.getByText(anyOf(t('shell:NotTaken', { time: 'ANY' })))
  await clock.passUntil(() => strip.isVisible())
  await strip.getByRole('link', { name: t('shell:SeeWhatWaits') }).click()
  await expect(page.getByText(t('device:WaitingAnswers', { count: 1 }))).toBeVisible()
  await expect(page.getByText(anyOf(t('device:ConnectionTrouble', { time: 'ANY' })))).toBeVisible()
  await page.getByRole('button', { name: t('device:SendNow') }).click()
  // why is said under "Connection", and not once more in the alert
  await expect(page.getByRole('alert')).toHaveText(t('device:SendFailed'))
  await expect(page.getByText(t('device:SendFailedWhyBelow'))).toBeVisible()
  await expectAccessible(page, 'this device, in trouble')
  front.mend()
  await clock.passUntil(() => page.getByText(t('device:WaitingNothing')).isVisible())
  expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf([first]))
  await expect(strip).toBeHidden()
})

/** Answers questions that the server does not take, until every screen says so. */
async function answerInTrouble(page: Page, t: Words, front: Front, questions: number) {
  const { player, script } = await begunPlayer(front.url)
  const clock = await installClock(page)
  front.bend(SAVING, refuseWith(500, 'INTERNAL'))
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await answerAll(page, t, script.slice(0, questions))
  const strip = page.getByText(anyOf(t('shell:NotTaken', { time: 'ANY' })))
  await clock.passUntil(() => strip.isVisible())
  return { player, script, strip }
}

test('a server that takes no answers is no longer named once what waited is discarded', async ({ page, t, front }) => {
  const { strip } = await answerInTrouble(page, t, front, 1)
  await strip.getByRole('link', { name: t('shell:SeeWhatWaits') }).click()
  await page.getByRole('button', { name: t('device:Discard') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: t('device:DiscardConfirm', { count: 1 }) }).click()
  await expect(page.getByText(t('device:WaitingNothing'))).toBeVisible()
  await expect(strip).toBeHidden()
})

test('a server that takes no answers is no longer named once another tab has sent them', async ({ page, context, t, front }) => {
  const { strip } = await answerInTrouble(page, t, front, 1)
  front.mend()
  // sends what waits when it starts
  const other = await context.newPage()
  await other.goto(front.url + paths.device())
  await expect(other.getByText(t('device:WaitingNothing'))).toBeVisible()
  await expect(strip).toBeHidden()
})

test('a server that takes no answers is not named to the next person', async ({ page, t, front }) => {
  const { strip } = await answerInTrouble(page, t, front, 1)
  await strip.getByRole('link', { name: t('shell:SeeWhatWaits') }).click()
  await signOut(page, t)
  await page.getByRole('button', { name: t('leaving:KeepAndSignOut') }).click()
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  await expect(strip).toBeHidden()
})

const CAUSES: [string, Bend, string][] = [
  ['our own error', refuseWith(500, 'INTERNAL'), 'TroubleServer'],
  ['a proxy’s page', tooLarge, 'TroubleBetween'],
  ['a limit', refuseWith(429, 'TOO_MANY_REQUESTS', { 'retry-after': '3600' }), 'TroubleBusy'],
  ['an overload', refuseWith(503, 'OVERLOADED', { 'retry-after': '5' }), 'TroubleCrowded'],
]
/** The server said how long to wait, so the screen says by when the app tries again. */
const HAS_TIME = new Set(['TroubleBusy', 'TroubleCrowded'])

for (const [name, bend, words] of CAUSES) {
  test(`Send now says why nothing could be sent: ${name}`, async ({ page, t, front }) => {
    const { player, script } = await begunPlayer(front.url)
    front.bend(SAVING, bend)
    await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
    await answerAll(page, t, script.slice(0, 1))
    await page.goto(front.url + paths.device())
    await page.getByRole('button', { name: t('device:SendNow') }).click()
    const again = HAS_TIME.has(words) ? ` ${t('device:AgainBy', { time: 'ANY' })}` : ''
    await expect(page.getByRole('alert')).toHaveText(t('device:SendFailed'))
    await expect(page.getByText(anyOf(t(`device:${words}`) + again))).toBeVisible()
  })
}

test('Send now says why the session could not be renewed, and not that the connection is weak', async ({ page, t, front }) => {
  const { player, script } = await begunPlayer(front.url)
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await untilQuestionsAreStored(page, player.instanceId)
  front.bend(/auth\/refresh/, refuseWith(500, 'INTERNAL'))
  await page.evaluate(() => localStorage.setItem('expiresAt', String(Date.now() - 1000)))
  await page.reload()
  await answerAll(page, t, script.slice(0, 1))
  await page.goto(front.url + paths.device())
  await page.getByRole('button', { name: t('device:SendNow') }).click()
  await expect(page.getByRole('alert')).toHaveText(t('device:SendFailed'))
  await expect(page.getByText(t('device:TroubleServer'))).toBeVisible()
})

test('the alert of Send now keeps its words, and why follows what is so now', async ({ page, t, front }) => {
  const { player, script } = await begunPlayer(front.url)
  front.bend(SAVING, refuseWith(500, 'INTERNAL'))
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await answerAll(page, t, script.slice(0, 1))
  await page.goto(front.url + paths.device())
  await page.getByRole('button', { name: t('device:SendNow') }).click()
  const alert = page.getByRole('alert')
  await expect(alert).toHaveText(t('device:SendFailed'))
  await expect(page.getByText(t('device:TroubleServer'))).toBeVisible()
  await alert.evaluate((said) => {
    new MutationObserver(() => said.setAttribute('data-changed', '')).observe(said, { childList: true, characterData: true, subtree: true })
  })
  await page.context().setOffline(true)
  await expect(page.getByText(t('device:SendFailedWhyBelow'))).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText(t('device:TroubleServer'))).toBeHidden()
  await expect(alert).toHaveText(t('device:SendFailed'))
  await expect(alert).not.toHaveAttribute('data-changed')
})

test('a version that the server refused is said to be too old for as long as it is, also where nothing is sent', async ({
  page,
  t,
  server,
  front,
}) => {
  const { player, script } = await begunPlayer(server.url)
  const calls = /^\/api\/(?!health)/
  const tooOld = () => front.bend(calls, refuseWith(426, 'UPDATE_REQUIRED'))
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await expect(page.getByRole('button', { name: t('assessment:TestSaveAndExit') })).toBeVisible()
  tooOld()
  await answerAll(page, t, script.slice(0, 1))
  await page.getByRole('link', { name: t('shell:SeeWhatWaits') }).click()
  await page.getByRole('button', { name: t('device:SendNow') }).click()
  await expect(page.getByRole('alert')).toHaveText(t('device:SendFailed'))
  await expect(page.getByText(t('device:SendFailedWhyBelow'))).toBeVisible()

  front.mend()
  const coach = await signInByApi(server.url, DEMO_COACH)
  await arriveAs(page, coach, paths.home(), { origin: front.url })
  await openFromMenu(page, t)
  await expect(page.getByText(t('device:WaitingNothingCoach'))).toBeVisible()
  tooOld()
  await page.getByRole('link', { name: t('shell:MenuProfile'), exact: true }).click()
  const strip = page.getByText(t('shell:UpdateComing'))
  await expect(strip).toBeVisible()
  await openFromMenu(page, t)
  front.mend()
  await page.getByRole('button', { name: t('device:CheckNow') }).click()
  await expect(strip).toBeHidden()
})
