import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { Api, type Person, type ScriptedQuestion } from './support/api.ts'
import { refuseWith, replyLost, type Front } from './support/front.ts'
import {
  arriveAs,
  askForCode,
  expect,
  expectAccessible,
  signOut,
  test,
  typeCode,
  untilWorkerIsThere,
  workerTest,
} from './support/journey.ts'
import { answerAll } from './support/questionnaire.ts'
import { SAVING } from './support/requests.ts'
import type { Words } from './support/words.ts'
import { begunPlayer, openFromMenu } from './support/this-device.ts'

/** What is said of a device when something is over: refused, taken back, discarded, sent. DEVICE-1, DEVICE-4, DEVICE-7 */

/** Answers while nothing is sent, and then reads at /device that the coach has taken the assessment back. */
async function answerARefused(page: Page, t: Words, front: Front, player: Person & { instanceId: string }, script: ScriptedQuestion[]) {
  front.bend(SAVING, refuseWith(500, 'INTERNAL'))
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await answerAll(page, t, script)
  await expect(page.getByText(t('assessment:TestSavedOnDevice', { count: script.length }))).toBeVisible()
  front.bend(SAVING, refuseWith(409, 'INSTANCE_RECLAIMED'))
  await page.goto(front.url + paths.device())
  await page.getByRole('button', { name: t('device:SendNow') }).click()
  await expect(page.getByRole('link', { name: t('device:OpenToDecide') })).toBeVisible()
}

async function discard(page: Page, t: Words, confirm: string) {
  await page.getByRole('button', { name: t('device:Discard') }).click()
  await page.getByRole('dialog').getByRole('button', { name: confirm }).click()
}

test('a guest is not told that signing in sends answers which the server refused', async ({ page, t, server, front }) => {
  const { player, script } = await begunPlayer(server.url)
  await answerARefused(page, t, front, player, script.slice(0, 1))
  await signOut(page, t)
  await page.getByRole('button', { name: t('leaving:KeepAndSignOut') }).click()
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  await page.goto(front.url + paths.device())
  await expect(page.getByRole('status').getByText(t('device:RefusedWaits'))).toBeVisible()
  await expect(page.getByText(t('device:WaitsForSignIn'))).toBeHidden()
})

test('an assessment taken back, of which nothing is here any more, is not offered as if it had results', async ({
  page,
  t,
  server,
  front,
}) => {
  const { player, script } = await begunPlayer(server.url, 1)
  await answerARefused(page, t, front, player, script.slice(1, 2))
  await expect(page.getByRole('link', { name: t('device:OpenToDecide') })).toHaveAttribute('href', paths.test(player.instanceId))
  await discard(page, t, t('device:DiscardConfirm', { count: 1 }))
  await expect(page.getByText(t('device:WaitingNothing'))).toBeVisible()
  await expect(page.getByRole('link', { name: t('device:OpenResults') })).toBeHidden()
})

const unreadable = refuseWith(403, 'FORBIDDEN')

test('a Submit that has arrived is not offered to be cancelled while its results cannot be read', async ({ page, t, server, front }) => {
  const { player, script } = await begunPlayer(server.url, 75)
  let isComplete = false
  front.bend(/\/complete$/, (_incoming, _reply, pass) => {
    isComplete = true
    pass()
  })
  front.bend(/sections=none/, (incoming, reply, pass) => (isComplete ? unreadable(incoming, reply, pass) : pass()))
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await expect(page.getByRole('radio').first()).toBeVisible()
  await answerAll(page, t, script.slice(-1))
  await page.getByRole('button', { name: t('assessment:TestSubmit') }).click()
  await expect.poll(() => isComplete).toBe(true)
  await page.goto(front.url + paths.device())
  const tryAgain = page.getByRole('button', { name: t('device:TryAgain') })
  await expect(tryAgain).toBeVisible()
  await expect(page.getByRole('button', { name: t('device:Discard') })).toBeHidden()
  front.mend()
  await tryAgain.click()
  await expect(page.getByText(t('device:AnswersRemoved'))).toBeVisible()
})

