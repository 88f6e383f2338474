import type { Page, Request } from '@playwright/test'
import { paths } from '#app/paths.ts'
import type { AllocatedInstance } from '#contract/instances.coach.ts'
import { expectReport, mixed, REPORT } from './support/coach-report.ts'
import { arriveAs, expect, goOffline, goOnline, untilWorkerIsThere, workerTest } from './support/journey.ts'
import { teamOf, teamRows } from './support/team-panel.ts'
import { startOf, wordsOf } from './support/words.ts'

/** The copies of the coach’s page of a player on the device. TEAM-23 */

const LIST = /\/api\/assessment\/coach\/allocated(\?|$)/

workerTest('once read it is there without a connection, with its date; one never read says so', async ({ page, t, server }) => {
  const { coach, read, instanceId } = await mixed(server.url)
  const report = await read()
  const other = (await teamOf(coach)).find(({ status, instanceId: id }) => status === 'COMPLETED' && id !== instanceId)
  await arriveAs(page, coach, paths.coachReport(instanceId))
  await untilWorkerIsThere(page)
  await expectReport(page, t, report)
  const asOf = page.getByText(startOf(t('parts:AsOf')))
  await expect(asOf).toBeHidden()
  await goOffline(page, t)
  await page.reload()
  await expectReport(page, t, report)
  await expect(asOf).toBeVisible()

  await page.goto(paths.coachReport(other?.instanceId ?? ''))
  await expect(page.getByRole('alert')).toHaveText(t('team:CoachReportNotOnDevice'))
  await goOnline(page, t)
  await expect(page.getByRole('heading', { name: t('team:CoachReportQuestionsTitle') })).toBeVisible()
})

workerTest('a copy on the device is removed when the server no longer has the page', async ({ page, t, server }) => {
  const { coach, instanceId } = await mixed(server.url)
  await arriveAs(page, coach, paths.coachReport(instanceId))
  await untilWorkerIsThere(page)
  await expect(page.getByRole('heading', { name: t('team:CoachReportQuestionsTitle') })).toBeVisible()
  const refusal = { code: 'NOT_FOUND', message: '', requestId: 'r' }
  await page.context().route(REPORT, (route) => route.fulfill({ status: 404, json: refusal }))
  await page.reload()
  await expect(page.getByRole('alert')).toHaveText(t('team:CoachReportNotFound'))
  await page.context().unroute(REPORT)
  await goOffline(page, t)
  await page.reload()
  await expect(page.getByRole('alert')).toHaveText(t('team:CoachReportNotOnDevice'))
})

workerTest('a copy stays when a proxy says 404, and is removed by any refusal of our server', async ({ page, t, server }) => {
  const { coach, read, instanceId } = await mixed(server.url)
  const report = await read()
  await arriveAs(page, coach, paths.coachReport(instanceId))
  await untilWorkerIsThere(page)
  await expectReport(page, t, report)
  const replyWith = (reply: { status: number; body: string; contentType: string }) =>
    page.context().route(REPORT, (route) => route.fulfill(reply))
  await expect.poll(async () => (await storedReports(page, instanceId)).length).toBe(2)
  await replyWith({ status: 404, body: '<h1>Not found</h1>', contentType: 'text/html' })
  await page.reload()
  await expectReport(page, t, report)
  await expect(page.getByText(startOf(t('parts:AsOf')))).toBeVisible()
  await page.context().unroute(REPORT)

  const refusal = { code: 'ALREADY_RECLAIMED', message: '', requestId: 'r' }
  await replyWith({ status: 409, body: JSON.stringify(refusal), contentType: 'application/json' })
  await page.reload()
  await expect(page.getByRole('alert')).toHaveText(t('team:CoachReportReclaimed'))
  await expect.poll(() => storedReports(page, instanceId)).toEqual([])
})

workerTest('a copy on the device is removed when the team’s list no longer has the page', async ({ page, t, server }) => {
  const { coach, instanceId } = await mixed(server.url)
  await arriveAs(page, coach, paths.coachReport(instanceId))
  await untilWorkerIsThere(page)
  await expect(page.getByRole('heading', { name: t('team:CoachReportQuestionsTitle') })).toBeVisible()
  // as once the account is closed
  await page.context().route(LIST, async (route) => {
    const response = await route.fetch()
    const { assessments } = (await response.json()) as { assessments: AllocatedInstance[] }
    const closed = assessments.map((one) => (one.instanceId === instanceId ? { ...one, userId: null } : one))
    await route.fulfill({ response, json: { assessments: closed } })
  })
  await page.goto(paths.home())
  await expect(teamRows(page, t).first()).toBeVisible()
  await expect.poll(() => storedReports(page, instanceId)).toEqual([])
  await goOffline(page, t)
  await page.goto(paths.coachReport(instanceId))
  await expect(page.getByRole('alert')).toHaveText(t('team:CoachReportNotOnDevice'))
})

workerTest('offline it is there in both languages; where only one could be stored, it says so', async ({ page, t, server }) => {
  const { coach, read, instanceId } = await mixed(server.url)
  const [english, french] = [await read(), await read('fr')]
  const fr = wordsOf('fr')
  const onlyOne = fr('team:CoachReportOtherLanguage', { language: 'anglais' })
  await arriveAs(page, coach, paths.coachReport(instanceId))
  await untilWorkerIsThere(page)
  await expectReport(page, t, english)
  await expect.poll(async () => (await storedReports(page, instanceId)).length).toBe(2)
  await goOffline(page, t)
  await page.getByRole('button', { name: 'Français' }).click()
  await expect(page.getByText(fr('team:CoachReportForCoach'))).toBeVisible()
  await expectReport(page, fr, french)
  await expect(page.getByText(onlyOne)).toBeHidden()

  await page.getByRole('button', { name: 'English' }).click()
  await goOnline(page, t)
  await page.context().route(REPORT, (route) => (isFrench(route.request()) ? route.abort() : route.fallback()))
  await page.reload()
  await expectReport(page, t, english)
  await expect.poll(async () => (await storedReports(page, instanceId)).length).toBe(1)
  await goOffline(page, t)
  await page.getByRole('button', { name: 'Français' }).click()
  await expect(page.getByText(onlyOne)).toBeVisible()
  await expectReport(page, fr, english)
})

const isFrench = (request: Request) => (request.headers()['accept-language'] ?? '').startsWith('fr')

/** The keys of what the device has stored of this page. */
function storedReports(page: Page, instanceId: string): Promise<string[]> {
  return page.evaluate(
    (id) =>
      new Promise<string[]>((resolve, reject) => {
        const opening = indexedDB.open('touchline')
        opening.onerror = () => reject(new Error('The device cannot be read'))
        opening.onsuccess = () => {
          const reading = opening.result.transaction('reads').objectStore('reads').getAll()
          reading.onsuccess = () => {
            opening.result.close()
            const rows = reading.result as { key: string; value: unknown }[]
            resolve(rows.filter(({ key, value }) => key.includes(`${id}"`) && value !== null).map(({ key }) => key))
          }
        }
      }),
    instanceId,
  )
}
