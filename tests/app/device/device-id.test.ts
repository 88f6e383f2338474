import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'

/** The id of this device, in a database that the browser deletes under an open page. */

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

beforeEach(deleteDatabase)

test('is stored again after a deletion, so that the next page is no other device', async () => {
  const first = await openPage()
  const id = await first.deviceId()
  await deleteDatabase()
  expect(await first.deviceId()).toBe(id)
  expect(await first.wasDeleted()).toBe(true)
  first.db.close()
  const second = await openPage()
  expect([await second.deviceId(), await second.wasDeleted()]).toEqual([id, false])
  second.db.close()
})

test('a page keeps its id although another tab made a new database with one of its own', async () => {
  const page = await openPage()
  const id = await page.deviceId()
  await deleteDatabase()
  const other = await openPage()
  const otherId = await other.deviceId()
  expect(otherId).not.toBe(id)
  expect([await page.deviceId(), await page.wasDeleted(), await other.wasDeleted()]).toEqual([id, true, false])
  page.db.close()
  other.db.close()
})

test('where the disk takes no id it lasts as long as the page', async () => {
  const page = await openPage()
  const add = vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  const id = await page.deviceId()
  expect([await page.deviceId(), await page.wasDeleted()]).toEqual([id, false])
  add.mockRestore()
  page.db.close()
})

test('after a sign-out the present database is the page’s own', async () => {
  const page = await openPage()
  await page.deviceId()
  await deleteDatabase()
  expect(await page.wasDeleted()).toBe(true)
  page.adoptDatabase()
  expect(await page.wasDeleted()).toBe(false)
  page.db.close()
})
