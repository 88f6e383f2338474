import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { newAddress } from './support/api.ts'
import { newCoach, tokensAvailable } from './support/coach.ts'
import { firstReplyLate } from './support/front.ts'
import { arriveAs, expect, gate, test as base } from './support/journey.ts'
import { ALLOCATE, TOKENS, dialog, listField, openMany, send } from './support/tokens-panel.ts'

/** The coach's list of players, open in two tabs. ASSIGN-14 */

interface TwoTabs {
  tabs: { page: Page; other: Page; coach: Awaited<ReturnType<typeof newCoach>>; passAllocations: () => void }
}

/** A coach with six tokens, whose empty list is open in both tabs. What is sent waits for `passAllocations`. */
const test = base.extend<TwoTabs>({
  tabs: async ({ page, t, server, front, context }, provide) => {
    const coach = await newCoach(server.url, { tokens: 6 })
    const { open, opened } = gate()
    front.bend(ALLOCATE, (_incoming, _reply, pass) => void opened.then(pass))
    await arriveAs(page, coach, paths.home(), { origin: front.url })
    const other = await context.newPage()
    await other.goto(front.url + paths.home())
    await openMany(other, t)
    await openMany(page, t)
    await provide({ page, other, coach, passAllocations: open })
  },
})

test('it is one list', async ({ tabs: { page, other, passAllocations }, t }) => {
  await listField(page, t).fill('ana@club.test, ben@club.test')
  await expect(listField(other, t)).toHaveValue('ana@club.test, ben@club.test')
  await listField(other, t).press('End')
  await listField(other, t).pressSequentially(', cy@club.test')
  await expect(listField(page, t)).toHaveValue('ana@club.test, ben@club.test, cy@club.test')
  await page.reload()
  await openMany(page, t)
  await expect(listField(page, t)).toHaveValue('ana@club.test, ben@club.test, cy@club.test')
  passAllocations()
  await send(page, t).click()
  await expect(dialog(other).getByText(t('tokens:AssignManyResult', { sent: 3, left: 0 }))).toBeVisible()
})

test('while one tab sends it, the other neither changes nor sends it', async ({ tabs: { page, other, coach, passAllocations }, t }) => {
  await listField(page, t).fill(Array.from({ length: 4 }, newAddress).join('\n'))
  await expect(dialog(other).getByText(t('tokens:AssignManyReady', { ready: 4, total: 4 }))).toBeVisible()
  await send(page, t).click()
  await expect(dialog(other).getByText(t('tokens:AssignManyElsewhere'))).toBeVisible()
  await expect(listField(other, t)).not.toBeEditable()
  await expect(dialog(other).getByRole('button', { name: t('tokens:AssignManyStop') })).toBeHidden()
  await send(other, t).click({ force: true })
  passAllocations()
  for (const tab of [page, other]) await expect(dialog(tab).getByText(t('tokens:AssignManyResult', { sent: 4, left: 0 }))).toBeVisible()
  await expect(listField(other, t)).toBeEditable()
  await expect.poll(() => tokensAvailable(coach)).toBe(2)
})

test('it is free again when the tab that was sending it is closed', async ({ tabs: { page, other, coach, passAllocations }, t }) => {
  await listField(other, t).fill([newAddress(), newAddress()].join('\n'))
  await expect(listField(page, t)).not.toHaveValue('')
  await send(other, t).click()
  await expect(dialog(page).getByText(t('tokens:AssignManyElsewhere'))).toBeVisible()
  await other.close()
  await expect(dialog(page).getByText(t('tokens:AssignManyElsewhere'))).toBeHidden()
  passAllocations()
  await send(page, t).click()
  await expect(dialog(page).getByText(t('tokens:AssignManyResult', { sent: 2, left: 0 }))).toBeVisible()
  await expect.poll(() => tokensAvailable(coach)).toBe(4)
})

