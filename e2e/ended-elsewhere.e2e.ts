import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { coach as calls } from '#contract/coach.ts'
import { instances } from '#contract/instances.ts'
import { newPlayer, responsesOf, scriptOf, storedAnswers } from './support/api.ts'
import { newCoach } from './support/coach.ts'
import { cut, type Answer } from './support/front.ts'
import { arriveAs, expect, goOffline, goOnline, test, untilWorkerIsThere } from './support/journey.ts'
import { answer, answerAll, expectAnswered } from './support/questionnaire.ts'
import { give } from './support/tokens-panel.ts'
import { startOf, type Words } from './support/words.ts'
import { expectScreen } from './support/screens.ts'

/** What became of an assessment elsewhere is said here, and nothing is offered that cannot succeed. Rulings 12, 13, 15, 16 */

const heading = (page: Page, t: Words) => page.getByRole('heading', { name: t('assessment:TestTitle') })
const refusal = (page: Page) => page.getByRole('alert').filter({ has: page.getByRole('button') })
const open = (page: Page) => page.getByRole('radio', { disabled: false })

async function discard(page: Page, t: Words, count: number): Promise<void> {
  await page.getByRole('button', { name: t('assessment:TestDiscard') }).click()
  await page.getByRole('button', { name: t('assessment:TestDiscardConfirm', { count }) }).click()
}

test('taken back by the coach while one answers', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 1 })
  const player = await newPlayer(server.url, { hasBought: false })
  const instanceId = await give(coach, player.email)
  const [first, second] = scriptOf(await player.api.ask(instances.get, { params: { instanceId } }))
  if (!first || !second) throw new Error('no questions')
  await arriveAs(page, player, paths.test(instanceId))
  await answer(page, t, first)
  await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()
  await coach.api.ask(calls.instances.reclaim, { params: { instanceId }, query: {} })

  await answer(page, t, { ...second, items: second.items.slice(0, 1) })
  await expect(refusal(page).getByRole('paragraph')).toHaveText(
    'Not sent: Your coach has taken this assessment back. Your answers are kept on this device.',
  )
  await expect(heading(page, t)).toBeFocused()
  await expect(open(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: t('assessment:TryAgain') })).toBeHidden()
  await expect(page.getByRole('button', { name: t('assessment:TestSaveAndExit') })).toBeHidden()
  await page.getByRole('tab', { name: t('assessment:TestSection', { number: 3 }) }).click()
  await expect(page.getByRole('button', { name: t('assessment:TestSaveLeft', { count: 107 }) })).toBeHidden()
  await expect(refusal(page).getByRole('link', { name: t('assessment:ReturnToDashboard') })).toHaveAttribute('href', paths.home())

  await page.reload()
  await discard(page, t, 1)
  await expect(page).toHaveURL(paths.home())
  await page.goto(paths.test(instanceId))
  await expect(page.getByRole('alert')).toHaveText(t('errors:INSTANCE_RECLAIMED'))
  await expect(page.getByRole('radio')).toHaveCount(0)
})

test('completed on another device while this one was offline', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  const { instanceId } = player
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId } }))
  await arriveAs(page, player, paths.test(instanceId))
  await expect(heading(page, t)).toBeAttached()
  await goOffline(page, t)
  await answerAll(page, t, script.slice(0, 2))
  await player.api.ask(instances.saveResponses, { body: { instanceId, responses: script.flatMap(responsesOf) } })
  await player.api.ask(instances.complete, { params: { instanceId } })

  await goOnline(page, t)
  const results = refusal(page).getByRole('link', { name: t('assessment:BriefDoneLink') })
  await expect(results).toBeVisible({ timeout: 30_000 })
  await expect(open(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: t('assessment:TryAgain') })).toBeHidden()
  await results.click()
  await expect(page).toHaveURL(paths.results(instanceId))

  // what was not sent stays until the player decides
  await page.goto(paths.test(instanceId))
  await expect(results).toBeVisible()
  await discard(page, t, 2)
  await expectScreen(page, t, 'results', paths.results(instanceId))
  await page.goto(paths.test(instanceId))
  await expectScreen(page, t, 'results', paths.results(instanceId))
})

const anotherVersion: Answer = (_, reply) => {
  reply.writeHead(409, { 'content-type': 'application/json' }).end('{"code":"CONTENT_VERSION_MISMATCH","message":"-","requestId":"-"}')
}

test('a refusal that need not be the last: tried again, or what was not sent given up for what the account has', async ({
  page,
  t,
  server,
  front,
}) => {
  const player = await newPlayer(server.url, { questions: 1 })
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  const [, second, third] = script
  if (!second || !third) throw new Error('no questions')
  const saving = /^\/api\/assessment\/assessment-instance\/responses/
  const saved = page.getByText(startOf(t('assessment:TestSavedToAccount')))
  front.bend(saving, anotherVersion)
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await answer(page, t, second)
  const tryAgain = page.getByRole('button', { name: t('assessment:TryAgain') })
  await expect(tryAgain).toBeVisible()
  front.mend()
  await tryAgain.click()
  await expect(saved).toBeVisible()
  await expect(heading(page, t)).toBeFocused()

  front.bend(saving, anotherVersion)
  await answer(page, t, third)
  await expect(tryAgain).toBeVisible()
  await discard(page, t, 1)
  await expect(refusal(page)).toBeHidden()
  await expect(heading(page, t)).toBeFocused()
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(8)
  expect(Object.keys(await storedAnswers(player, player.instanceId))).toHaveLength(8)
})

test('without a line nothing is discarded: what the account has stays on the screen', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url)
  const [first, second, third] = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  if (!first || !second || !third) throw new Error('no questions')
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await untilWorkerIsThere(page)
  await answer(page, t, first)
  await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()
  front.bend(/\/responses/, anotherVersion)
  await answer(page, t, second)
  await expect(page.getByRole('button', { name: t('assessment:TestDiscard') })).toBeVisible()
  const answered = await page.getByRole('radio', { checked: true }).count()
  // the line breaks, unseen so far
  front.bend(/^\/api\/assessment/, cut)
  await discard(page, t, 1)
  await expect(page.getByText(t('errors:FETCH_ERROR'))).toBeVisible()
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(answered)
  await goOffline(page, t)
  await expect(page.getByRole('button', { name: t('assessment:TestDiscardConfirm', { count: 1 }) })).toHaveAccessibleDescription(
    t('ui:OnlineOnlyReason'),
  )
  await page.reload()
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(answered)
  front.mend()
  await goOnline(page, t)
  await discard(page, t, 1)
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(answered / 2)
  await expectAnswered(page, t, first)
})

test('Send now tries again what was refused', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url, { questions: 76 })
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  front.bend(/\/complete$/, anotherVersion)
  await page.getByRole('button', { name: t('assessment:TestSubmit') }).click()
  await expect(page.getByRole('alert')).toHaveText(startOf(t('assessment:TestNotSent')))
  front.mend()
  await page.getByRole('button', { name: t('assessment:TestSendNow') }).click()
  await expectScreen(page, t, 'results', front.url + paths.results(player.instanceId))
})
