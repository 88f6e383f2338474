import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { users } from '#contract/users.ts'
import { newAddress, newPlayer, responsesOf, scriptOf, signInByApi, type Person, DEMO_PLAYER_DONE } from './support/api.ts'
import { replyWith, fileMissing, replyLost, type Bend } from './support/front.ts'
import { newCoach } from './support/coach.ts'
import { installFillingDisk } from './support/disk.ts'
import { arriveAs, askForCode, expect, killTab, test, typeCode } from './support/journey.ts'
import { fillDetails, GOOD_CARD, pay } from './support/purchase.ts'
import { startOf, type Words } from './support/words.ts'
import { expectScreen } from './support/screens.ts'
import { give } from './support/tokens-panel.ts'

/** The way to the first question, and what can block it. HOME-14, BRIEF-1 to BRIEF-5, QUESTIONS-2, QUESTIONS-19 */

const details = { country: 'Canada', typed: 'montr', city: 'Montréal' }

test('up to 768 px a warning comes first, with both choices; at 769 px there is none', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  await page.setViewportSize({ width: 768, height: 900 })
  await arriveAs(page, player, paths.brief(player.instanceId))
  const warning = page.getByRole('heading', { name: t('brief:BriefMobileTitle') })
  await expect(warning).toBeVisible()
  await page.getByRole('link', { name: t('shell:ReturnToDashboard') }).click()
  await expectScreen(page, t, 'home', paths.home())
  await page.goto(paths.brief(player.instanceId))
  await page.getByRole('button', { name: t('brief:BriefMobileContinue') }).click()
  await expect(page.getByRole('link', { name: t('brief:BriefStart') })).toBeVisible()

  // once on a device, until another person signs in there
  await page.reload()
  await expectScreen(page, t, 'brief', paths.brief(player.instanceId))
  // the app is left first: a page of it that still writes could take what is put there for another sign-in's
  await page.goto(`${server.url}/api/health`)
  await page.evaluate(() => localStorage.clear())
  await page.setViewportSize({ width: 769, height: 900 })
  await arriveAs(page, player, paths.brief(player.instanceId))
  await expectScreen(page, t, 'brief', paths.brief(player.instanceId))
  await expect(warning).toBeHidden()
})

test('a player who continues an assessment on a phone gets no warning', async ({ page, t, server }) => {
  const player = await newPlayer(server.url, { questions: 2 })
  await page.setViewportSize({ width: 390, height: 760 })
  await arriveAs(page, player, paths.brief(player.instanceId))
  await expect(page.getByRole('link', { name: t('brief:BriefContinue') })).toBeVisible()
})

test('an invitation to another address: the screen says who is signed in, the right sign-in leads back', async ({
  page,
  t,
  api,
  server,
}) => {
  const coach = await newCoach(server.url, { tokens: 1 })
  const invited = newAddress()
  const instanceId = await give(coach, invited)
  const other = await newPlayer(server.url, { hasBought: false })
  await page.setViewportSize({ width: 390, height: 760 })
  await arriveAs(page, other, paths.brief(instanceId))
  await expect(page.getByRole('alert')).toHaveText(t('assessment:AssessmentNotFound'))
  await expect(page.getByText(t('assessment:NotFoundForAddress', { email: other.email }))).toBeVisible()
  await page.getByRole('button', { name: t('assessment:SignInWithOtherAddress') }).click()
  await expectScreen(page, t, 'login', paths.login())
  await askForCode(page, t, invited)
  await typeCode(page, t, await api.code(invited))
  // a new account gives its details first
  await expectScreen(page, t, 'confirmDetails', paths.confirmDetails(instanceId))
})

