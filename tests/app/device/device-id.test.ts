import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import { clearLocalStorage } from '#app/session/clear-local-storage.ts'
import { storeAnswersDeviceId } from '#app/session/known-devices.ts'
import { fakeStorage } from '#tests/support/storage.ts'

/** The id of this device, in a database that the browser deletes under an open page or that takes nothing, and its copy. */

const stored = new Map<string, string>()

/** As a page that has just been opened. */
async function openPage() {
  vi.resetModules()
  const { db } = await import('#app/device/store/db.ts')
  return { db, ...(await import('#app/device/store/dexie-reads.ts')) }
}

const deleteDatabase = () =>
  new Promise<void>((resolve, reject) => {
    const request = indexedDB.deleteDatabase('touchline')
    request.addEventListener('success', () => resolve())
    request.addEventListener('error', () => reject(new Error('not deleted')))
  })

beforeEach(async () => {
  stored.clear()
  vi.stubGlobal('localStorage', fakeStorage(stored))
  // as at the sign-in
  storeAnswersDeviceId(crypto.randomUUID())
  await deleteDatabase()
})

const fillDisk = () =>
  vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })

test('is stored again after a deletion, so that the next page is no other device', async () => {
  const first = await openPage()
  const id = await first.savesDeviceId()
  await deleteDatabase()
  expect(await first.savesDeviceId()).toBe(id)
  expect(await first.wasDeleted()).toBe(true)
  first.db.close()
  const second = await openPage()
  expect([await second.savesDeviceId(), await second.wasDeleted()]).toEqual([id, false])
  second.db.close()
})

test('a page that is opened after a deletion, before the others store their id again, has the same', async () => {
  const page = await openPage()
  const id = await page.savesDeviceId()
  await deleteDatabase()
  const other = await openPage()
  expect(await other.savesDeviceId()).toBe(id)
  page.db.close()
  other.db.close()
})

test('a page keeps its id although another tab, which has no copy of it, made a new database with one of its own', async () => {
  const page = await openPage()
  const id = await page.savesDeviceId()
  await deleteDatabase()
  const otherId = crypto.randomUUID()
  storeAnswersDeviceId(otherId)
  const other = await openPage()
  expect(await other.savesDeviceId()).toBe(otherId)
  expect([await page.savesDeviceId(), await page.wasDeleted(), await other.wasDeleted()]).toEqual([id, true, false])
  // the next page reads that one
  expect(stored.get('answersDeviceId')).toBe(otherId)
  page.db.close()
  other.db.close()
})

test('where the disk takes no id, every page has the one in local storage, also after a sign-out, and the database has it later', async () => {
  const disk = fillDisk()
  const page = await openPage()
  const id = await page.savesDeviceId()
  expect([await page.savesDeviceId(), await page.wasDeleted()]).toEqual([id, false])
  clearLocalStorage()
  const other = await openPage()
  expect(await other.savesDeviceId()).toBe(id)
  disk.mockRestore()
  const third = await openPage()
  expect(await third.savesDeviceId()).toBe(id)
  for (const { db } of [page, other, third]) db.close()
})

test('the copy follows the database', async () => {
  const page = await openPage()
  const id = await page.savesDeviceId()
  page.db.close()
  storeAnswersDeviceId(crypto.randomUUID())
  const next = await openPage()
  expect([await next.savesDeviceId(), stored.get('answersDeviceId')]).toEqual([id, id])
  next.db.close()
})

test('without a sign-in there is no copy', async () => {
  stored.clear()
  const page = await openPage()
  await page.savesDeviceId()
  expect([...stored]).toEqual([])
  page.db.close()
})

test('where neither takes it, it lasts as long as the page', async () => {
  const disk = fillDisk()
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError')
    },
  })
  const page = await openPage()
  const id = await page.savesDeviceId()
  expect([await page.savesDeviceId(), await page.wasDeleted()]).toEqual([id, false])
  disk.mockRestore()
  page.db.close()
})

test('after a sign-out the present database is the page’s own', async () => {
  const page = await openPage()
  await page.savesDeviceId()
  await deleteDatabase()
  expect(await page.wasDeleted()).toBe(true)
  page.adoptDatabase()
  expect(await page.wasDeleted()).toBe(false)
  page.db.close()
})
