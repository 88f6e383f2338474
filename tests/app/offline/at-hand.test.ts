import 'fake-indexeddb/auto'
import { afterEach, expect, it, vi } from 'vitest'
import { keepAnswer, readRows } from '#app/offline/at-hand.ts'
import { db } from '#app/offline/db.ts'
import type { AnswerRow } from '#app/offline/sync.ts'

const gate = vi.hoisted(() => Promise.withResolvers<void>())

// Dexie comes by the network, and may take its time
vi.mock('#app/offline/later.ts', () => ({ loadDatabase: () => gate.promise.then(() => db) }))

const key = { userId: 'u1', instanceId: 'i1' }
const row = (edit: string, value: string): AnswerRow => ({ questionId: 'q1', sectionName: 'Section1', value: { q1: value }, edit, base: 0 })

afterEach(() => db.delete())

it('of two taps the later one stays, although the first had to wait for the database to be made', async () => {
  const first = keepAnswer(key, row('e1', '1'))
  // meanwhile something else has made it
  await db.open()
  const second = keepAnswer(key, row('e2', '2'))
  await new Promise((resolve) => setImmediate(resolve))
  gate.resolve()
  await Promise.all([first, second])
  expect((await readRows(key)).answers).toMatchObject([{ edit: 'e2', value: { q1: '2' } }])
})

it('a tap begins its transaction at once; a database that the browser closed under it is opened again', async () => {
  gate.resolve()
  await db.open()
  await keepAnswer(key, row('e3', '3'))
  const begun = vi.spyOn(IDBDatabase.prototype, 'transaction')
  const kept = keepAnswer(key, row('e4', '4'))
  expect(begun).toHaveBeenCalledTimes(1)
  await kept
  begun.mockImplementationOnce(function closed(this: IDBDatabase) {
    this.close()
    throw new DOMException('closed', 'InvalidStateError')
  })
  await keepAnswer(key, row('e5', '1'))
  begun.mockRestore()
  expect((await readRows(key)).answers).toMatchObject([{ edit: 'e5' }])
})
