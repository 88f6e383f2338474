import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keepAnswer, readRows } from '#app/offline/at-hand.ts'
import { db } from '#app/offline/db.ts'
import { DATABASE } from '#app/offline/stored.ts'
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

describe('a database that the page has begun to open before the app was there', () => {
  const page = globalThis as typeof globalThis & Pick<Window, 'opening'>
  const begin = () => {
    const opening = indexedDB.open(DATABASE)
    // as app/boot.js does
    opening.addEventListener('upgradeneeded', () => opening.transaction?.abort())
    page.opening = opening
    return opening
  }
  const settled = (request: IDBOpenDBRequest) =>
    new Promise((resolve) => ['success', 'error'].forEach((end) => request.addEventListener(end, resolve)))

  /** The module as a new page has it: nothing is connected yet. */
  async function newPage() {
    vi.resetModules()
    return import('#app/offline/at-hand.ts')
  }

  beforeEach(() => gate.resolve())

  it.each([
    ['still on its way', () => Promise.resolve()],
    ['there already', settled],
  ])('is taken, %s, and no other is asked for', async (_, wait) => {
    await db.open()
    await keepAnswer(key, row('e1', '1'))
    await wait(begin())
    const asked = vi.spyOn(indexedDB, 'open')
    expect((await (await newPage()).readRows(key)).answers).toMatchObject([{ edit: 'e1' }])
    expect(asked).not.toHaveBeenCalled()
    expect(page.opening).toBeUndefined()
    asked.mockRestore()
  })

  it('was not made yet: a read finds nothing, a tap has it made', async () => {
    await settled(begin())
    const { readRows, keepAnswer } = await newPage()
    expect((await readRows(key)).answers).toEqual([])
    await keepAnswer(key, row('e1', '1'))
    expect((await readRows(key)).answers).toMatchObject([{ edit: 'e1' }])
  })

  it('was not made yet and is made before it is taken, by whoever signs in meanwhile: what is stored is found', async () => {
    await settled(begin())
    await db.open()
    await db.answers.put({ ...row('e1', '1'), ...key })
    expect((await (await newPage()).readRows(key)).answers).toMatchObject([{ edit: 'e1' }])
  })

  it('was closed for another tab before it was taken: it is opened again', async () => {
    await db.open()
    await keepAnswer(key, row('e1', '1'))
    const opening = begin()
    await settled(opening)
    opening.result.close()
    expect((await (await newPage()).readRows(key)).answers).toMatchObject([{ edit: 'e1' }])
  })
})
