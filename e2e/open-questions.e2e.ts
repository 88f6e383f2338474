import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { newPlayer, responsesOf, scriptOf } from './support/api.ts'
import { refuseWith } from './support/front.ts'
import { arriveAs, expect, test } from './support/journey.ts'
import { questionOf } from './support/questionnaire.ts'
import { expectScreen } from './support/screens.ts'

/** The way from the last question to open ones; a section that this app cannot show does not block Submit. QUESTIONS-14, QUESTIONS-2 */

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

test('the last question offers the open ones first, with saving beside it', async ({ page, t, server }) => {
  const player = await newPlayer(server.url, { questions: 20 })
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  const [open, last] = [script[20], script[75]]
  if (!open || !last) throw new Error('too few questions')
  const count = 56
  await arriveAs(page, player, paths.test(player.instanceId))
  const toLast = async () => {
    await page.getByRole('tab', { name: t('assessment:TestSection', { number: 3 }) }).tap()
    const next = page.getByRole('button', { name: t('assessment:TestNext'), exact: true })
    await expect(questionOf(page, script[56] ?? last)).toBeVisible()
    for (let at = 57; at < 76; at += 1) await next.tap()
    await expect(questionOf(page, last)).toBeVisible()
  }
  await toLast()
  await page.getByRole('button', { name: t('assessment:TestGoToOpen', { count }), exact: true }).tap()
  await expect(questionOf(page, open)).toBeFocused()

  await toLast()
  const left = page.getByRole('button', { name: t('assessment:TestLeft', { count }), exact: true })
  const size = await left.boundingBox()
  expect(Math.min(size?.width ?? 0, size?.height ?? 0)).toBeGreaterThanOrEqual(48)
  await left.tap()
  await expect(questionOf(page, open)).toBeFocused()

  await toLast()
  await page.getByRole('button', { name: t('assessment:TestSaveLeft', { count }), exact: true }).tap()
  await expectScreen(page, t, 'home', paths.home())
})

test('answering an open question leads to the next open one, and the last of them to Submit', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  const [first, second, last] = [script[12], script[30], script[75]]
  if (!first || !second || !last) throw new Error('too few questions')
  const responses = script.filter((question) => question !== first && question !== second).flatMap(responsesOf)
  await player.api.ask(instances.saveResponses, { body: { instanceId: player.instanceId, responses } })
  await arriveAs(page, player, paths.test(player.instanceId))
  for (const gap of [first, second]) await questionOf(page, gap).getByRole('radio').first().tap()
  await expect(questionOf(page, last)).toBeFocused()
  await expect(page.getByRole('button', { name: t('assessment:TestSubmit'), exact: true })).toBeVisible()
})

test('nothing leads away from the last question if it alone is open', async ({ page, t, server }) => {
  const player = await newPlayer(server.url, { questions: 75 })
  await arriveAs(page, player, paths.test(player.instanceId))
  await expect(page.getByRole('button', { name: t('assessment:TestSaveLeft', { count: 1 }), exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: t('assessment:TestGoToOpen', { count: 1 }), exact: true })).toHaveCount(0)
})

test('a Submit that the server finds incomplete leads to the dashboard, and says why', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url, { questions: 76 })
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  front.bend(/\/complete$/, refuseWith(409, 'NOT_COMPLETE'))
  await page.getByRole('button', { name: t('assessment:TestSubmit') }).tap()
  await expect(page.locator('#toasts').getByText(t('errors:NOT_COMPLETE'))).toBeVisible()
  await expectScreen(page, t, 'home', front.url + paths.home())
})

test.describe('a section of a type that is not implemented', () => {
  test('says so once, is not counted, and does not block Submit', async ({ page, t, server }) => {
    const player = await newPlayer(server.url, { questions: 56 })
    await page.route(/\/assessment-instance\/|\/content\//, async (route) => {
      const response = await route.fetch()
      const body = (await response.json()) as { sections?: { type: string }[] }
      const third = body.sections?.[2]
      if (third) third.type = 'essay'
      await route.fulfill({ response, json: body })
    })
    await arriveAs(page, player, paths.test(player.instanceId))
    await page.getByRole('tab', { name: t('assessment:TestSection', { number: 3 }) }).tap()
    await expect(page.getByRole('alert')).toHaveText([t('assessment:AssessmentSectionNotImplemented')])
    await expect(page.getByText(t('assessment:TestNothingLeft'))).toBeVisible()
    // the two answered questions count as done
    const tabs = page.getByRole('tablist', { name: t('assessment:TestSections') }).getByRole('tab')
    const answered = t('assessment:TestSectionDone')
    await expect(tabs.filter({ has: page.getByText(answered, { exact: true }) })).toHaveCount(2)
    await expect(tabs.nth(2).getByText(answered, { exact: true })).toHaveCount(0)
    await expect(page.getByRole('button', { name: t('assessment:TestSubmit'), exact: true })).toBeVisible()
    await page.getByRole('button', { name: t('assessment:TestBack'), exact: true }).tap()
    await expect(page.getByRole('tab', { name: t('assessment:TestSection', { number: 2 }) })).toHaveAttribute('aria-selected', 'true')
  })
})