test('a Submit whose reply was lost waits for nothing once the account says that it is done', async ({ page, t, server, front }) => {
  const { player, script } = await begunPlayer(server.url, 75)
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await expect(page.getByRole('radio').first()).toBeVisible()
  await answerAll(page, t, script.slice(-1))
  let isSubmitted = false
  const lost = replyLost(server.url)
  front.bend(/\/complete$/, (incoming, reply, pass) => {
    if (isSubmitted) return refuseWith(500, 'INTERNAL')(incoming, reply, pass)
    isSubmitted = true
    lost(incoming, reply, pass)
  })
  await page.getByRole('button', { name: t('assessment:TestSubmit') }).click()
  await expect.poll(() => isSubmitted).toBe(true)
  await expect(page.getByText(t('assessment:TestFinishedConfirming'))).toBeVisible()
  await page.goto(front.url + paths.home())
  await expect(page.getByRole('link', { name: t('player:ViewResults') }).first()).toBeVisible()
  await openFromMenu(page, t)
  await expect(page.getByText(t('device:AnswersRemoved'))).toBeVisible()
  await expect(page.getByText(t('device:WaitingSubmits', { count: 1 }))).toBeHidden()
})

test('signing out does not wait for ever for a file of the app', async ({ page, t, server, front }) => {
  const { player } = await begunPlayer(server.url)
  // the files that count what is unsent never arrive
  front.bend(/assets\/.*(marks|dexie|draft)/i, () => undefined)
  await arriveAs(page, player, paths.home(), { origin: front.url })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await signOut(page, t)
  const dialog = page.getByRole('dialog', { name: t('leaving:UnknownTitle') })
  await expect(dialog).toBeVisible({ timeout: 20_000 })
  await dialog.getByRole('button', { name: t('leaving:KeepAndSignOut') }).click()
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible({ timeout: 25_000 })
})

workerTest('where no worker looks for updates, it is not said that there is none', async ({ page, t, server }) => {
  const { player } = await begunPlayer(server.url)
  await arriveAs(page, player, paths.device())
  await untilWorkerIsThere(page)
  const look = async () => page.getByRole('button', { name: t('device:VersionLook') }).click()
  await look()
  await expect(page.getByText(t('device:VersionNone'))).toBeVisible()
  await page.evaluate(async () => Promise.all((await navigator.serviceWorker.getRegistrations()).map(async (one) => one.unregister())))
  await look()
  await expect(page.getByText(t('device:VersionUnknown'))).toBeVisible()
  await expect(page.getByText(t('device:VersionNone'))).toBeHidden()
})

test('a database deleted under the open screen: it does not say that nothing waits', async ({ page, t, server, front }) => {
  const { player, script } = await begunPlayer(server.url)
  front.bend(SAVING, refuseWith(500, 'INTERNAL'))
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await answerAll(page, t, script.slice(0, 1))
  await expect(page.getByText(t('assessment:TestSavedOnDevice', { count: 1 }))).toBeVisible()
  await page.goto(front.url + paths.device())
  await expect(page.getByText(t('device:WaitingAnswers', { count: 1 }))).toBeVisible()
  await page.evaluate(
    () => new Promise((resolve) => indexedDB.deleteDatabase('touchline').addEventListener('success', () => resolve(undefined))),
  )
  await expect(page.getByRole('status').getByText(t('device:WaitingDeleted'))).toBeVisible()
  await expect(page.getByText(t('device:WaitingAnswers', { count: 1 }))).toBeHidden()
  await expect(page.getByText(t('device:WaitingNothing'))).toBeHidden()

  // nor does the sign-out go on as if nothing were lost
  await signOut(page, t)
  const dialog = page.getByRole('dialog', { name: t('leaving:DeletedTitle') })
  await expect(dialog.getByText(t('leaving:DeletedText'))).toBeVisible()
  await expect(dialog.getByRole('button', { name: t('leaving:Discard') })).toBeHidden()
  await expectAccessible(page, 'signing out after the database was deleted')
  await dialog.getByRole('button', { name: t('leaving:StaySignedIn') }).click()
  await expect(dialog).toBeHidden()
  await signOut(page, t)
  await dialog.getByRole('button', { name: t('leaving:SignOut') }).click()
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  // whoever signs in next, in the same page, has lost nothing
  const { player: next } = await begunPlayer(server.url)
  await askForCode(page, t, next.email)
  await typeCode(page, t, await new Api(server.url).code(next.email))
  await openFromMenu(page, t)
  await expect(page.getByText(t('device:WaitingNothing'))).toBeVisible()
  await expect(page.getByText(t('device:WaitingDeleted'))).toBeHidden()
  await signOut(page, t)
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
})
