import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { marks } from '#contract/marks.ts'
import { DEMO_PLAYER_DONE, signInByApi } from './support/api.ts'
import { cut } from './support/front.ts'
import { installClock } from './support/clock.ts'
import { arriveAs, expect, goOffline, goOnline, signOut, test, untilWorkerIsThere, workerTest } from './support/journey.ts'
import { wordsOf, type Words } from './support/words.ts'

/** A player marks the paragraphs of a result. RESULTS-19 */

async function playerWithoutMarks(url: string) {
  const player = await signInByApi(url, DEMO_PLAYER_DONE)
  const [instance] = (await player.api.ask(instances.list, { query: {} })).data
  if (!instance) throw new Error('The demo player has no result')
  const params = { instanceId: instance.instanceId }
  const { marks: earlier } = await player.api.ask(marks.list, { params })
  const taken = earlier.map((one) => ({ ...one, mark: null, at: Date.now() }))
  if (taken.length > 0) await player.api.ask(marks.save, { params, body: { marks: taken } })
  const saved = async () => {
    const { marks: all } = await player.api.ask(marks.list, { params })
    return Object.fromEntries(all.filter(({ mark }) => mark !== null).map(({ paragraph, mark }) => [paragraph, mark]))
  }
  return { player, instanceId: instance.instanceId, saved }
}

const choices = (page: Page, t: Words, part: string) => page.getByRole('group', { name: t('results:ResultsMarkGroup', { part }) })
const choice = (page: Page, t: Words, part: string, mark: 'Like' | 'Partly' | 'Not') =>
  choices(page, t, part).getByRole('button', { name: t(`results:ResultsMark${mark}`), exact: true })

for (const language of ['en', 'fr'] as const) {
  test(`each part is marked by tap or key, and a second tap takes the mark away (${language})`, async ({ page, server }) => {
    const t = wordsOf(language)
    const { player, instanceId, saved } = await playerWithoutMarks(server.url)
    await arriveAs(page, player, paths.results(instanceId), { language })
    const [team, learning] = [t('results:ResultsOverviewTeam'), t('results:ResultsOverviewLearning')]
    await choice(page, t, team, 'Like').click()
    await expect(choice(page, t, team, 'Like')).toHaveAttribute('aria-pressed', 'true')
    await choice(page, t, learning, 'Partly').focus()
    await page.keyboard.press('Space')
    await expect(page.getByText(t('results:ResultsMarksSum', { like: 1, partly: 1, not: 0 }))).toBeVisible()
    await expect(page.getByText(t('results:ResultsMarksSaved'))).toBeVisible()
    await expect.poll(saved).toEqual({ 'overview-1': 'like', 'overview-2': 'partly' })

    await choice(page, t, team, 'Not').click()
    await choice(page, t, learning, 'Partly').click()
    await expect(choice(page, t, learning, 'Partly')).toHaveAttribute('aria-pressed', 'false')
    await expect.poll(saved).toEqual({ 'overview-1': 'not' })
    await page.reload()
    await expect(choice(page, t, team, 'Not')).toHaveAttribute('aria-pressed', 'true')
    await page.emulateMedia({ media: 'print' })
    await expect(choices(page, t, team).getByText(t('results:ResultsMarkPrinted', { mark: t('results:ResultsMarkNot') }))).toBeVisible()
    await expect(choice(page, t, team, 'Not')).toBeHidden()
  })
}

workerTest('marks made without a connection outlive a reload, and go to the account later', async ({ page, t, server }) => {
  const { player, instanceId, saved } = await playerWithoutMarks(server.url)
  await arriveAs(page, player, paths.results(instanceId))
  await untilWorkerIsThere(page)
  const team = t('results:ResultsOverviewTeam')
  await expect(choices(page, t, team)).toBeVisible()
  await goOffline(page, t)
  await choice(page, t, team, 'Partly').click()
  await expect(page.getByText(t('results:ResultsMarksWaiting'))).toBeVisible()
  await page.reload()
  await expect(choice(page, t, team, 'Partly')).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByText(t('results:ResultsMarksWaiting'))).toBeVisible()
  expect(await saved()).toEqual({})
  await goOnline(page, t)
  await expect(page.getByText(t('results:ResultsMarksSaved'))).toBeVisible({ timeout: 20_000 })
  expect(await saved()).toEqual({ 'overview-1': 'partly' })
})

test('a mark that was sent by itself is not said to wait any more', async ({ page, t, server, front }) => {
  const { player, instanceId } = await playerWithoutMarks(server.url)
  const clock = await installClock(page)
  front.bend(/\/marks$/, (incoming, reply, pass) => (incoming.method === 'PUT' ? cut(incoming, reply, pass) : pass()))
  await arriveAs(page, player, paths.results(instanceId), { origin: front.url })
  await choice(page, t, t('results:ResultsOverviewTeam'), 'Partly').click()
  await expect(page.getByText(t('results:ResultsMarksWaiting'))).toBeVisible()
  await page.goto(front.url + paths.device())
  await expect(page.getByText(t('device:WaitingMarks', { count: 1 }))).toBeVisible()
  const sent = page.waitForResponse((reply) => reply.request().method() === 'PUT' && reply.ok())
  front.mend()
  await clock.passUntil(() => page.getByText(t('device:WaitingNothing')).isVisible())
  await sent
})

test('signing out says how many marks were not sent, and sends them', async ({ page, t, server }) => {
  const { player, instanceId } = await playerWithoutMarks(server.url)
  await arriveAs(page, player, paths.home())
  await page.goto(server.url + paths.results(instanceId))
  const team = t('results:ResultsOverviewTeam')
  await page.route(/\/marks$/, (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()))
  await choice(page, t, team, 'Not').click()
  await expect(page.getByText(t('results:ResultsMarksWaiting'))).toBeVisible()
  await page.goto(server.url + paths.home())
  await signOut(page, t)
  const dialog = page.getByRole('dialog', { name: t('leaving:MarksTitle', { count: 1 }) })
  await expect(dialog).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  await dialog.getByRole('button', { name: t('leaving:SendNow') }).click()
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  // signing out ended the session of this journey
  const again = await signInByApi(server.url, DEMO_PLAYER_DONE)
  const { marks: all } = await again.api.ask(marks.list, { params: { instanceId } })
  expect(all.filter(({ mark }) => mark !== null)).toMatchObject([{ paragraph: 'overview-1', mark: 'not' }])
})

test('a guest who asks is told that a mark kept at sign-out waits on the device', async ({ page, t, server }) => {
  const { player, instanceId } = await playerWithoutMarks(server.url)
  await arriveAs(page, player, paths.results(instanceId))
  await page.route(/\/marks$/, (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()))
  await choice(page, t, t('results:ResultsOverviewTeam'), 'Partly').click()
  await expect(page.getByText(t('results:ResultsMarksWaiting'))).toBeVisible()
  await page.goto(server.url + paths.home())
  await signOut(page, t)
  await page
    .getByRole('dialog', { name: t('leaving:MarksTitle', { count: 1 }) })
    .getByRole('button', { name: t('leaving:KeepAndSignOut') })
    .click()
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  await page.goto(server.url + paths.device())
  await expect(page.getByRole('status').getByText(t('device:WaitsForSignIn'))).toBeVisible()
})
