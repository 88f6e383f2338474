import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { instancesForCoach } from '#contract/instances.coach.ts'
import { instances } from '#contract/instances.ts'
import { answersOf, newPlayer, responsesOf, scriptOf, storedAnswers } from './support/api.ts'
import { savedFile } from './support/answers-file.ts'
import { newCoach } from './support/coach.ts'
import { cut, refuseWith } from './support/front.ts'
import { arriveAs, expect, expectAccessible, goOffline, goOnline, test, untilWorkerIsThere, workerTest } from './support/journey.ts'
import { answer, answerAll, expectAnswered } from './support/questionnaire.ts'
import { give } from './support/tokens-panel.ts'
import { startOf, type Words } from './support/words.ts'
import { expectScreen } from './support/screens.ts'

/** The screens say what happened elsewhere, and offer nothing that cannot succeed. ANSWERS-3, ANSWERS-7, ANSWERS-14, ASSIGN-21 */

const heading = (page: Page, t: Words) => page.getByRole('heading', { name: t('assessment:TestTitle') })
const refusal = (page: Page) => page.getByRole('alert').filter({ has: page.getByRole('button') })
const open = (page: Page) => page.getByRole('radio', { disabled: false })

async function discard(page: Page, t: Words, count: number): Promise<void> {
  await page.getByRole('button', { name: t('assessment:TestDiscard') }).click()
  await page.getByRole('button', { name: t('assessment:TestDiscardConfirm', { count }) }).click()
}

test('an assessment taken back while the player answers: the questionnaire says so', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 1 })
  const player = await newPlayer(server.url, { hasBought: false })
  const instanceId = await give(coach, player.email)
  const [first, second] = scriptOf(await player.api.ask(instances.get, { params: { instanceId } }))
  if (!first || !second) throw new Error('no questions')
  await arriveAs(page, player, paths.test(instanceId))
  await answer(page, t, first)
  await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()
  await coach.api.ask(instancesForCoach.reclaim, { params: { instanceId }, query: {} })

  await answer(page, t, { ...second, items: second.items.slice(0, 1) })
  await expect(refusal(page).getByRole('paragraph')).toHaveText(
    'Not sent: This assessment was taken back, by your coach or because it was refunded. Your answers are kept on this device.',
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
  await expectScreen(page, t, 'home', paths.home())
  await page.goto(paths.test(instanceId))
  await expect(page.getByRole('alert')).toHaveText(t('errors:INSTANCE_RECLAIMED'))
  await expect(page.getByRole('radio')).toHaveCount(0)
})

workerTest(
  'an assessment taken back before it was begun: each of its screens says so, on a phone and offline too',
  async ({ page, t, server }) => {
    const coach = await newCoach(server.url, { tokens: 1 })
    const player = await newPlayer(server.url, { hasBought: false })
    const instanceId = await give(coach, player.email)
    await page.setViewportSize({ width: 390, height: 844 })
    await arriveAs(page, player, paths.home())
    await untilWorkerIsThere(page)
    await expect(page.getByText(t('home:StatusAllocated'))).toBeVisible()
    await coach.api.ask(instancesForCoach.reclaim, { params: { instanceId }, query: {} })

    const expectTakenBack = async (path: string) => {
      await page.goto(path)
      await expect(page.getByRole('alert')).toHaveText(t('errors:INSTANCE_RECLAIMED'))
      await expect(page.getByRole('link', { name: t('shell:ReturnToDashboard') })).toHaveAttribute('href', paths.home())
      await expectAccessible(page, path)
    }
    await page.evaluate(() => localStorage.setItem('smallScreenRead', '1'))
    for (const screen of [paths.brief, paths.confirmDetails, paths.test, paths.results]) await expectTakenBack(screen(instanceId))
    await page.evaluate(() => localStorage.removeItem('smallScreenRead'))
    await expectTakenBack(paths.brief(instanceId))
    await expect(page.getByRole('heading', { name: t('brief:BriefMobileTitle') })).toBeHidden()
    await goOffline(page, t)
    for (const path of [paths.brief(instanceId), paths.confirmDetails(instanceId)]) await expectTakenBack(path)
  },
)

