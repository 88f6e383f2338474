import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { instances, ownResults } from '#contract/instances.ts'
import { answersOf, newPlayer, responsesOf, scriptOf, storedAnswers, type Person, type ScriptedQuestion } from './support/api.ts'
import { arriveAs, expect, expectAccessible, gate, goOffline, goOnline, test, untilWorkerIsThere, workerTest } from './support/journey.ts'
import { answer, answerAll, show, takeTimeToRead } from './support/questionnaire.ts'
import { expectScreen } from './support/screens.ts'
import { wordsOf, type Words } from './support/words.ts'

/** Answers that nobody read are pointed out before Submit and beside the result. QUESTIONS-22, RESULTS-15 */

/** A player whose answers are stored, all but the last question: those of these sections all in one column. */
async function inOneColumn(url: string, ...sections: number[]) {
  const player = await newPlayer(url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  const straight = script.map((question) => (sections.includes(question.section) ? likeTheFirst(script, question) : question))
  const last = straight.at(-1)
  if (!last) throw new Error('no question')
  const responses = straight.slice(0, -1).flatMap(responsesOf)
  await player.api.ask(instances.saveResponses, { body: { instanceId: player.instanceId, responses } })
  return { player, script: straight, last }
}

/** The same values in the same places as in the first question of its section. */
function likeTheFirst(script: readonly ScriptedQuestion[], question: ScriptedQuestion): ScriptedQuestion {
  const first = script.find(({ section }) => section === question.section)
  return { ...question, items: question.items.map((item, at) => ({ ...item, ...valueOf(first?.items[at]) })) }
}

const valueOf = ({ value, says } = { value: '', says: '' }) => ({ value, says })

/** the panel and its words */
const DOUBTS_FILES = /^\/assets\/(?:answer-)?doubts-[^/]*\.js$/
const panelOf = (page: Page, t: Words) => page.getByRole('region', { name: t('doubts:DoubtsTitle') })
const submitOf = (page: Page, t: Words) => page.getByRole('button', { name: t('assessment:TestSubmit'), exact: true })
const doubtsOfResult = async ({ api }: Person, instanceId: string) =>
  ownResults(await api.ask(instances.get, { params: { instanceId } }))?.doubts

test('answers in one column are pointed out before Submit, changed, and handed in without a second panel', async ({ page, t, server }) => {
  const { player, script, last } = await inOneColumn(server.url, 1)
  await arriveAs(page, player, paths.test(player.instanceId))
  await answerAll(page, t, [last])
  await submitOf(page, t).click()
  const panel = panelOf(page, t)
  await expect(panel.getByRole('heading', { name: t('doubts:DoubtsTitle') })).toBeFocused()
  await expect(panel.getByText(t('doubts:DoubtSameSide'))).toBeInViewport()
  await expect(panel.getByText(t('doubts:DoubtSameRanking'))).toHaveCount(0)
  await expect(submitOf(page, t)).toHaveCount(0)
  await expectAccessible(page, 'what was noticed before Submit')

  // by keyboard to the first question of the section
  await page.keyboard.press('Tab')
  await expect(panel.getByRole('button', { name: t('doubts:DoubtsLook') })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('tab', { name: t('assessment:TestSection', { number: 2 }) })).toHaveAttribute('aria-selected', 'true')
  await expect(panel).toHaveCount(0)

  const changed = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } })).filter(
    ({ section }, at) => section === 1 && at % 2 === 1,
  )
  await answerAll(page, t, changed)
  await show(page, t, last)
  await submitOf(page, t).click()
  await expectScreen(page, t, 'results', paths.results(player.instanceId))
  const others = script.filter(({ id }) => !changed.some((one) => one.id === id))
  expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf([...others, ...changed]))
  expect(await doubtsOfResult(player, player.instanceId)).toEqual([])
  await expect(page.getByText(t('doubts:DoubtsInResult'))).toHaveCount(0)
})

workerTest(
  'answers in one column are pointed out offline, handed in as they are, and said beside the result',
  async ({ page, t, server }) => {
    const { player, script, last } = await inOneColumn(server.url, 0, 1, 2)
    await arriveAs(page, player, paths.test(player.instanceId))
    await untilWorkerIsThere(page)
    await expect(page.getByRole('radio').first()).toBeVisible()
    await goOffline(page, t)
    await page.reload()
    await answerAll(page, t, [last])
    await submitOf(page, t).click()
    const panel = panelOf(page, t)
    const said = ['DoubtSameRanking', 'DoubtSameSide', 'DoubtSameAgreement'] as const
    for (const key of said) await expect(panel.getByText(t(`doubts:${key}`))).toBeVisible()

    // the panel comes once for each opening of the questionnaire
    await panel.getByRole('button', { name: t('doubts:DoubtsLook') }).click()
    await expect(page.getByRole('tab', { name: t('assessment:TestSection', { number: 1 }) })).toHaveAttribute('aria-selected', 'true')
    await show(page, t, last)
    await submitOf(page, t).click()
    await expect(page.getByRole('heading', { name: t('assessment:TestFinishedTitle') })).toBeVisible()
    await page.getByRole('button', { name: t('assessment:TestChangeAnswers') }).click()
    await expect(submitOf(page, t)).toBeVisible()
    await page.reload()
    await submitOf(page, t).click()
    await panel.getByRole('button', { name: t('doubts:DoubtsHandIn') }).click()
    await expect(page.getByText(t('assessment:TestFinishedWaiting'))).toBeVisible()

    await goOnline(page, t)
    await expectScreen(page, t, 'results', paths.results(player.instanceId), { timeout: 30_000 })
    expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script))
    const limits = page.getByRole('region', { name: t('results:ResultsLimitsTitle') })
    for (const key of [...said, 'DoubtsInResult'] as const) await expect(limits.getByText(t(`doubts:${key}`))).toBeVisible()
    await page.getByRole('button', { name: 'Français' }).click()
    await expect(page.getByText(wordsOf('fr')('doubts:DoubtSameSide'))).toBeVisible()
  },
)

