import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { answersOf, newPlayer, scriptOf, storedAnswers } from './support/api.ts'
import { arriveAs, expect, test } from './support/journey.ts'
import { answerAll, answerByKeyboard, expectAnswered } from './support/questionnaire.ts'
import { startOf, wordsOf } from './support/words.ts'

test('the whole questionnaire by pointer, with a break in the middle', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  const [before, after] = [script.slice(0, 20), script.slice(20)]
  await arriveAs(page, player, paths.test(player.instanceId))
  await answerAll(page, t, before)
  await page.getByRole('button', { name: t('assessment:TestSaveAndExit') }).click()
  await expect(page).toHaveURL(paths.home())
  await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf(before))

  await page.getByRole('link', { name: startOf(t('home:GoToAssessmentOf', { name: '' })) }).click()
  await page.getByRole('link', { name: t('assessment:BriefContinue') }).click()
  // at the first that is open, in the second section
  await expect(page.getByRole('tab', { name: t('assessment:TestSection', { number: 2 }) })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('group', { name: after[0]?.text ?? '', exact: true })).toBeInViewport()
  for (const question of before.slice(12)) await expectAnswered(page, t, question)

  await answerAll(page, t, after)
  await page.getByRole('button', { name: t('assessment:TestSubmit') }).click()
  await expect(page).toHaveURL(paths.results(player.instanceId))
  await expect(page.getByRole('heading', { name: t('assessment:ResultsOverviewTitle') })).toBeVisible()
  await expect(page.getByRole('heading', { name: t('assessment:ResultsPerformersTitle') })).toBeVisible()
  await expect(page.getByRole('link', { name: startOf(t('assessment:ResultsReportLink')) })).toHaveAttribute(
    'href',
    /sample\/assessmentSampleReportImpact\.pdf$/,
  )
  expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script))

  await page.getByRole('link', { name: t('assessment:ResultsReturn') }).click()
  await page.getByRole('link', { name: startOf(t('home:ViewResultsOf', { name: '' })) }).click()
  await expect(page).toHaveURL(paths.results(player.instanceId))
})

test('the whole questionnaire by keyboard alone', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  await arriveAs(page, player, paths.brief(player.instanceId))
  await expect(page.getByRole('link', { name: t('assessment:BriefStart') })).toBeVisible()
  await page.getByRole('link', { name: t('assessment:BriefStart') }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('tab', { name: t('assessment:TestSection', { number: 1 }) })).toBeVisible()
  await answerByKeyboard(page, t, script)
  await expect(page.getByRole('button', { name: t('assessment:TestSubmit') })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(paths.results(player.instanceId))
  await expect(page.getByRole('heading', { name: t('assessment:ResultsOverviewTitle') })).toBeVisible()
  expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script))
})

test('on a phone one group a screen, no sideways scrolling at 320 px', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  const some = script.filter(({ section }, at) => section !== 1 || at < 16)
  await page.setViewportSize({ width: 320, height: 640 })
  await arriveAs(page, player, paths.test(player.instanceId))
  await expect(page.getByText(t('assessment:TestQuestion', { number: 1, count: 12 }))).toBeVisible()
  await answerAll(page, t, some.slice(0, 16))
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await page.getByRole('tab', { name: t('assessment:TestSection', { number: 3 }) }).click()
  await answerAll(page, t, some.slice(16))
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await page.getByRole('button', { name: t('assessment:TestSaveLeft', { count: 40 }) }).click()
  await expect(page).toHaveURL(paths.home())
  await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf(some))
})

test('a rating can be used once in a group; a click on it clears it', async ({ page, server }) => {
  const player = await newPlayer(server.url)
  const [question] = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  const [first, second] = question?.items ?? []
  if (!question || !first || !second) throw new Error('no question')
  await arriveAs(page, player, paths.test(player.instanceId))
  const group = page.getByRole('group', { name: question.text, exact: true })
  const four = (statement: string) => group.getByRole('radiogroup', { name: statement, exact: true }).getByRole('radio', { name: /^4,/ })
  await four(first.text).check()
  await expect(four(second.text)).toBeDisabled()
  await four(first.text).click()
  await expect(four(first.text)).not.toBeChecked()
  await four(second.text).check()
  await expect(four(first.text)).toBeDisabled()
  // by keyboard a taken value moves
  await group.getByRole('radiogroup', { name: first.text, exact: true }).getByRole('radio', { name: /^1,/ }).focus()
  await page.keyboard.press('4')
  await expect(four(first.text)).toBeChecked()
  await expect(four(second.text)).not.toBeChecked()
  await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual({ [first.id]: '4' })
})

test('another language in the middle keeps every answer', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  const read = (language: 'en' | 'fr') => player.api.ask(instances.get, { params: { instanceId: player.instanceId } }, language)
  const [english, french] = [scriptOf(await read('en')), scriptOf(await read('fr'))]
  const inFrench = wordsOf('fr')
  await arriveAs(page, player, paths.test(player.instanceId))
  await answerAll(page, t, english.slice(0, 3))
  await page.getByRole('button', { name: 'Français' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
  for (const question of french.slice(0, 3)) await expectAnswered(page, inFrench, question)
  await answerAll(page, inFrench, french.slice(3, 5))
  await expect(page.getByText(startOf(inFrench('assessment:TestSavedToAccount')))).toBeVisible()
  expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(english.slice(0, 5)))
})
