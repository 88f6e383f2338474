import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { earlyStart, type EarlyStart } from '#app/early-start.ts'
import { writeAnswer, readRows } from '#app/device/store/idb.ts'
import { db } from '#app/device/store/db.ts'
import { DATABASE, deviceSchema, openDevice } from '#app/device/store/schema.ts'
import type { AnswerRow } from '#app/sync/sync.ts'

const gate = vi.hoisted(() => Promise.withResolvers<void>())

// Dexie is loaded over the network and may arrive late
vi.mock('#app/device/store/load-dexie.ts', () => ({ loadDexie: () => gate.promise.then(() => ({ openDatabase: () => db.open() })) }))

/** A database of the first release, as far as these tests need it. */
async function makeOlder(): Promise<void> {
  const request = indexedDB.open(DATABASE, 10)
  request.addEventListener('upgradeneeded', () => {
    for (const [store, keyPath] of deviceSchema.stores) if (store !== 'definitions') request.result.createObjectStore(store, { keyPath })
  })
  ;(await settle(request)).close()
}

function settle(request: IDBOpenDBRequest): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('not opened')))
  })
}

const key = { userId: 'u1', instanceId: 'i1' }
const row = (edit: string, value: string): AnswerRow => ({ questionId: 'q1', sectionName: 'Section1', value: { q1: value }, edit, base: 0 })

afterEach(() => db.delete())

it('a new device stores a tap before Dexie is loaded, and Dexie then opens the same database', async () => {
  const warned = vi.spyOn(console, 'warn')
  await writeAnswer(key, row('e1', '1'))
  expect((await readRows(key)).answers).toMatchObject([{ edit: 'e1', value: { q1: '1' } }])

  await db.open()
  expect(await db.answers.toArray()).toMatchObject([{ edit: 'e1' }])
  expect(db.tables.map(({ name }) => name).toSorted()).toEqual([...db.backendDB().objectStoreNames].toSorted())
  for (const { name, schema } of db.tables) {
    const { keyPath } = db.backendDB().transaction(name).objectStore(name)
    expect(schema.primKey.keyPath, name).toEqual(keyPath)
  }
  // Dexie warns of a schema that it does not know
  expect(warned).not.toHaveBeenCalled()
  warned.mockRestore()
})

it('an answer that is written again does not replace a later one, which another tab wrote meanwhile (ANSWERS-30)', async () => {
  await writeAnswer(key, { ...row('e2', '2'), order: 7 })
  await writeAnswer(key, { ...row('e1', '1'), order: 5 }, false)
  expect((await readRows(key)).answers).toMatchObject([{ edit: 'e2' }])
  await writeAnswer(key, { ...row('e3', '3'), order: 8 }, false)
  expect((await readRows(key)).answers).toMatchObject([{ edit: 'e3' }])
})

it('the later of two taps stays, although the first had to wait for an older database to be upgraded', async () => {
  await makeOlder()
  const first = writeAnswer(key, row('e1', '1'))
  // meanwhile something else upgrades it
  await db.open()
  const second = writeAnswer(key, row('e2', '2'))
  await new Promise((resolve) => setImmediate(resolve))
  gate.resolve()
  await Promise.all([first, second])
  expect((await readRows(key)).answers).toMatchObject([{ edit: 'e2', value: { q1: '2' } }])
})

it('taps in two tabs of a new device make one database, and no tab blocks an upgrade by another', async () => {
  vi.resetModules()
  const [one, other] = [
    await import('#app/device/store/idb.ts'),
    await vi.importActual<typeof import('#app/device/store/idb.ts')>('#app/device/store/idb.ts?other'),
  ]
  await Promise.all([one.writeAnswer(key, row('e1', '1')), other.writeAnswer({ ...key, instanceId: 'i2' }, row('e2', '2'))])
  expect((await other.readRows(key)).answers).toMatchObject([{ edit: 'e1' }])

  // a newer build, in a third tab
  const newer = await settle(indexedDB.open(DATABASE, 990))
  newer.close()
  await one.writeAnswer(key, row('e3', '3'))
  expect((await other.readRows(key)).answers).toMatchObject([{ edit: 'e3' }])
  vi.resetModules()
  const page = await import('#app/device/store/idb.ts')
  expect((await page.readRows(key)).answers).toMatchObject([{ edit: 'e3' }])
})

it.each(['a page that taps', 'Dexie alone'])(
  'a database deleted by another tab is reported as lost, with %s connected',
  async (connected) => {
    vi.resetModules()
    const page = await import('#app/device/store/idb.ts')
    const { db: device } = await import('#app/device/store/db.ts')
    if (connected === 'Dexie alone') await device.open()
    else await page.writeAnswer(key, row('e1', '1'))
    const listener = vi.fn<() => void>()
    ;(await import('#app/device/store/store-events.ts')).databaseLost.subscribe(listener)
    await new Promise((resolve) => indexedDB.deleteDatabase(DATABASE).addEventListener('success', resolve))
    expect(listener).toHaveBeenCalledTimes(1)
    device.close()
  },
)