test('the brief has four points, the minutes second, who sees what, and a button that fits the status', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  const instance = await player.api.ask(instances.get, { params: { instanceId: player.instanceId } })
  await arriveAs(page, player, paths.brief(player.instanceId))
  const points = page.getByRole('list').first().getByRole('listitem')
  await expect(points).toHaveCount(4)
  await expect(points.nth(1)).toHaveText(t('brief:BriefBulletMinutes', { count: instance.estimatedTimeMinutes }))
  await expect(page.getByText(t('brief:BriefWhoSeesAnswers'))).toBeVisible()
  await expect(page.getByText(t('brief:BriefWhoSeesNoCoach'))).toBeVisible()
  await expect(page.getByRole('link', { name: t('brief:BriefReturn') })).toHaveAttribute('href', paths.home())
  await page.getByRole('link', { name: t('brief:BriefStart') }).click()
  await expectScreen(page, t, 'test', paths.test(player.instanceId))

  await answerByApi(player, 3)
  await page.goto(paths.brief(player.instanceId))
  await expect(page.getByRole('link', { name: t('brief:BriefContinue') })).toBeVisible()
  await expect(page.getByText(t('brief:BriefProgress', { answered: 12, total: 112 }))).toBeVisible()
  await page.goto(paths.results(player.instanceId))
  await expect(page.getByText(t('results:ResultsMissing', { count: 100 }))).toBeVisible()
  await page.getByRole('link', { name: t('results:ResultsGoToQuestions') }).click()
  await expectScreen(page, t, 'test', paths.test(player.instanceId))

  const done = await signInByApi(server.url, DEMO_PLAYER_DONE)
  const [completed] = (await done.api.ask(instances.list, { query: {} })).data
  await arriveAs(page, done, paths.brief(completed?.instanceId ?? ''))
  await expect(page.getByText(t('brief:BriefDone'))).toBeVisible()
  // a completed assessment has no start button
  await expect(page.getByText(t('brief:BriefTitle'), { exact: true })).toHaveCount(0)
  await page.getByRole('link', { name: t('assessment:BriefDoneLink') }).click()
  await expect(page.getByRole('heading', { name: t('results:ResultsOverviewTitle') })).toBeVisible()
})

test('missing details are asked for before the brief', async ({ page, t, server }) => {
  const { instanceId } = await buyWithoutDetails(page, t, server.url)
  await expect(page.getByText(t('details:ConfirmDetailsBrief'))).toBeVisible()
  await fillDetails(page, t, details)
  await page.getByRole('button', { name: t('details:SaveAndContinue') }).click()
  await expectScreen(page, t, 'brief', paths.brief(instanceId))
})

test('an assessment begun without details asks for them before Submit, and saving them submits it', async ({ page, t, server }) => {
  const { player, instanceId } = await buyWithoutDetails(page, t, server.url)
  await answerByApi({ ...player, instanceId }, Number.POSITIVE_INFINITY)
  // on a phone too the page starts at Submit
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(paths.test(instanceId))
  await page.getByRole('button', { name: t('assessment:TestSubmit') }).click()
  await expect(page.getByText(t('details:ConfirmDetailsSubmit'))).toBeVisible()
  await expect(page.getByRole('heading', { name: t('details:ConfirmDetailsTitle') })).toBeFocused()

  // Back returns to answering
  await page.goBack()
  await page.getByRole('button', { name: t('assessment:TestSubmit') }).click()
  await fillDetails(page, t, details)
  await page.getByRole('button', { name: t('details:SaveAndContinue') }).click()
  await expectScreen(page, t, 'results', paths.results(instanceId))
  await expect(page.getByRole('heading', { name: t('results:ResultsOverviewTitle') })).toBeVisible()
})

test('a full disk does not prevent Submit after the details', async ({ page, t, server }) => {
  const { player, instanceId } = await buyWithoutDetails(page, t, server.url)
  await answerByApi({ ...player, instanceId }, Number.POSITIVE_INFINITY)
  await installFillingDisk(page)
  await page.goto(paths.test(instanceId))
  const submit = page.getByRole('button', { name: t('assessment:TestSubmit') })
  await expect(submit).toBeVisible()
  await page.evaluate(() => dispatchEvent(new Event('diskFull')))
  await submit.click()
  await fillDetails(page, t, details)
  await page.getByRole('button', { name: t('details:SaveAndContinue') }).click()
  // only the page with the answers knows that the account has all of them
  await submit.click()
  await expectScreen(page, t, 'results', paths.results(instanceId))
})

