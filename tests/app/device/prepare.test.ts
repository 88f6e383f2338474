import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { prepareInstances, startPreparing } from '#app/device/readiness/prepare.ts'
import { fakeStorage } from '#tests/support/storage.ts'

/** Preparing for no signal while every call succeeds and the disk has no room for the questions. */

const HOUR_MS = 3_600_000
/** One every ten minutes, and those of the first minutes; one more call for each assessment. */
const CALLS_MAXIMUM = 30

const phone = vi.hoisted(() => ({ calls: [] as string[], hasRoom: false, isReadable: true, stored: new Map<string, string[]>() }))

vi.mock('#app/session/session.ts', () => ({
  session: { get: () => ({ status: 'verified', user: { id: 'u1' }, userTypeCode: 'player' }), subscribe: () => () => undefined },
}))
vi.mock('#app/device/owner.ts', () => ({ mayStore: () => true, mayStoreReads: () => true }))
vi.mock('#app/api/call.ts', () => ({
  call: async (_endpoint: unknown, { params }: { params: { instanceId: string } }) => {
    phone.calls.push(params.instanceId)
    return { ...params, sections: [], responses: [], groups: [] }
  },
}))
vi.mock('#app/device/lazy-reads.ts', () => ({
  loadOwnReads: async () => ({
    readOwn: async () => undefined,
    storedProfiles: async () => {
      if (!phone.isReadable) throw new DOMException('denied', 'SecurityError')
      return []
    },
  }),
}))
vi.mock('#app/device/readiness/lists.ts', () => ({
  fetchLists: async () => undefined,
  areListsStored: async () => true,
  waitForController: async () => undefined,
}))
vi.mock('#app/device/store/device-store.ts', async (original) => ({
  ...(await original<object>()),
  instancesOf: async () =>
    [...phone.stored.keys()].map((instanceId) => ({ userId: 'u1', instanceId, summary: { status: 'OWNED', answeredCount: 0 } })),
  languagesOf: async ({ instanceId }: { instanceId: string }) => phone.stored.get(instanceId) ?? [],
  readRows: async () => ({ answers: [], receipts: [], late: [] }),
  storeInstance: async (_userId: string, language: string, { instanceId }: { instanceId: string }) => {
    if (!phone.hasRoom) throw new DOMException('full', 'QuotaExceededError')
    phone.stored.set(instanceId, [...(phone.stored.get(instanceId) ?? []), language])
  },
}))

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('localStorage', fakeStorage())
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('document', { hidden: false, addEventListener: () => undefined })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('what the disk refuses is fetched less and less often, and again once there is room', async () => {
  phone.stored = new Map([
    ['i1', []],
    ['i2', []],
  ])
  startPreparing()
  await vi.advanceTimersByTimeAsync(HOUR_MS)
  expect(new Set(phone.calls)).toEqual(new Set(['i1', 'i2']))
  expect(phone.calls.length).toBeLessThan(CALLS_MAXIMUM)

  phone.hasRoom = true
  await vi.advanceTimersByTimeAsync(HOUR_MS / 6)
  expect([...phone.stored.values()]).toEqual([
    ['en', 'fr'],
    ['en', 'fr'],
  ])
})

test('a device that cannot be read leaves no rejection behind', async () => {
  phone.isReadable = false
  const nobody = { getRegistration: async () => undefined, addEventListener: () => undefined, removeEventListener: () => undefined }
  vi.stubGlobal('navigator', { serviceWorker: { controller: null, ready: new Promise(() => {}), ...nobody } })
  const outcome = prepareInstances('u1', []).then(
    () => 'ended',
    () => 'rejected',
  )
  await vi.advanceTimersByTimeAsync(HOUR_MS / 6)
  expect(await outcome).toBe('ended')
})
