import { readFile } from 'node:fs/promises'
import type { Download, Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { users } from '#contract/users.ts'
import { leaningOf } from '#sandbox/demo-accounts/leaning.ts'
import { completeAs, newPlayer, signInByApi } from './support/api.ts'
import { refuseWith } from './support/front.ts'
import { arriveAs, expect, goOffline, goOnline, tapInVain, test, untilWorkerIsThere, workerTest } from './support/journey.ts'
import { textOfPages, withoutSpace } from './support/paper.ts'
import { anyOf, startOf, wordsOf, type Words } from './support/words.ts'

/** A player's own report as a PDF, from the results screen. RESULTS-16, RESULTS-17 */

const REPORT = /\/report\.pdf(\?|$)/

async function donePlayer(url: string) {
  const player = await signInByApi(url, 'player.done@demo.test')
  const [instance] = (await player.api.ask(instances.list, { query: {} })).data
  if (!instance) throw new Error('The demo player has no result')
  return { player, instanceId: instance.instanceId }
}

const button = (page: Page, t: Words, name: 'Link' | 'Open' | 'Again') =>
  page.getByRole('button', { name: t(`results:ResultsOwnReport${name}`), exact: true })

async function saved(page: Page, act: () => Promise<void>): Promise<Download> {
  const [file] = await Promise.all([page.waitForEvent('download'), act()])
  return file
}

for (const language of ['en', 'fr'] as const) {
  workerTest(`downloaded once, the report opens without a connection (${language})`, async ({ page, server }) => {
    const t = wordsOf(language)
    const { player, instanceId } = await donePlayer(server.url)
    await arriveAs(page, player, paths.results(instanceId), { language })
    await untilWorkerIsThere(page)
    await expect(page.getByText(t('results:ResultsOwnReportNotHere'))).toBeVisible()

    const first = await saved(page, () => button(page, t, 'Link').click())
    expect(first.suggestedFilename()).toBe(language === 'en' ? 'touchline-report.pdf' : 'touchline-rapport.pdf')
    const bytes = await readFile(await first.path())
    expect(bytes.toString('latin1')).toMatch(new RegExp(`^%PDF-[^]*/Lang \\(${language}\\)`))
    await expect(page.getByText(startOf(t('results:ResultsOwnReportHere')))).toBeVisible()

    await goOffline(page, t)
    await page.reload()
    const again = await saved(page, () => button(page, t, 'Open').click())
    expect(await readFile(await again.path())).toEqual(bytes)
  })
}

for (const timezoneId of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
  test.describe(timezoneId, () => {
    test.use({ timezoneId })
    test('the report has the day that the screen has', async ({ page, t, server }) => {
      const { player, instanceId } = await donePlayer(server.url)
      await arriveAs(page, player, paths.results(instanceId))
      const said = /Completed on \d+[a-z]+ \w+ \d{4}/
      await expect(page.getByRole('main')).toContainText(said)
      const [day = ''] = said.exec(await page.getByRole('main').innerText()) ?? []
      const file = await saved(page, () => button(page, t, 'Link').click())
      const [first = ''] = await textOfPages(await readFile(await file.path()))
      expect(first).toContain(withoutSpace(day))
    })
  })
}

workerTest('without a connection a report that is not on the device says so, and downloads afterwards', async ({ page, t, server }) => {
  const { player, instanceId } = await donePlayer(server.url)
  await arriveAs(page, player, paths.results(instanceId))
  await untilWorkerIsThere(page)
  await expect(button(page, t, 'Link')).toBeVisible()
  await goOffline(page, t)
  await expect(page.getByText(t('results:ResultsOwnReportNotHere'))).toBeVisible()
  await tapInVain(page, t, button(page, t, 'Link'))
  await goOnline(page, t)
  await saved(page, () => button(page, t, 'Link').click())
})

test('a download that fails says why, and works at the next try', async ({ page, t, server, front }) => {
  const { player, instanceId } = await donePlayer(server.url)
  await arriveAs(page, player, paths.results(instanceId), { origin: front.url })
  front.bend(REPORT, refuseWith(429, 'TOO_MANY_REQUESTS', { 'retry-after': '30' }))
  await button(page, t, 'Link').click()
  await expect(page.getByRole('alert').filter({ hasText: t('errors:TOO_MANY_REQUESTS') })).toBeVisible()
  front.mend()
  await saved(page, () => button(page, t, 'Link').click())
  await expect(page.getByRole('alert')).toBeHidden()
  await expect(button(page, t, 'Again')).toBeVisible()
})

test('a name that the report cannot write is left out of it, and the page says so before the download', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  await completeAs(player, player.instanceId, leaningOf(1))
  await arriveAs(page, player, paths.results(player.instanceId))
  const report = page.getByRole('region', { name: t('results:ResultsReportTitle') })
  await expect(report.getByText(t('results:ResultsOwnReportText'))).toBeVisible()
  await expect(report.getByText(t('results:ResultsOwnReportNameless'))).toBeHidden()
  await player.api.ask(users.update, { params: { id: player.userId }, body: { firstName: 'محمد' } })
  await page.reload()
  await expect(report.getByText(t('results:ResultsOwnReportNameless'))).toBeVisible()
})

for (const [name, body] of [
  ['empty', ''],
  ['cut', '%PDF-1.7\n1 0 obj'],
  ['foreign', '<html>Sign in to Wi-Fi</html>'],
] as const) {
  test(`a reply that is ${name} fails, and leaves the report that the device has`, async ({ page, t, server, front }) => {
    const { player, instanceId } = await donePlayer(server.url)
    await arriveAs(page, player, paths.results(instanceId), { origin: front.url })
    const bytes = await readFile(await (await saved(page, () => button(page, t, 'Link').click())).path())
    front.bend(REPORT, (incoming, reply) => {
      incoming.resume()
      reply.writeHead(200, { 'content-type': 'application/pdf' }).end(body)
    })
    await button(page, t, 'Again').click()
    await expect(page.getByRole('alert').filter({ hasText: t('results:ResultsOwnReportStays') })).toBeVisible()
    await page.reload()
    const kept = await saved(page, () => button(page, t, 'Open').click())
    expect(await readFile(await kept.path())).toEqual(bytes)
    front.mend()
    await saved(page, () => button(page, t, 'Again').click())
    await expect(page.getByRole('alert')).toBeHidden()
  })
}

for (const [status, code, headers] of [
  [429, 'TOO_MANY_REQUESTS', { 'retry-after': '3000' }],
  [404, 'NOT_FOUND', {}],
  [409, 'INSTANCE_RECLAIMED', {}],
  [500, 'INTERNAL', {}],
] as const) {
  test(`a download refused with ${status} says what the server says`, async ({ page, t, server, front }) => {
    const { player, instanceId } = await donePlayer(server.url)
    await arriveAs(page, player, paths.results(instanceId), { origin: front.url })
    front.bend(REPORT, refuseWith(status, code, headers))
    await button(page, t, 'Link').click()
    const alert = page.getByRole('alert').filter({ hasText: t('results:ResultsOwnReportFailed') })
    // in the last hour before midnight with its day
    const said = status === 429 ? ['errors:WAIT_UNTIL', 'errors:WAIT_UNTIL_DAY_AND_TIME'] : [`errors:${code}`]
    await expect(alert).toContainText(new RegExp(said.map((key) => anyOf(t(key, { day: 'ANY', time: 'ANY' })).source).join('|')))
  })
}
