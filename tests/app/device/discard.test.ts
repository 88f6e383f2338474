import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { discardAll, lossOf } from '#app/device/discard.ts'
import { db } from '#app/device/store/db.ts'
import type { FinishStep } from '#app/sync/sync.ts'

/** Discarding at /device loses what was named, and nothing else. DEVICE-1 */

const key = { userId: 'u1', instanceId: 'i1' }

vi.hoisted(() => {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined })
})
vi.mock('#app/device/owner.ts', () => ({ mayStore: () => true, mayStoreReads: () => true }))

async function fill(finish: FinishStep): Promise<void> {
  const answer = { ...key, questionId: 'q1', sectionName: 'Section1', value: { q1: '1' }, edit: 'sent', base: 1 }
  await db.instances.put({ ...key, summary: { status: 'IN_PROGRESS', revision: 1 }, languages: ['en'], finish, trouble: null } as never)
  await db.definitions.put({ ...key, language: 'en', sections: [] })
  await db.answers.put(answer)
  await db.receipts.put({ ...key, questionId: 'q1', edit: 'sent', revision: 1 })
  await db.late.put({ ...key, questionId: 'q1', value: { q1: '2' } })
}

beforeEach(() => db.open())
afterEach(async () => {
  await Promise.all(db.tables.map((table) => table.clear()))
})

it('a late answer that another one has replaced since it was named is kept', async () => {
  await fill('details')
  const loss = await lossOf(key, 'en')
  await db.late.put({ ...key, questionId: 'q1', value: { q1: '3' } })
  await discardAll(key, 'en', loss, false)
  expect((await db.late.toArray()).map(({ value }) => value)).toEqual([{ q1: '3' }])
})

it.each<[FinishStep, FinishStep | null]>([
  // not named: nothing of it waits for the server yet, or any more
  ['details', 'details'],
  ['results', 'results'],
  // named
  ['save', null],
  ['complete', null],
])('a late answer is discarded while the Submit is at "%s": then it is at %s', async (finish, after) => {
  await fill(finish)
  const loss = await lossOf(key, 'en')
  expect(loss.unsent).toEqual([])
  expect(loss.late.map(({ questionId }) => questionId)).toEqual(['q1'])
  await discardAll(key, 'en', loss, false)
  expect(await db.late.count()).toBe(0)
  expect(await db.answers.count()).toBe(1)
  expect((await db.instances.get(['u1', 'i1']))?.finish).toBe(after)
})

it('answers whose questions do not fit on the disk are named, and discarded', async () => {
  await fill('details')
  await db.definitions.clear()
  await db.answers.update(['u1', 'i1', 'q1'], { edit: 'unsent' })
  const loss = await lossOf(key, 'en')
  expect([loss.unsent.map(({ questionId }) => questionId), loss.late.length, loss.sections]).toEqual([['q1'], 1, []])
  await discardAll(key, 'en', loss, true)
  expect([await db.answers.count(), await db.late.count()]).toEqual([0, 0])
})
