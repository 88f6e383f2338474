import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { answersOf, newPlayer, scriptOf, storedAnswers, type ScriptedQuestion } from './support/api.ts'
import { arriveAs, expect, test } from './support/journey.ts'
import { answerAll, answerByKeyboard, expectAnswered, listenToAnnouncer, takeTimeToRead } from './support/questionnaire.ts'
import { startOf, wordsOf } from './support/words.ts'
import { expectScreen } from './support/screens.ts'

test('a player answers the whole questionnaire by pointer, with a break in the middle', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  const [before, after] = [script.slice(0, 20), script.slice(20)]
  await takeTimeToRead(page)
  await arriveAs(page, player, paths.test(player.instanceId))
  await answerAll(page, t, before)
  await page.getByRole('button', { name: t('assessment:TestSaveAndExit') }).click()
  await expectScreen(page, t, 'home', paths.home())
  await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf(before))

  await page.getByRole('link', { name: startOf(t('player:GoToAssessmentOf', { name: '' })) }).click()
  await page.getByRole('link', { name: t('brief:BriefContinue') }).click()
  // at the first open question, in the second section
  await expect(page.getByRole('tab', { name: t('assessment:TestSection', { number: 2 }) })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('group', { name: after[0]?.text ?? '', exact: true })).toBeInViewport()
  for (const question of before.slice(12)) await expectAnswered(page, t, question)

  await answerAll(page, t, after)
  await page.getByRole('button', { name: t('assessment:TestSubmit') }).click()
  await expectScreen(page, t, 'results', paths.results(player.instanceId))
  await expect(page.getByRole('heading', { name: t('results:ResultsOverviewTitle') })).toBeVisible()
  await expect(page.getByRole('heading', { name: t('results:ResultsPerformersTitle') })).toBeVisible()
  await expect(page.getByRole('link', { name: startOf(t('results:ResultsReportLink')) })).toHaveAttribute(
    'href',
    /sample\/assessmentSampleReportImpact\.pdf$/,
  )
  expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script))

  await page.getByRole('link', { name: t('assessment:ReturnToDashboard') }).click()
  await page.getByRole('link', { name: startOf(t('player:ViewResultsOf', { name: '' })) }).click()
  await expectScreen(page, t, 'results', paths.results(player.instanceId))

  // the raw answers have left the device, and it says so
  await page.goto(paths.device())
  await expect(page.getByText(t('device:AnswersRemoved'))).toBeVisible()
  await expect(page.getByText(t('device:WaitingNothing'))).toBeVisible()
})

for (const width of [1280, 360]) {
  test(`a player answers the whole questionnaire by keyboard alone, with changes announced (${width} px)`, async ({ page, t, server }) => {
    test.slow()
    const player = await newPlayer(server.url)
    const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
    await page.setViewportSize({ width, height: 780 })
    await takeTimeToRead(page)
    await arriveAs(page, player, paths.test(player.instanceId))
    const [first] = script
    const [one, two] = first?.items ?? []
    if (!first || !one || !two) throw new Error('no question')
    const row = (statement: string) => page.getByRole('radiogroup', { name: statement, exact: true })
    const rated = (statement: string, rating: string) => row(statement).getByRole('radio', { name: new RegExp(`^${rating},`) })
    const said = await listenToAnnouncer(page)

    // a screen reader reads the radio itself; only a number taken from another statement is announced
    await rated(one.text, '1').focus()
    await page.keyboard.press('2')
    await expect(rated(one.text, '2')).toBeFocused()
    await expect(rated(two.text, '2')).toHaveAccessibleName(
      t('assessment:TestRatingTaken', { rating: '2', label: labelOf(first, '2'), statement: one.text }),
    )
    await page.keyboard.press('Tab')
    await page.keyboard.press('2')
    await expect(rated(two.text, '2')).toBeChecked()
    await expect(rated(one.text, '2')).not.toBeChecked()
    await expect.poll(said).toEqual([t('assessment:TestRatingMoved', { rating: '2', statement: one.text })])
    for (const key of ['Delete', '3', 'Backspace']) await page.keyboard.press(key)
    await expect(row(two.text).getByRole('radio', { checked: true })).toHaveCount(0)
    // no key acts outside the focused row
    await page.getByRole('tab', { selected: true }).focus()
    for (const key of ['1', '4', 'n', 's', 'Delete']) await page.keyboard.press(key)
    await expect(page.getByRole('radio', { checked: true })).toHaveCount(0)

    await answerByKeyboard(page, t, script)
    await expect(page.getByRole('button', { name: t('assessment:TestSubmit') })).toBeFocused()
    // afterwards only last numbers filled in are announced; of several within a moment only the latest (one alone: ranking.e2e.ts)
    const filled = (await said()).slice(1)
    const rankings = script.filter(({ type }) => type === 'likertscale')
    expect(filled.length).toBeGreaterThan(0)
    expect(filled.length).toBeLessThanOrEqual(rankings.length)
    await page.keyboard.press('Enter')
    await expectScreen(page, t, 'results', paths.results(player.instanceId))
    await expect(page.getByRole('heading', { name: t('results:ResultsOverviewTitle') })).toBeVisible()
    expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script))
  })
}

