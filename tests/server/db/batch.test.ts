import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { inBatches } from '#server/db/batch.ts'
import type { Database } from '#server/db/database.ts'

/** Calls that wait together, and what one of them may do to the others: nothing. */

// no statement is run
const db = {} as Database

interface Batch {
  asks: readonly number[]
  answer: () => void
  fail: () => void
}

let batches: Batch[]

function tens() {
  return inBatches<number, number>((_, asks) => {
    return new Promise((resolve, reject) => {
      batches.push({ asks, answer: () => resolve(asks.map((one) => one * 10)), fail: () => reject(new Error('no')) })
    })
  })
}

const asked = () => batches.map(({ asks }) => asks)

beforeEach(() => {
  vi.useFakeTimers()
  batches = []
})
afterEach(() => vi.useRealTimers())

test('one goes at once; what comes while two are under way goes as the next one, each with its own answer', async () => {
  const ask = tens()
  const replies = [1, 2, 3, 4, 5].map((one) => ask(db, one))
  expect(asked()).toEqual([[1], [2]])
  batches[1]?.answer()
  expect(await replies[1]).toBe(20)
  await vi.advanceTimersByTimeAsync(0)
  expect(asked()).toEqual([[1], [2], [3, 4, 5]])
  batches[2]?.answer()
  batches[0]?.answer()
  expect(await Promise.all(replies)).toEqual([10, 20, 30, 40, 50])
})

test('a batch that fails is tried one by one, and only what fails alone is refused', async () => {
  const ask = tens()
  const replies = [1, 2, 3, 4, 5].map((one) => ask(db, one))
  for (const one of batches) one.answer()
  await vi.advanceTimersByTimeAsync(0)
  expect(asked()).toEqual([[1], [2], [3, 4, 5]])
  batches[2]?.fail()
  await vi.advanceTimersByTimeAsync(0)
  expect(asked().slice(3)).toEqual([[3], [4], [5]])
  batches[3]?.answer()
  batches[4]?.fail()
  batches[5]?.answer()
  expect(await Promise.allSettled(replies.slice(2))).toMatchObject([
    { status: 'fulfilled', value: 30 },
    { status: 'rejected' },
    { status: 'fulfilled', value: 50 },
  ])
})

test('batches that are stuck hold up who comes later for a moment, not for as long as they last', async () => {
  const ask = tens()
  void ask(db, 1)
  void ask(db, 2)
  const later = ask(db, 3)
  expect(asked()).toEqual([[1], [2]])
  await vi.advanceTimersByTimeAsync(20)
  expect(asked()).toEqual([[1], [2], [3]])
  batches[2]?.answer()
  expect(await later).toBe(30)
})

test('each database has its own', () => {
  const ask = tens()
  for (const one of [1, 2, 3]) void ask(db, one)
  void ask({} as Database, 4)
  expect(asked()).toEqual([[1], [2], [4]])
})

test('an answer that takes longer holds up none of its batch', async () => {
  const held = Promise.withResolvers<number>()
  const ask = inBatches<number, number>(async (_, asks) => asks.map((one) => (one === 3 ? held.promise : one * 10)))
  const replies = [1, 2, 3, 4].map((one) => ask(db, one))
  expect(await replies[3]).toBe(40)
  held.resolve(33)
  expect(await Promise.all(replies)).toEqual([10, 20, 33, 40])
})
