import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { instancesForCoach } from '#contract/instances.coach.ts'
import { instances } from '#contract/instances.ts'
import { leaningOf } from '#sandbox/demo-accounts/leaning.ts'
import { completeAs, newPlayer, scriptOf, type Person } from './support/api.ts'
import { newCoach } from './support/coach.ts'
import { installFillingDisk } from './support/disk.ts'
import { cut, type Front } from './support/front.ts'
import { arriveAs, expect, expectAccessible, gate, test } from './support/journey.ts'
import { questionOf, ratingOf } from './support/questionnaire.ts'
import { countLoads, watchRequests } from './support/requests.ts'
import { expectScreen } from './support/screens.ts'
import { give } from './support/tokens-panel.ts'
import { appOf, openWithoutApp } from './support/first-questions.ts'

/** What happens to the app or the assessment while the page shows the questions without React. docs/decisions/0064 */

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

test('a file of the app that the server has no more does not reload the page while answers are in it alone', async ({
  page,
  server,
  front,
  t,
}) => {
  const asked = watchRequests(page, /\/assets\/vendor-/)
  await installFillingDisk(page)
  const { question, app, stored } = await openWithoutApp(page, server, front, { isMissing: true })
  const leaving: string[] = []
  page.on('dialog', (dialog) => {
    leaving.push(dialog.type())
    void dialog.dismiss()
  })
  await page.evaluate(() => dispatchEvent(new Event('diskFull')))
  front.bend(/\/responses/, cut)
  const [first] = question.items
  if (!first) throw new Error('The first question has no statement')
  await ratingOf(page, first.text, '4').tap({ force: true })
  await expect(page.getByText(t('assessment:TestNotSavedOnDevice'))).toBeVisible()
  const before = asked.length
  app.open()
  // each failure of the file asks for it again, and would reload the page
  await expect.poll(() => asked.length, { timeout: 30_000 }).toBeGreaterThan(before + 2)
  expect(leaving).toEqual([])
  await expect(ratingOf(page, first.text, '4')).toBeChecked()

  front.mend()
  await expect(appOf(page)).toBeVisible({ timeout: 40_000 })
  await expect.poll(stored).toMatchObject({ [first.id]: '4' })
})

test('the app comes although the request for one of its scripts is never answered', async ({ page, server, front }) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  const [question] = script
  if (!question) throw new Error('There is no question')
  // what a script's element asks for waits for ever; what the page fetches since is answered
  let isLost = true
  front.bend(/^\/assets\/vendor-/, ({ headers }, _, pass) => (isLost && headers['sec-fetch-dest'] !== 'empty' ? undefined : pass()))
  await page.clock.install()
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await expect(questionOf(page, question)).toBeVisible()
  const fetched = page.waitForResponse(/\/assets\/vendor-/)
  await page.clock.fastForward(61_000)
  await page.clock.fastForward(1000)
  await fetched
  isLost = false
  const loads = countLoads(page)
  await expect(async () => {
    await page.clock.fastForward(21_000)
    expect(loads()).toBe(1)
  }).toPass({ timeout: 30_000 })
  await expect(appOf(page)).toBeVisible()
})

test('nobody answers for a person who has signed out in another tab', async ({ page, server, front, context, t }) => {
  const { question, app } = await openWithoutApp(page, server, front)
  const other = await context.newPage()
  await other.goto(`${front.url}/api/health`)
  await other.evaluate(() => localStorage.clear())
  // before the app is there, too
  await expect(page.getByRole('alert')).toHaveText(t('assessment:TestOverWaits'))
  await expect(questionOf(page, question)).toHaveCount(0)
  app.open()
  await expect(page.getByRole('textbox')).toBeVisible()
  await expect(questionOf(page, question)).toHaveCount(0)
})

test('a tab that was discarded before the app was there leads nobody to its screen after a sign-out', async ({
  page,
  server,
  front,
  t,
}) => {
  const { app } = await openWithoutApp(page, server, front)
  // its entry of the history stays with the browser
  await page.goto(`${front.url}/api/health`)
  await page.evaluate(() => localStorage.clear())
  app.open()
  await page.goBack()
  await expectScreen(page, t, 'login', front.url + paths.login())
  expect(await page.evaluate(() => localStorage.getItem('returnTo'))).toBeNull()
})

/** The questions before the app in one tab, and in another one with the app, which tells the first what it learns. */
async function besideTheApp(page: Page, front: Front, person: Person, instanceId: string) {
  const [question] = scriptOf(await person.api.ask(instances.get, { params: { instanceId } }))
  if (!question) throw new Error('There is no question')
  const app = gate()
  await page.route(/\/assets\/vendor-/, (route) => app.opened.then(() => route.continue()))
  await arriveAs(page, person, paths.test(instanceId), { origin: front.url })
  await expect(questionOf(page, question)).toBeVisible()
  const other = await page.context().newPage()
  await other.goto(front.url + paths.test(instanceId))
  await expect(appOf(other)).toBeVisible()
  return { question, app, other }
}

test('an assessment that was completed elsewhere says so before the app is there', async ({ page, server, front, t }) => {
  const player = await newPlayer(server.url)
  const { instanceId } = player
  const { question, app, other } = await besideTheApp(page, front, player, instanceId)
  await questionOf(page, question).getByRole('radio').first().focus()
  await completeAs(player, instanceId, leaningOf(3))
  await other.reload()
  await expect(page.getByRole('alert')).toHaveText(t('assessment:TestOverCompleted'))
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(page.getByRole('radio')).toHaveCount(0)
  await expectAccessible(page, 'completed elsewhere')
  app.open()
  await expectScreen(page, t, 'results', front.url + paths.results(instanceId))
})

test('an assessment that its coach took back says so before the app is there', async ({ page, server, front, t }) => {
  const coach = await newCoach(server.url, { tokens: 1 })
  const player = await newPlayer(server.url, { hasBought: false })
  const instanceId = await give(coach, player.email)
  const { question, app, other } = await besideTheApp(page, front, player, instanceId)
  await coach.api.ask(instancesForCoach.reclaim, { params: { instanceId }, query: {} })
  // its save is refused
  await ratingOf(other, question.items[0]?.text ?? '', '2').tap({ force: true })
  await expect(page.getByRole('alert')).toHaveText(t('assessment:TestOverReclaimed'))
  await expect(page.getByRole('link', { name: t('shell:ReturnToDashboard') })).toHaveAttribute('href', paths.home())
  await expect(page.getByRole('radio')).toHaveCount(0)
  app.open()
  await expect(page.getByRole('alert').getByRole('paragraph')).toHaveText(
    t('assessment:TestNotSent', { reason: t('errors:INSTANCE_RECLAIMED') }),
  )
})
