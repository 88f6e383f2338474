import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { inBatches } from '#server/db/batch.ts'
import type { Database } from '#server/db/database.ts'

/** Concurrent calls share a statement, and a failing or slow one does not affect the others. */

// never queried
const db = {} as Database

interface Batch {
  inputs: readonly number[]
  succeed: () => void
  fail: () => void
}

let batches: Batch[]

function timesTen(concurrency?: number) {
  return inBatches<number, number>((_, inputs) => {
    return new Promise((resolve, reject) => {
      batches.push({ inputs, succeed: () => resolve(inputs.map((one) => one * 10)), fail: () => reject(new Error('no')) })
    })
  }, concurrency)
}

const started = () => batches.map(({ inputs }) => inputs)
/** In which a batch starts. */
const nextTurn = () => vi.advanceTimersByTimeAsync(0)

/** Calls whose turns begin one after another. */
async function inTurns(call: ReturnType<typeof timesTen>, inputs: readonly number[]): Promise<Promise<number>[]> {
  const results: Promise<number>[] = []
  for (const one of inputs) {
    results.push(call(db, one))
    await nextTurn()
  }
  return results
}

beforeEach(() => {
  vi.useFakeTimers()
  batches = []
})
afterEach(() => vi.useRealTimers())

test('calls made in one turn of the event loop share a batch', async () => {
  const call = timesTen()
  const results = [1, 2, 3].map((one) => call(db, one))
  await nextTurn()
  expect(started()).toEqual([[1, 2, 3]])
  batches[0]?.succeed()
  expect(await Promise.all(results)).toEqual([10, 20, 30])
})

test('calls that arrive while two batches run form the next one, each with its own result', async () => {
  const call = timesTen()
  const results = await inTurns(call, [1, 2, 3, 4, 5])
  expect(started()).toEqual([[1], [2]])
  batches[1]?.succeed()
  expect(await results[1]).toBe(20)
  await vi.advanceTimersByTimeAsync(0)
  expect(started()).toEqual([[1], [2], [3, 4, 5]])
  batches[2]?.succeed()
  batches[0]?.succeed()
  expect(await Promise.all(results)).toEqual([10, 20, 30, 40, 50])
})

test('calls that write form one batch at a time', async () => {
  const call = timesTen(1)
  const results = await inTurns(call, [1, 2, 3])
  expect(started()).toEqual([[1]])
  batches[0]?.succeed()
  await vi.advanceTimersByTimeAsync(0)
  expect(started()).toEqual([[1], [2, 3]])
  batches[1]?.succeed()
  expect(await Promise.all(results)).toEqual([10, 20, 30])
})

test('the next batch is sent before the callers of the last one continue, so that the database does not wait for them', async () => {
  const call = timesTen(1)
  const [first] = await inTurns(call, [1, 2])
  const startedAtReply = first?.then(started)
  batches[0]?.succeed()
  expect(await startedAtReply).toEqual([[1], [2]])
})

test('the calls of a failed batch are retried one by one, and only those that fail alone are rejected', async () => {
  const call = timesTen()
  const results = await inTurns(call, [1, 2, 3, 4, 5])
  for (const one of batches) one.succeed()
  await vi.advanceTimersByTimeAsync(0)
  expect(started()).toEqual([[1], [2], [3, 4, 5]])
  batches[2]?.fail()
  await vi.advanceTimersByTimeAsync(0)
  expect(started().slice(3)).toEqual([[3], [4], [5]])
  batches[3]?.succeed()
  batches[4]?.fail()
  batches[5]?.succeed()
  expect(await Promise.allSettled(results.slice(2))).toMatchObject([
    { status: 'fulfilled', value: 30 },
    { status: 'rejected' },
    { status: 'fulfilled', value: 50 },
  ])
})

test('a batch that is stuck delays later calls only for a moment', async () => {
  const [, , later] = await inTurns(timesTen(), [1, 2, 3])
  expect(started()).toEqual([[1], [2]])
  await vi.advanceTimersByTimeAsync(25)
  expect(started()).toEqual([[1], [2], [3]])
  batches[2]?.succeed()
  expect(await later).toBe(30)
})

test('each database has its own batches', async () => {
  const call = timesTen()
  for (const one of [1, 2, 3]) void call(db, one)
  void call({} as Database, 4)
  await nextTurn()
  expect(started()).toEqual([[1, 2, 3], [4]])
})

test('a result that takes longer does not delay the rest of its batch', async () => {
  const slow = Promise.withResolvers<number>()
  const call = inBatches<number, number>(async (_, inputs) => inputs.map((one) => (one === 3 ? slow.promise : one * 10)))
  const results = [1, 2, 3, 4].map((one) => call(db, one))
  await nextTurn()
  expect(await results[3]).toBe(40)
  slow.resolve(33)
  expect(await Promise.all(results)).toEqual([10, 20, 33, 40])
})
