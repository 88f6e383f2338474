import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { newAddress } from './support/api.ts'
import { newCoach } from './support/coach.ts'
import { firstReplyLate } from './support/front.ts'
import { arriveAs, expect, gate, goOffline, goOnline, tapInVain, test, untilWorkerIsThere, workerTest } from './support/journey.ts'
import { watchRequests } from './support/requests.ts'
import { refresh, team, teamRows } from './support/team-panel.ts'
import {
  ALLOCATE,
  assignButton,
  dialog,
  emailField,
  expectTotals,
  give,
  listField,
  openAssign,
  openMany,
  panel as tokensPanel,
  send,
} from './support/tokens-panel.ts'
import { startOf, type Words } from './support/words.ts'

/** A coach's dashboard that stays open is refreshed when it is looked at. HOME-19 */

const ALLOCATED = /\/api\/assessment\/coach\/allocated/

const updated = (page: Page, t: Words) => team(page, t).getByText(startOf(t('team:UpdatedAt', { moment: '' }).trim()))

const comeToFront = (page: Page) => page.evaluate(() => dispatchEvent(new Event('focus')))

test('the figures behind the dialog are updated while a list is being sent', async ({ page, t, server, front }) => {
  const coach = await newCoach(server.url, { tokens: 3 })
  await arriveAs(page, coach, paths.home(), { origin: front.url })
  const { open, opened } = gate()
  let asked = 0
  front.bend(ALLOCATE, (_incoming, _reply, pass) => {
    asked += 1
    if (asked === 1) pass()
    else void opened.then(pass)
  })
  await openMany(page, t)
  await listField(page, t).fill([newAddress(), newAddress(), newAddress()].join('\n'))
  await send(page, t).click()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await expectTotals(page, t, [3, 1, 2])
  open()
  await expectTotals(page, t, [3, 3, 0])
})

test('a team that was first read before a token was assigned, and arrives after it, is read again', async ({ page, t, server, front }) => {
  const coach = await newCoach(server.url, { tokens: 3 })
  const late = gate()
  front.bend(ALLOCATED, firstReplyLate(server.url, late.opened))
  await arriveAs(page, coach, paths.home(), { origin: front.url })
  await openAssign(page, t, 1)
  const email = newAddress()
  await emailField(page, t).fill(email)
  await assignButton(page, t).click()
  await expect(dialog(page)).toBeHidden()
  late.open()
  await expect(teamRows(page, t)).toHaveCount(1)
})

test('it is read again when it comes to the front, at most every ten seconds, and by a button that shows the time', async ({
  page,
  t,
  server,
}) => {
  const coach = await newCoach(server.url, { tokens: 4 })
  await give(coach, newAddress())
  const reads = watchRequests(page, ALLOCATED)
  // however slow the machine is, ten seconds pass only where the test says so
  const start = Date.now()
  await page.clock.setFixedTime(start)
  await arriveAs(page, coach, paths.home())
  await expect(teamRows(page, t)).toHaveCount(1)
  await expect(updated(page, t)).toHaveText(/\d{1,2}:\d{2}/)
  await expectTotals(page, t, [4, 1, 3])

  // meanwhile another tablet gives a token
  await give(coach, newAddress())
  const before = reads.length
  await comeToFront(page)
  expect(reads).toHaveLength(before)
  await page.clock.setFixedTime(start + 11_000)
  await comeToFront(page)
  await expect(teamRows(page, t)).toHaveCount(2)
  await expectTotals(page, t, [4, 2, 2])
  await comeToFront(page)

  await give(coach, newAddress())
  await refresh(page, t).click()
  await expect(teamRows(page, t)).toHaveCount(3)
  // once on coming to the front, once by the button
  expect(reads).toHaveLength(before + 2)
  await expectTotals(page, t, [4, 3, 1])

  // also after the tablet's clock was set back
  await give(coach, newAddress())
  await page.clock.setFixedTime(start - 7_200_000)
  await comeToFront(page)
  await expect(teamRows(page, t)).toHaveCount(4)
})

test('a dashboard that cannot be read again stays with its time, and is not requested repeatedly', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 2 })
  await give(coach, newAddress())
  await page.clock.install()
  await arriveAs(page, coach, paths.home())
  await expect(teamRows(page, t)).toHaveCount(1)
  let reads = 0
  await page.route(ALLOCATED, (route) => {
    reads += 1
    return route.fulfill({ status: 422, contentType: 'application/json', body: '{"code":"INTERNAL","message":"-","requestId":"-"}' })
  })
  await page.clock.fastForward(11_000)
  await comeToFront(page)
  await expect(team(page, t).getByText(startOf(t('parts:AsOf', { moment: '' }).trim()))).toBeVisible()
  await expect(teamRows(page, t)).toHaveCount(1)
  for (let look = 0; look < 5; look += 1) await comeToFront(page)
  await refresh(page, t).click()
  await expect(page.locator('#toasts').getByText(t('home:RefreshFailed'))).toBeVisible()
  await expect(teamRows(page, t)).toHaveCount(1)
  expect(reads).toBe(2)

  await page.unroute(ALLOCATED)
  await give(coach, newAddress())
  await refresh(page, t).click()
  await expect(teamRows(page, t)).toHaveCount(2)
  await expect(updated(page, t)).toBeVisible()
})

