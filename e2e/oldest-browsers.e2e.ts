import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { answersOf, newPlayer, scriptOf, storedAnswers } from './support/api.ts'
import { askForCode, expect, goOffline, goOnline, workerTest as test, typeCode, untilWorkerIsThere } from './support/journey.ts'
import { takeNewerApisAway } from './support/oldest-browsers.ts'
import { answerAll } from './support/questionnaire.ts'
import { expectScreen } from './support/screens.ts'
import { startOf } from './support/words.ts'

/** A player's whole journey in a browser without anything that the oldest build targets lack. docs/decisions/0035 */

const QUESTIONS_BEFORE = 74

test('an old phone gets from the guest’s first page to the result', async ({ page, t, api, server, context }) => {
  await takeNewerApisAway(context)
  const player = await newPlayer(server.url, { questions: QUESTIONS_BEFORE })
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  await page.goto(paths.home())
  expect(await page.evaluate(() => 'withResolvers' in Promise || 'groupBy' in Object)).toBe(false)
  await expectScreen(page, t, 'login', paths.login())
  await askForCode(page, t, player.email)
  await typeCode(page, t, await api.code(player.email))
  await expectScreen(page, t, 'home', paths.home())
  await expect(page.getByRole('link', { name: startOf(t('player:GoToAssessmentOf', { name: '' })) })).toBeVisible()
  await untilWorkerIsThere(page)
  await page.goto(paths.test(player.instanceId))
  await answerAll(page, t, script.slice(QUESTIONS_BEFORE, QUESTIONS_BEFORE + 1))
  await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()
  await goOffline(page, t)
  await answerAll(page, t, script.slice(QUESTIONS_BEFORE + 1))
  await expect(page.getByText(t('assessment:TestSavedOnDevice', { count: 1 }))).toBeVisible()
  await goOnline(page, t)
  await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf(script))
  await page.getByRole('button', { name: t('assessment:TestSubmit') }).click()
  await expectScreen(page, t, 'results', paths.results(player.instanceId))
})