it('a database that was closed under a read is opened again and reported as lost', async () => {
  vi.resetModules()
  const page = await import('#app/device/store/idb.ts')
  await page.writeAnswer(key, row('e1', '1'))
  const closed = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementationOnce(function closed(this: IDBDatabase) {
    this.close()
    throw new DOMException('closed', 'InvalidStateError')
  })
  const listener = vi.fn<() => void>()
  ;(await import('#app/device/store/store-events.ts')).databaseLost.subscribe(listener)
  await page.readRows(key)
  expect(listener).toHaveBeenCalledTimes(1)
  closed.mockRestore()
})

it('taps that the disk does not take are all rejected 3 s after the first of them', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  try {
    vi.resetModules()
    const page = await import('#app/device/store/idb.ts')
    vi.spyOn(indexedDB, 'open').mockImplementation(() => new EventTarget() as IDBOpenDBRequest)
    const ends: string[] = []
    for (const [at, edit] of ['e1', 'e2', 'e3', 'e4'].entries()) {
      page.writeAnswer(key, row(edit, String(at))).catch(() => ends.push(edit))
      await vi.advanceTimersByTimeAsync(200)
    }
    await vi.advanceTimersByTimeAsync(2100)
    expect(ends).toEqual([])
    await vi.advanceTimersByTimeAsync(200)
    expect(ends.toSorted()).toEqual(['e1', 'e2', 'e3', 'e4'])
    // a later tap has 3 s of its own
    const next = page.writeAnswer(key, row('e5', '5'))
    next.catch(() => ends.push('e5'))
    await vi.advanceTimersByTimeAsync(2900)
    expect(ends).not.toContain('e5')
  } finally {
    vi.restoreAllMocks()
    vi.useRealTimers()
  }
})

it('a tap starts its transaction at once, and a database that the browser closed is opened again', async () => {
  gate.resolve()
  await db.open()
  await writeAnswer(key, row('e3', '3'))
  const begun = vi.spyOn(IDBDatabase.prototype, 'transaction')
  const written = writeAnswer(key, row('e4', '4'))
  expect(begun).toHaveBeenCalledTimes(1)
  await written
  begun.mockImplementationOnce(function closed(this: IDBDatabase) {
    this.close()
    throw new DOMException('closed', 'InvalidStateError')
  })
  await writeAnswer(key, row('e5', '1'))
  begun.mockRestore()
  expect((await readRows(key)).answers).toMatchObject([{ edit: 'e5' }])
})

describe('a database that the script in the page started to open before the app loaded', () => {
  const begin = () => {
    // as boot/begin.ts does
    const opening = openDevice(deviceSchema)
    vi.stubGlobal('earlyStart', { replies: {}, device: opening } satisfies EarlyStart)
    return opening
  }
  const settled = (request: IDBOpenDBRequest) =>
    new Promise((resolve) => ['success', 'error'].forEach((end) => request.addEventListener(end, resolve)))

  /** The module as a new page has it: nothing is connected yet. */
  async function newPage() {
    vi.resetModules()
    return import('#app/device/store/idb.ts')
  }

  beforeEach(() => gate.resolve())

  it.each([
    ['while it is still opening', () => Promise.resolve()],
    ['when it is open already', settled],
  ])('is used %s, and no second one is opened', async (_, wait) => {
    await db.open()
    await writeAnswer(key, row('e1', '1'))
    await wait(begin())
    const opened = vi.spyOn(indexedDB, 'open')
    expect((await (await newPage()).readRows(key)).answers).toMatchObject([{ edit: 'e1' }])
    expect(opened).not.toHaveBeenCalled()
    expect(earlyStart()?.device).toBeUndefined()
    opened.mockRestore()
  })

  it('is created for the first read and the first tap', async () => {
    begin()
    const { readRows, writeAnswer } = await newPage()
    expect((await readRows(key)).answers).toEqual([])
    await writeAnswer(key, row('e1', '1'))
    expect((await readRows(key)).answers).toMatchObject([{ edit: 'e1' }])
  })

  it('is upgraded when it is an older one, and takes a tap', async () => {
    await makeOlder()
    await settled(begin())
    const { readRows, writeAnswer } = await newPage()
    await writeAnswer(key, row('e1', '1'))
    expect((await readRows(key)).answers).toMatchObject([{ edit: 'e1' }])
  })

  it('is opened again when it was closed before the app used it', async () => {
    await db.open()
    await writeAnswer(key, row('e1', '1'))
    const opening = begin()
    await settled(opening)
    opening.result.close()
    expect((await (await newPage()).readRows(key)).answers).toMatchObject([{ edit: 'e1' }])
  })
})
