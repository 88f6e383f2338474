import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { db, withDatabase } from '#app/device/store/db.ts'
import { readRows, writeAnswer } from '#app/device/store/device-store.ts'
import { deviceSchema, openDevice } from '#app/device/store/schema.ts'
import type { AnswerRow } from '#app/sync/sync.ts'
import { endTransactionsWithPage } from '#app/ui/browser/transactions.ts'

/** A transaction that does not end blocks every write on its stores. What WebKit does with a page that is left is in e2e/three-engines.e2e.ts. */

const key = { userId: 'u1', instanceId: 'i1' }
const row = (edit: string): AnswerRow => ({ questionId: 'q1', sectionName: 'Section1', value: { q1: '1' }, edit, base: 0 })

const events = new EventTarget()
vi.stubGlobal('addEventListener', events.addEventListener.bind(events))
endTransactionsWithPage()
vi.unstubAllGlobals()
const leave = () => events.dispatchEvent(new Event('pagehide'))
const comeBack = () => events.dispatchEvent(new Event('pageshow'))

/** The connection of the page that comes after this one. */
let next: IDBDatabase

beforeEach(async () => {
  await db.open()
  await writeAnswer(key, row('e1'))
  const request = openDevice(deviceSchema)
  await new Promise((resolve) => request.addEventListener('success', resolve))
  next = request.result
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  comeBack()
  next.close()
  await db.delete()
})

/** A tap in the next page. */
function written(): Promise<unknown> {
  const transaction = next.transaction('answers', 'readwrite')
  transaction.objectStore('answers').put({ ...row('e2'), ...key })
  return new Promise((resolve) => transaction.addEventListener('complete', resolve))
}

/** From now on every read of answers waits for a while, and its transaction does not end. */
function slowDisk(): void {
  for (const name of ['get', 'getAll'] as const) {
    const ask = IDBObjectStore.prototype[name] as (range: IDBValidKey | IDBKeyRange) => IDBRequest
    vi.spyOn(IDBObjectStore.prototype, name).mockImplementation(function slow(this: IDBObjectStore, range: IDBValidKey | IDBKeyRange) {
      const again = () => {
        try {
          ask.call(this, range).addEventListener('success', again)
        } catch {
          // its transaction was aborted
        }
      }
      for (let requests = 0; requests < 1000; requests += 1) again()
      return ask.call(this, range)
    })
  }
}

const endless = async () => {
  for (;;) await db.answers.count()
}

const works: [string, () => Promise<unknown>][] = [
  ['a read for the questionnaire', () => (slowDisk(), readRows(key))],
  ['an answer that is written again', () => (slowDisk(), writeAnswer(key, row('e3'), false))],
  ['a read by Dexie', () => withDatabase(() => db.transaction('r', db.answers, endless))],
  ['a write by Dexie', () => withDatabase(() => db.transaction('rw', db.answers, endless))],
]

/** Starts the work; resolves once its transaction has started. */
async function begin(work: () => Promise<unknown>): Promise<{ end: Promise<string> }> {
  // Dexie binds the connection's own methods when it opens it
  const begun = vi.spyOn(IDBTransaction.prototype, 'objectStore')
  const end = work().then(
    () => 'done',
    () => 'rejected',
  )
  while (begun.mock.calls.length === 0) await new Promise((resolve) => setImmediate(resolve))
  begun.mockRestore()
  return { end }
}

describe.each(works)('%s', (_, work) => {
  it('is rejected once its page is left, and delays no write of the next page', async () => {
    const { end } = await begin(work)
    leave()
    await written()
    expect(await end).toBe('rejected')
  })

  it('is rejected, too, if it starts while the page is being left', async () => {
    leave()
    const { end } = await begin(work)
    await written()
    expect(await end).toBe('rejected')
  })
})

it('a page restored by Back reads and writes again', async () => {
  leave()
  comeBack()
  await writeAnswer(key, row('e2'), false)
  expect(await withDatabase(() => db.answers.toArray())).toMatchObject([{ edit: 'e2' }])
})

it('a tap behind a read that never ends is written once that read is aborted, without another tap (ANSWERS-31)', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const read = await begin(() => withDatabase(() => db.transaction('r', db.answers, endless)))
  for (const isNew of [true, false]) {
    // what the screen does every 2 s
    const tap = begin(() => writeAnswer(key, row('e2'), isNew))
    await vi.advanceTimersByTimeAsync(3100)
    expect(await (await tap).end).toBe('rejected')
  }
  expect(await read.end).toBe('rejected')
  await vi.advanceTimersByTimeAsync(4000)
  await writeAnswer(key, row('e2'), false)
  expect((await readRows(key)).answers).toMatchObject([{ edit: 'e2' }])
})