/** Until the returned function is called, no store of the page takes anything. */
async function fillDisk(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const put = IDBObjectStore.prototype.put
    Object.assign(window, { mendDisk: () => (IDBObjectStore.prototype.put = put) })
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  return () => page.evaluate(() => (window as unknown as { mendDisk: () => void }).mendDisk())
}

test('a tab with a full disk loses nothing of what the other has stored', async ({ tabs: { page, other }, t }) => {
  const mend = await fillDisk(page)
  await listField(page, t).fill('ana@club.test')
  await expect(dialog(page).getByText(t('tokens:AssignManyNotKept'))).toBeVisible()
  await listField(other, t).fill('ben@club.test, cy@club.test')
  await expect(dialog(other).getByText('cy@club.test').first()).toBeVisible()
  await mend()
  await listField(page, t).press('End')
  await listField(page, t).pressSequentially('x')
  for (const tab of [page, other]) await expect(listField(tab, t)).toHaveValue('ben@club.test, cy@club.test\nana@club.testx')
})

test('a tab is told that the other sends, though its disk is full', async ({ tabs: { page, other, passAllocations }, t }) => {
  await listField(page, t).fill(newAddress())
  await expect(listField(other, t)).not.toHaveValue('')
  await fillDisk(page)
  await send(page, t).click()
  await expect(dialog(other).getByText(t('tokens:AssignManyElsewhere'))).toBeVisible()
  passAllocations()
  for (const tab of [page, other]) await expect(dialog(tab).getByText(t('tokens:AssignManyResult', { sent: 1, left: 0 }))).toBeVisible()
  // it has stored that, too
  await page.reload()
  await openMany(page, t)
  await expect(dialog(page).getByText(t('tokens:AssignManyResult', { sent: 1, left: 0 }))).toBeVisible()
})

test('a tab that stands still since it saw the other send does not keep that from sending again', async ({
  tabs: { page, other, coach, passAllocations },
  context,
  t,
}) => {
  await listField(page, t).fill([newAddress(), newAddress()].join('\n'))
  await send(page, t).click()
  await expect(dialog(other).getByText(t('tokens:AssignManyElsewhere'))).toBeVisible()
  const debug = await context.newCDPSession(other)
  await debug.send('Debugger.enable')
  const isPaused = new Promise((resolve) => debug.once('Debugger.paused', resolve))
  await debug.send('Debugger.pause')
  passAllocations()
  await isPaused
  await expect(dialog(page).getByText(t('tokens:AssignManyResult', { sent: 2, left: 0 }))).toBeVisible()
  await listField(page, t).press('End')
  await listField(page, t).pressSequentially(`\n${newAddress()}`)
  await send(page, t).click()
  await expect(dialog(page).getByText(t('tokens:AssignManyResult', { sent: 3, left: 0 }))).toBeVisible()
  await debug.send('Debugger.resume')
  await expect(dialog(other).getByText(t('tokens:AssignManyResult', { sent: 3, left: 0 }))).toBeVisible()
  await expect.poll(() => tokensAvailable(coach)).toBe(3)
})

test('tokens that were read before the other tab sent, and arrive after it, do not say that nothing was sent', async ({
  tabs: { page, other, coach, passAllocations },
  server,
  front,
  t,
}) => {
  await listField(page, t).fill([newAddress(), newAddress(), newAddress()].join('\n'))
  const late = gate()
  const isRead = other.waitForRequest((request) => TOKENS.test(new URL(request.url()).pathname))
  front.bend(TOKENS, firstReplyLate(server.url, late.opened))
  await other.reload()
  await isRead
  passAllocations()
  await send(page, t).click()
  await expect(dialog(page).getByText(t('tokens:AssignManyResult', { sent: 3, left: 0 }))).toBeVisible()
  late.open()
  await openMany(other, t)
  await expect(dialog(other).getByText(t('tokens:AssignManyResult', { sent: 3, left: 0 }))).toBeVisible()
  await expect(send(other, t)).toHaveAttribute('aria-disabled', 'true')
  await expect.poll(() => tokensAvailable(coach)).toBe(3)
})
