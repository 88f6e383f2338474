import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { AnswerRow } from '#app/sync/sync.ts'

/** A browser that loses the request to open the database: it is never answered, while later ones are. DEVICE-1 */

const key = { userId: 'u1', instanceId: 'i1' }
const row: AnswerRow = { questionId: 'q1', sectionName: 'Section1', value: { q1: '1' }, edit: 'e1', base: 0 }

let isAnswering = true
const open = IDBFactory.prototype.open.bind(indexedDB)

beforeEach(() => {
  vi.resetModules()
  vi.spyOn(console, 'warn').mockReturnValue()
  isAnswering = false
  vi.spyOn(indexedDB, 'open').mockImplementation((...given) => (isAnswering ? open(...given) : (new EventTarget() as IDBOpenDBRequest)))
})

afterEach(() => {
  vi.restoreAllMocks()
})

it('a tap is stored again once the browser opens databases, without a new page', async () => {
  const { writeAnswer, readRows } = await import('#app/device/store/idb.ts')
  await expect(writeAnswer(key, row)).rejects.toThrow('does not respond')
  isAnswering = true
  await vi.waitFor(async () => writeAnswer(key, row), { timeout: 20_000 })
  expect((await readRows(key)).answers).toMatchObject([{ edit: 'e1' }])
}, 30_000)

it('so is everything else, and calls that waited meanwhile do not block it', async () => {
  const { readDeviceValue, writeDeviceValue } = await import('#app/device/store/dexie-reads.ts')
  const waited = Array.from({ length: 5 }, (_, at) => writeDeviceValue(`waited-${at}`, 'w'))
  for (const one of waited) await expect(one).rejects.toThrow('does not respond')
  isAnswering = true
  await vi.waitFor(async () => writeDeviceValue('now', 'n'), { timeout: 20_000 })
  expect(await readDeviceValue('now')).toBe('n')
  const { db } = await import('#app/device/store/db.ts')
  await db.delete()
}, 30_000)

it('the probe does not create a database, and one that is slow to open is not given up', async () => {
  isAnswering = true
  const { canOpenDatabase } = await import('#app/device/store/lost-open.ts')
  const before = await indexedDB.databases()
  expect(await canOpenDatabase()).toBe(true)
  expect(await indexedDB.databases()).toEqual(before)
  isAnswering = false
  expect(await canOpenDatabase()).toBe(false)
}, 30_000)