workerTest('completed on another device while this one was offline: the screen links to the results', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  const { instanceId } = player
  const questions = await player.api.ask(instances.get, { params: { instanceId } })
  await arriveAs(page, player, paths.test(instanceId))
  await expect(heading(page, t)).toBeAttached()
  await goOffline(page, t)
  await answerAll(page, t, scriptOf(questions).slice(0, 2))
  await player.api.ask(instances.saveResponses, { body: { instanceId, responses: scriptOf(questions, 1).flatMap(responsesOf) } })
  await player.api.ask(instances.complete, { params: { instanceId } })

  await goOnline(page, t)
  const results = refusal(page).getByRole('link', { name: t('assessment:BriefDoneLink') })
  await expect(results).toBeVisible({ timeout: 30_000 })
  await expect(open(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: t('assessment:TryAgain') })).toBeHidden()
  await results.click()
  await expectScreen(page, t, 'results', paths.results(instanceId))

  // unsent answers stay until the player decides
  await page.goto(paths.test(instanceId))
  await expect(results).toBeVisible()
  await discard(page, t, 2)
  await expectScreen(page, t, 'results', paths.results(instanceId))
  await page.goto(paths.test(instanceId))
  await expectScreen(page, t, 'results', paths.results(instanceId))
})

const anotherVersion = refuseWith(409, 'CONTENT_VERSION_MISMATCH')

test('refused answers can be tried again, or discarded for those in the account', async ({ page, t, server, front }) => {
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

test.describe('one answer that the server refuses', () => {
  // requests are read here, which the worker would hide
  test('is named and waits alone: it can be retried, downloaded or discarded', async ({ page, t, server }) => {
    const player = await newPlayer(server.url)
    const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } })).slice(0, 4)
    const [first, refused, ...others] = script
    if (!first || !refused) throw new Error('no questions')
    let isRefused = true
    await page.route(/\/responses$/, async (route) => {
      if (!isRefused || !route.request().postData()?.includes(`"${refused.id}"`)) return route.fallback()
      await route.fulfill({ status: 400, contentType: 'application/json', body: '{"code":"INVALID_ANSWER","message":"-","requestId":"-"}' })
    })
    await arriveAs(page, player, paths.test(player.instanceId))
    await answerAll(page, t, script)
    const notice = page.getByRole('alert').filter({ hasText: startOf(t('assessment:TestPartNotSent', { count: 1 })) })
    await expect(notice).toContainText(t('errors:INVALID_ANSWER'))
    await expect(notice.getByRole('listitem')).toHaveText(t('parts:QuestionName', { section: 1, number: 2, question: refused.text }))
    await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf([first, ...others]))
    await expectAccessible(page, 'one refused')
    const { text } = await savedFile(page, notice.getByRole('button', { name: t('assessment:TestDownload') }))
    expect(text).toContain('4 answered questions')

    await page.reload()
    await notice.getByRole('button', { name: t('assessment:TestDiscard') }).click()
    await notice.getByRole('button', { name: t('assessment:TestDiscardConfirm', { count: 1 }) }).click()
    await expect(notice).toBeHidden()
    for (const question of [first, ...others]) await expectAnswered(page, t, question)
    await answer(page, t, refused)
    await expect(notice).toBeVisible()
    isRefused = false
    await notice.getByRole('button', { name: t('assessment:TryAgain') }).click()
    await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()
    expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script))
  })
})

workerTest(
  'nothing is discarded without a connection: the answers in the account stay on the screen',
  async ({ page, t, server, front }) => {
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
    // the connection breaks, which nobody has noticed yet
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
  },
)

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
