import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { answersOf, newPlayer, scriptOf, storedAnswers } from './support/api.ts'
import { arriveAs, expect, test } from './support/journey.ts'
import { questionOf, ratingOf, takeTimeToRead } from './support/questionnaire.ts'
import { expectScreen } from './support/screens.ts'

/** Twelve rankings of three numbers and Next, 44 pairs, 20 agreements, Submit. docs/decisions/0036 */
const TAPS = 12 * (3 + 1) + 44 + 20 + 1

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

test(`the result is ${TAPS} taps from the first question`, async ({ page, t, server }) => {
  test.slow()
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  await page.addInitScript(() => {
    addEventListener('pointerdown', () => sessionStorage.setItem('taps', String(Number(sessionStorage.getItem('taps')) + 1)), true)
  })
  await takeTimeToRead(page)
  await arriveAs(page, player, paths.test(player.instanceId))
  for (const question of script) {
    const here = questionOf(page, question)
    await expect(here).toBeVisible()
    if (question.type === 'likertscale') {
      for (const { text, value } of question.items.slice(0, 3)) await ratingOf(page, text, value).tap()
      const last = question.items[3]
      await expect(ratingOf(page, last?.text ?? '', last?.value ?? '')).toBeChecked()
      await page.getByRole('button', { name: t('assessment:TestNext'), exact: true }).tap()
    } else await here.getByRole('radio', { name: question.items[0]?.says ?? '', exact: true }).tap()
  }
  await page.getByRole('button', { name: t('assessment:TestSubmit'), exact: true }).tap()
  await expectScreen(page, t, 'results', paths.results(player.instanceId))
  const taps = Number(await page.evaluate(() => sessionStorage.getItem('taps')))
  test.info().annotations.push({ type: 'taps', description: String(taps) })
  expect(taps).toBe(TAPS)
  expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script))
})
