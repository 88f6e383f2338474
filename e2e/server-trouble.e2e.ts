import { isDeepStrictEqual } from 'node:util'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { answersOf, newPlayer, scriptOf, storedAnswers } from './support/api.ts'
import { installClock } from './support/clock.ts'
import { savedFile } from './support/answers-file.ts'
import { replyWith, refuseWith, tooLarge } from './support/front.ts'
import { arriveAs, expect, test } from './support/journey.ts'
import { answer } from './support/questionnaire.ts'
import { SAVING } from './support/requests.ts'
import { expectScreen } from './support/screens.ts'
import { startOf, type Words } from './support/words.ts'

/** The server, or a proxy before it, is in trouble: the portal says so, and resumes by itself. */

for (const [name, bend] of [
  ['a proxy’s page', tooLarge],
  ['an error of the server', refuseWith(500, 'INTERNAL')],
] as const) {
  test(`saves blocked by ${name} are reported after some minutes, with a file to download`, async ({ page, t, server, front }) => {
    const player = await newPlayer(server.url)
    const [first] = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
    if (!first) throw new Error('no questions')
    const clock = await installClock(page)
    front.bend(SAVING, bend)
    await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
    const tried = page.waitForResponse((response) => SAVING.test(new URL(response.url()).pathname))
    await answer(page, t, first)
    const trouble = page.getByText(new RegExp(t('parts:CannotSend', { time: 'TIME' }).replace('TIME', String.raw`\d\d:\d\d`)))
    await clock.pass(2000)
    await tried
    await expect(page.getByText(t('assessment:TestSavedOnDevice', { count: 1 }))).toBeVisible()
    await expect(trouble).toBeHidden()
    await clock.passUntil(() => trouble.isVisible())
    const { text } = await savedFile(page, page.getByRole('button', { name: t('parts:CannotSendDownload') }))
    expect(text).toContain('1 answered question,')
    // a reload does not restart the clock
    const said = await trouble.textContent()
    await page.reload()
    await clock.passUntil(() => trouble.isVisible())
    expect(await trouble.textContent()).toBe(said)
    await page.getByRole('button', { name: t('assessment:TestSaveAndExit') }).click()
    await clock.pass(10_000)
    await expectScreen(page, t, 'home', front.url + paths.home())
    await expect(trouble).toBeVisible()
    await expect(page.getByRole('button', { name: t('parts:CannotSendDownload') })).toBeVisible()
    front.mend()
    await clock.passUntil(async () => isDeepStrictEqual(await storedAnswers(player, player.instanceId), answersOf([first])))
    await expect(trouble).toBeHidden()
  })
}

test('a dashboard that could not be read appears by itself once the server works', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url)
  let asked = 0
  const unavailable = refuseWith(503, 'UNAVAILABLE', { 'retry-after': '2' })
  front.bend(/^\/api\/assessment/, (...given) => {
    asked += 1
    unavailable(...given)
  })
  const clock = await installClock(page)
  await arriveAs(page, player, paths.home(), { origin: front.url })
  const failed = page.getByText(t('home:ErrorLoadingAssessments')).first()
  await expect(failed).toBeVisible()
  // each read waits as long as the reply said
  expect(asked).toBeLessThanOrEqual(2 * 3 + 2)
  await clock.passUntil(async () => asked > 2 * 3)
  // and meanwhile still shows the reason
  await expect(failed).toBeVisible()
  front.mend()
  await clock.passUntil(() => page.getByRole('link', { name: startOf(t('player:GoToAssessmentOf', { name: '' })) }).isVisible())
  await expect(failed).toBeHidden()
})

/** Replies of the server or of a proxy before it, and the words for them. */
const TROUBLES: [string, number, Record<string, string>, (t: Words) => RegExp | string][] = [
  ['a proxy that finds no server', 503, {}, (t) => t('errors:UNAVAILABLE')],
  ['a limit of an hour', 429, { 'retry-after': '3600' }, () => /Too many attempts in a short time\. You can try again .*at \d\d:\d\d\./],
]

for (const [name, status, headers, wordsIn] of TROUBLES) {
  test(`${name}: each screen says why it could not be loaded`, async ({ page, t, server, front }) => {
    const words = wordsIn(t)
    const player = await newPlayer(server.url)
    const refuse = replyWith(status, {}, headers)
    const reason = (text: string) => page.getByRole('alert').filter({ hasText: text }).getByText(words)
    front.bend(/^\/api\/(assessment|user\/[^/]+$|user\/[^/]+\/sessions$)/, refuse)
    const clock = await installClock(page)
    await arriveAs(page, player, paths.home(), { origin: front.url })
    await clock.passUntil(async () => (await reason(t('home:ErrorLoadingAssessments')).count()) === 2)
    await page.goto(front.url + paths.profile())
    await clock.passUntil(() => reason(t('details:ErrorLoadingProfile')).isVisible())
    await expect(reason(t('profile:DevicesFailed'))).toBeVisible()
    for (const path of [paths.checkout('touchline-profile'), paths.payment('touchline-profile')]) {
      await page.goto(front.url + path)
      await expect(page.getByRole('heading', { level: 1, name: t('checkout:AssessmentNotFound') })).toBeVisible()
      await expect(page.getByText(t('checkout:AssessmentNotFoundDescription'))).toBeVisible()
      await expect(page.getByRole('alert')).toHaveText(words)
    }
    front.mend()
    front.bend(/^\/api\/user\/[^/]+$/, refuse)
    await page.goto(front.url + paths.checkout('touchline-profile'))
    await expect(reason(t('details:ErrorLoadingProfile'))).toBeVisible()
  })
}

test('the screen after Submit does not say that refused answers will be sent by themselves', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url, { questions: 75 })
  const last = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } })).at(-1)
  if (!last) throw new Error('no questions')
  // a receipt that does not match what was sent
  const forgets = { completionStatus: 'IN_PROGRESS', revision: 1, count: 0, hash: '-', groups: [], superseded: [] }
  front.bend(SAVING, replyWith(200, forgets))
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await answer(page, t, last)
  await page.getByRole('button', { name: t('assessment:TestSubmit') }).click()
  const again = page.getByRole('button', { name: t('assessment:TestSendNow') })
  await expect(page.getByRole('alert').filter({ hasText: startOf(t('assessment:TestNotSent')) })).toBeVisible()
  await expect(page.getByText(t('assessment:TestFinishedSending'))).toHaveCount(0)
  front.mend()
  await again.click()
  await expectScreen(page, t, 'results', front.url + paths.results(player.instanceId))
})