test('clearing an answer while the panel is shown brings Save back', async ({ page, t, server }) => {
  const { player, last } = await inOneColumn(server.url, 1)
  await arriveAs(page, player, paths.test(player.instanceId))
  await answerAll(page, t, [last])
  await submitOf(page, t).click()
  await expect(panelOf(page, t)).toBeVisible()
  await page.getByRole('group', { name: last.text, exact: true }).getByRole('radio', { checked: true }).press('Delete')
  await expect(panelOf(page, t)).toHaveCount(0)
  await expect(page.getByRole('button', { name: t('assessment:TestSaveLeft', { count: 1 }) })).toBeVisible()
})

test('pairs answered faster than they can be read are pointed out, also in a new tab, and only on the screen', async ({
  page,
  t,
  server,
}) => {
  const player = await newPlayer(server.url, { questions: 12 })
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  const agreements = script.slice(56)
  await player.api.ask(instances.saveResponses, { body: { instanceId: player.instanceId, responses: agreements.flatMap(responsesOf) } })
  await arriveAs(page, player, paths.test(player.instanceId))
  // in two sittings
  await answerAll(page, t, script.slice(12, 34))
  await page.reload()
  await answerAll(page, t, script.slice(34, 56))
  await show(page, t, script.at(-1) ?? raise())
  await submitOf(page, t).click()
  await expect(panelOf(page, t).getByText(t('doubts:DoubtTooFast'))).toBeVisible()

  const tab = await page.context().newPage()
  await tab.goto(server.url + paths.test(player.instanceId))
  await page.close()
  await submitOf(tab, t).click()
  await expect(panelOf(tab, t).getByText(t('doubts:DoubtTooFast'))).toBeVisible()
  const sent = tab.waitForRequest((request) => request.url().includes(`${player.instanceId}/complete`))
  await panelOf(tab, t)
    .getByRole('button', { name: t('doubts:DoubtsHandIn') })
    .click()
  expect((await sent).postData() ?? '').not.toContain('took')
  await expectScreen(tab, t, 'results', paths.results(player.instanceId))
  expect(await doubtsOfResult(player, player.instanceId)).toEqual([])
})

test('a player who reads and answers sees no panel', async ({ page, t, server }) => {
  const player = await newPlayer(server.url, { questions: 12 })
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  await takeTimeToRead(page)
  await arriveAs(page, player, paths.test(player.instanceId))
  await answerAll(page, t, script.slice(12))
  await submitOf(page, t).click()
  await expectScreen(page, t, 'results', paths.results(player.instanceId))
})

test('agreeing with sentences and with their opposites is pointed out before Submit, too', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  const agreeing = script.map((question, at) =>
    question.section === 2
      ? { ...question, items: question.items.map((item) => ({ ...item, value: at % 2 === 0 ? '5' : '4' })) }
      : question,
  )
  await player.api.ask(instances.saveResponses, { body: { instanceId: player.instanceId, responses: agreeing.flatMap(responsesOf) } })
  await arriveAs(page, player, paths.test(player.instanceId))
  await submitOf(page, t).click()
  await expect(panelOf(page, t).getByText(t('doubts:DoubtOppositesAlike'))).toBeVisible()
  await expect(panelOf(page, t).getByRole('paragraph')).toHaveCount(2)
  await panelOf(page, t)
    .getByRole('button', { name: t('doubts:DoubtsHandIn') })
    .click()
  await expectScreen(page, t, 'results', paths.results(player.instanceId))
  expect(await doubtsOfResult(player, player.instanceId)).toEqual(['opposites-alike'])
})

test('on a slow line Submit waits for the panel', async ({ page, t, server, front }) => {
  const { player, last } = await inOneColumn(server.url, 1)
  const { open, opened } = gate()
  front.bend(DOUBTS_FILES, (_, __, pass) => void opened.then(pass))
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await answer(page, t, last)
  await submitOf(page, t).click()
  await expect(submitOf(page, t)).toHaveAttribute('aria-busy', 'true')
  open()
  await expect(panelOf(page, t).getByText(t('doubts:DoubtSameSide'))).toBeVisible({ timeout: 15_000 })
})

test('the panel is loaded with the last section, before Submit is pressed', async ({ page, server }) => {
  const { player } = await inOneColumn(server.url, 1)
  const loaded = page.waitForResponse((response) => DOUBTS_FILES.test(new URL(response.url()).pathname))
  await arriveAs(page, player, paths.test(player.instanceId))
  expect((await loaded).ok()).toBe(true)
})

function raise(): never {
  throw new Error('no question')
}