/** The label of a rating in the group. */
function labelOf({ items }: ScriptedQuestion, rating: string): string {
  return items.find(({ value }) => value === rating)?.says ?? ''
}

test('sections are one tab stop; arrow keys move and open', async ({ page, t, server }) => {
  const player = await newPlayer(server.url, { questions: 12 })
  await arriveAs(page, player, paths.test(player.instanceId))
  const tab = (number: number) => page.getByRole('tab', { name: t('assessment:TestSection', { number }) })
  await expect(tab(2)).toHaveAttribute('aria-selected', 'true')
  await expect(tab(1)).toHaveAccessibleName(/answered/)
  await tab(2).focus()
  await page.keyboard.press('ArrowRight')
  await expect(tab(3)).toBeFocused()
  await expect(page.getByRole('tabpanel', { name: t('assessment:TestSection', { number: 3 }) })).toBeVisible()
  // the last section: the button says how many are open
  await expect(page.getByRole('button', { name: t('assessment:TestSaveLeft', { count: 64 }) })).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(tab(3)).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect(tab(1)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Tab')
  expect(await page.getByRole('tab').evaluateAll((tabs) => tabs.some((one) => one === document.activeElement))).toBe(false)
})

test('the ratings have 7 columns on a wide screen, 3 of them for the text', async ({ page, server }) => {
  const player = await newPlayer(server.url)
  const [question] = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  const statement = question?.items[0]?.text ?? ''
  await arriveAs(page, player, paths.test(player.instanceId))
  const row = page.getByRole('radiogroup', { name: statement, exact: true })
  const grid = await row.evaluate((element) => getComputedStyle(element).gridTemplateColumns.split(' ').map(Number.parseFloat))
  expect(grid).toHaveLength(7)
  expect(Math.max(...grid) - Math.min(...grid)).toBeLessThan(1)
  expect(await row.getByText(statement).evaluate((text) => getComputedStyle(text).gridColumn)).toContain('span 3')
})

test('nothing covers the question and nothing scrolls sideways at 400 %', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  // 1280 × 1024 at 400 % (WCAG 1.4.10)
  await page.setViewportSize({ width: 320, height: 256 })
  await arriveAs(page, player, paths.test(player.instanceId))
  await answerAll(page, t, script.slice(0, 2))
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  for (const radio of await page.getByRole('radio', { disabled: false }).all()) {
    await radio.focus()
    const isCovered = await radio.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      const top = document.elementFromPoint(x + width / 2, y + height / 2)
      return top === null || !top.parentElement?.contains(element)
    })
    expect(isCovered).toBe(false)
  }
})

test('a phone shows one group a screen, without sideways scrolling at 320 px', async ({ page, t, server }) => {
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
  await expectScreen(page, t, 'home', paths.home())
  await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf(some))
})

test('a turned screen stays at the tapped question, with the focus', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  const [wide, narrow] = [
    { width: 896, height: 414 },
    { width: 414, height: 896 },
  ]
  await page.setViewportSize(wide)
  await arriveAs(page, player, paths.test(player.instanceId))
  const tapped = page.getByRole('radio').nth(6 * 16 + 1)
  await tapped.click()
  for (const size of [narrow, wide, narrow]) {
    await page.setViewportSize(size)
    await expect(page.getByText(t('assessment:TestQuestion', { number: 7, count: 12 }))).toBeInViewport()
    await expect(page.locator(':focus')).toHaveRole('radio')
    await expect(page.locator(':focus')).toBeChecked()
  }
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
  // a used value moves by keyboard
  await group.getByRole('radiogroup', { name: first.text, exact: true }).getByRole('radio', { name: /^1,/ }).focus()
  await page.keyboard.press('4')
  await expect(four(first.text)).toBeChecked()
  await expect(four(second.text)).not.toBeChecked()
  await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual({ [first.id]: '4' })
})

test('taps faster than the screen is drawn act on the current answers, and the screen follows', async ({ page, server }) => {
  const player = await newPlayer(server.url)
  const [question] = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  const [first, second, third] = question?.items ?? []
  if (!question || !first || !second || !third) throw new Error('no question')
  await arriveAs(page, player, paths.test(player.instanceId))
  const group = page.getByRole('group', { name: question.text, exact: true })
  const rated = (statement: string, rating: string) =>
    group.getByRole('radiogroup', { name: statement, exact: true }).getByRole('radio', { name: new RegExp(`^${rating},`) })
  await expect(rated(first.text, '4')).toBeEnabled()
  // the second tap takes the number that is not disabled yet from the first; the third is chosen and cleared
  await group.evaluate(
    (fieldset, taps) => {
      for (const [item, rating] of taps) {
        const radio = fieldset.querySelector(`input[name="${item}"][value="${rating}"]`)
        radio?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 }))
      }
    },
    [
      [first.id, '4'],
      [second.id, '4'],
      [third.id, '2'],
      [third.id, '2'],
    ] as const,
  )
  await expect(rated(second.text, '4')).toBeChecked()
  await expect(rated(first.text, '4')).toBeDisabled()
  await expect(group.getByRole('radio', { checked: true })).toHaveCount(1)
  await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual({ [second.id]: '4' })
})

test('every answer stays when the language changes in the middle', async ({ page, t, server }) => {
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
