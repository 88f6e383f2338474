import { paths } from '#app/paths.ts'
import { instancesForCoach } from '#contract/instances.coach.ts'
import { instances } from '#contract/instances.ts'
import { newPlayer, scriptOf } from './support/api.ts'
import { newCoach } from './support/coach.ts'
import { arriveAs, expect, goOffline, goOnline, test, untilWorkerIsThere, workerTest } from './support/journey.ts'
import { answerAll } from './support/questionnaire.ts'
import { give } from './support/tokens-panel.ts'

/** When a coach sees which player has an assessment. BRIEF-6 */

test('the coach sees the player’s name once the player has opened the brief, and not before', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 1 })
  const player = await newPlayer(server.url, { hasBought: false })
  const instanceId = await give(coach, player.email)
  const rowOf = async () => (await coach.api.ask(instancesForCoach.allocated, { query: {} })).assessments[0]
  // the dashboard makes the assessment ready for no signal, which does not count as opening it
  await page.setViewportSize({ width: 768, height: 900 })
  await arriveAs(page, player, paths.home())
  await expect(page.getByText(t('home:StatusAllocated'))).toBeVisible()
  await page.goto(paths.brief(instanceId))
  await expect(page.getByRole('heading', { name: t('brief:BriefMobileTitle') })).toBeVisible()
  expect(await rowOf()).toMatchObject({ userEmail: player.email, userId: null, userName: null })

  // on a small screen the note on what the coach will see is further down
  await page.setViewportSize({ width: 390, height: 500 })
  let reports = 0
  page.on('request', (request) => (reports += Number(request.url().endsWith('/brief-opened'))))
  await page.getByRole('button', { name: t('brief:BriefMobileContinue') }).click()
  const sentence = page.getByText(t('brief:BriefWhoSeesCoach', { name: 'Ana Lopes' }))
  await expect(sentence).toBeVisible()
  await expect(sentence).not.toBeInViewport({ ratio: 1 })
  expect(reports).toBe(0)
  await page.getByRole('link', { name: t('assessment:LimitsLink') }).scrollIntoViewIfNeeded()
  await expect.poll(async () => (await rowOf())?.userName).toBe('Maya')
  expect(await rowOf()).toMatchObject({ status: 'ALLOCATED', userId: player.userId, userLastname: 'Lindqvist' })
})

workerTest('a brief opened offline is reported once there is a connection', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 1 })
  const player = await newPlayer(server.url, { hasBought: false })
  const instanceId = await give(coach, player.email)
  const rowOf = async () => (await coach.api.ask(instancesForCoach.allocated, { query: {} })).assessments[0]
  await arriveAs(page, player, paths.home())
  await untilWorkerIsThere(page)
  await expect(page.getByText(t('home:StatusAllocated'))).toBeVisible()
  await page.reload()
  await expect(page.getByText(t('home:StatusAllocated'))).toBeVisible()
  await goOffline(page, t)
  await page.goto(paths.brief(instanceId))
  await expect(page.getByText(t('brief:BriefWhoSeesCoach', { name: 'Ana Lopes' }))).toBeVisible()
  expect((await rowOf())?.userName).toBeNull()
  await goOnline(page, t)
  await expect.poll(async () => (await rowOf())?.userName).toBe('Maya')
})

test('on a phone who sees what is read before the assessment can be started', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  await page.setViewportSize({ width: 390, height: 600 })
  await arriveAs(page, player, paths.brief(player.instanceId))
  await page.getByRole('button', { name: t('brief:BriefMobileContinue') }).click()
  const who = page.getByRole('region', { name: t('brief:BriefWhoSeesTitle') })
  const start = page.getByRole('link', { name: t('brief:BriefStart') })
  await expect(who).toBeVisible()
  await expect(start).not.toBeInViewport()
  await start.scrollIntoViewIfNeeded()
  const [text, button] = await Promise.all([who.boundingBox(), start.boundingBox()])
  expect(button?.y).toBeGreaterThan((text?.y ?? 0) + (text?.height ?? 0))
})

workerTest('a brief of what was finished without a signal does not offer to go on', async ({ page, t, server }) => {
  const player = await newPlayer(server.url, { questions: 75 })
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  await arriveAs(page, player, paths.brief(player.instanceId))
  await untilWorkerIsThere(page)
  await page.getByRole('link', { name: t('brief:BriefContinue') }).click()
  await expect(page.getByRole('button', { name: t('assessment:TestSaveAndExit') })).toBeVisible()
  await goOffline(page, t)
  await answerAll(page, t, script.slice(75))
  await page.getByRole('button', { name: t('assessment:TestSubmit') }).click()
  await expect(page.getByRole('heading', { name: t('assessment:TestFinishedTitle') })).toBeVisible()
  await page.goBack()
  await expect(page.getByText(t('brief:BriefFinishedHere'))).toBeVisible()
  await expect(page.getByRole('link', { name: t('brief:BriefContinue') })).toHaveCount(0)
  await page.getByRole('link', { name: t('brief:BriefFinishedLink') }).click()
  await expect(page.getByRole('heading', { name: t('assessment:TestFinishedTitle') })).toBeVisible()
})