test('Submit continues at the next start if the tab dies while the details are saved', async ({ page, context, t, server, front }) => {
  const { player, instanceId } = await buyWithoutDetails(page, t, server.url)
  await answerByApi({ ...player, instanceId }, Number.POSITIVE_INFINITY)
  await arriveAs(page, player, paths.test(instanceId), { origin: front.url })
  await page.getByRole('button', { name: t('assessment:TestSubmit') }).click()
  await expect(page.getByRole('heading', { name: t('details:ConfirmDetailsTitle') })).toBeFocused()
  await fillDetails(page, t, details)
  front.bend(new RegExp(`^/api/user/${player.userId}$`), replyLost(server.url))
  await page.getByRole('button', { name: t('details:SaveAndContinue') }).click()
  await expect.poll(async () => (await player.api.ask(users.get, { params: { id: player.userId } })).gender).toBe('female')
  await killTab(page)

  front.mend()
  const again = await context.newPage()
  await again.goto(front.url + paths.home())
  await expect.poll(async () => (await player.api.ask(instances.get, { params: { instanceId } })).status).toBe('COMPLETED')
  await expect(again.getByRole('link', { name: startOf(t('player:ViewResultsOf', { name: '' })) })).toBeVisible()
})

test('a questionnaire that cannot be shown says why', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url)
  const read = new RegExp(`^/api/assessment/assessment-instance/${player.instanceId}(\\?|$)`)
  // without the questions' file, the instance brings them
  front.bend(/^\/media\/content\//, fileMissing)
  await arriveAs(page, player, paths.test('no-such-instance'), { origin: front.url })
  await expect(page.getByRole('alert')).toHaveText(t('assessment:AssessmentNotFound'))
  front.bend(read, replyWith(500, {}))
  await page.goto(front.url + paths.test(player.instanceId))
  await expect(page.getByRole('alert')).toHaveText(t('assessment:ErrorLoadingAssessment'))

  front.mend()
  front.bend(/^\/media\/content\//, fileMissing)
  front.bend(read, withFirstSectionOf('crossword', server.url))
  await page.getByRole('button', { name: t('assessment:TryAgain') }).click()
  // it opens at the first section that can be answered
  await page.getByRole('tab', { name: t('assessment:TestSection', { number: 1 }) }).click()
  await expect(page.getByText(t('assessment:AssessmentSectionNotImplemented')).first()).toBeVisible()
})

test('the type of a section may be written in any case', async ({ page, server, front }) => {
  const player = await newPlayer(server.url)
  front.bend(/^\/media\/content\//, fileMissing)
  front.bend(/^\/api\/assessment\/assessment-instance\/[^/]+$/, withFirstSectionOf('LikertScale', server.url))
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await expect(page.getByRole('radiogroup')).toHaveCount(48)
})

/** The server's own reply, its first section of another type. */
function withFirstSectionOf(type: string, target: string): Bend {
  return (incoming, reply) => {
    const { authorization = '' } = incoming.headers
    void fetch(target + incoming.url, { headers: { authorization } }).then(async (stored) => {
      const instance = (await stored.json()) as { sections: { type: string }[] } // the server's own contract
      const sections = instance.sections.map((section, at) => (at === 0 ? { ...section, type } : section))
      reply.writeHead(stored.status, { 'content-type': 'application/json' }).end(JSON.stringify({ ...instance, sections }))
    })
  }
}

async function answerByApi({ api, instanceId }: Person & { instanceId: string }, questions: number): Promise<void> {
  const script = scriptOf(await api.ask(instances.get, { params: { instanceId } })).slice(0, questions)
  await api.ask(instances.saveResponses, { body: { instanceId, responses: script.flatMap(responsesOf) } })
}

/** A player who opened the payment by its URL and paid: the details are still missing. */
async function buyWithoutDetails(page: Page, t: Words, url: string): Promise<{ player: Person; instanceId: string }> {
  const player = await signInByApi(url, newAddress())
  await arriveAs(page, player, paths.payment('touchline-profile'))
  await pay(page, GOOD_CARD)
  await expect(page.getByRole('heading', { name: t('details:ConfirmDetailsTitle') })).toBeVisible({ timeout: 30_000 })
  const [instance] = (await player.api.ask(instances.list, { query: {} })).data
  return { player, instanceId: instance?.instanceId ?? '' }
}