test('whoever closes a toast, or stands on the strip when it goes, has the focus on the heading', async ({ page, t, server }) => {
  const coach = await newCoach(server.url)
  await arriveAs(page, coach, paths.home())
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toBeVisible()
  await page.route(ALLOCATED, (route) => route.fulfill({ status: 422, json: { code: 'INTERNAL', message: '-', requestId: '-' } }))
  await refresh(page, t).click()
  const toast = page.locator('#toasts')
  await expect(toast.getByText(t('home:RefreshFailed'))).toBeVisible()
  await toast.getByRole('button').press('Enter')
  await expect(heading).toBeFocused()
  await goOffline(page, t)
  const link = page.getByRole('link', { name: t('shell:SeeWhatWaits') })
  await link.focus()
  await goOnline(page, t)
  await expect(link).toBeHidden()
  await expect(heading).toBeFocused()
})

test('after a conflict the screen shows the current state: the last token was given elsewhere', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 1 })
  await arriveAs(page, coach, paths.home())
  await openAssign(page, t, 1)
  const email = newAddress()
  await give(coach, email)
  await emailField(page, t).fill(newAddress())
  await assignButton(page, t).click()
  await expect(dialog(page).getByRole('alert')).toBeVisible()
  await page.keyboard.press('Escape')
  await expectTotals(page, t, [1, 1, 0])
  await expect(team(page, t).getByRole('cell', { name: email, exact: true })).toBeVisible()
})

test('pulling down refreshes the installed app; in a tab the browser’s own pull works', async ({ browser, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 2 })
  await give(coach, newAddress())
  for (const isInstalled of [true, false]) {
    const context = await browser.newContext({ viewport: { width: 820, height: 1180 }, hasTouch: true })
    const page = await context.newPage()
    await page.addInitScript((isInstalled) => {
      const ask = window.matchMedia.bind(window)
      window.matchMedia = (query) => (query.includes('display-mode: standalone') ? ask(isInstalled ? 'all' : 'not all') : ask(query))
    }, isInstalled)
    await arriveAs(page, coach, paths.home())
    await expect(updated(page, t)).toBeVisible()
    const reads = watchRequests(page, ALLOCATED)
    const hand = await context.newCDPSession(page)
    const at = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
      hand.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x: 400, y }] })
    await at('touchStart', 100)
    for (const y of [120, 160, 200, 260]) await at('touchMove', y)
    await expect(page.getByText(t('home:PullRelease'))).toHaveCount(isInstalled ? 1 : 0)
    await at('touchEnd')
    await expect(page.getByText(t('home:PullRelease'))).toHaveCount(0)
    if (isInstalled) await expect.poll(() => reads).toHaveLength(1)
    else expect(reads).toEqual([])
    await context.close()
  }
})

workerTest('a tap offline on an action that needs a connection gets a visible reason', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 2 })
  await give(coach, newAddress())
  await arriveAs(page, coach, paths.home())
  await untilWorkerIsThere(page)
  await expect(teamRows(page, t)).toHaveCount(1)
  await goOffline(page, t)
  const within = tokensPanel(page, t)
  const act = (key: string) => within.getByRole('button', { name: startOf(t(`tokens:${key}`, { index: '', email: '' })) }).first()
  for (const button of [refresh(page, t), act('TokenResendOf'), act('TokenReclaimOf'), act('TokenAssignOf')]) {
    await tapInVain(page, t, button)
    await page
      .locator('#toasts')
      .getByRole('button', { name: t('ui:Close') })
      .click()
  }
  // the report does not open as the browser's error page either
  const report = team(page, t).getByRole('link', { name: startOf(t('team:SampleReport')) })
  await tapInVain(page, t, report)
  expect(page.context().pages()).toHaveLength(1)
  const cell = team(page, t).getByRole('combobox', { name: startOf(t('team:TeamCellOf', { column: t('team:TeamColumnType'), name: '' })) })
  await cell.click({ force: true })
  await expect(page.locator('#toasts').getByText(t('team:TeamEditNeedsConnection'))).toBeVisible()
})
