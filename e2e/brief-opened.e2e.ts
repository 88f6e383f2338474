import { paths } from '#app/paths.ts'
import { instancesForCoach } from '#contract/instances.coach.ts'
import { newPlayer } from './support/api.ts'
import { newCoach } from './support/coach.ts'
import { arriveAs, expect, goOffline, goOnline, test, untilWorkerIsThere, workerTest } from './support/journey.ts'
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
