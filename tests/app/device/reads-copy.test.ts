import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeStorage } from '#tests/support/storage.ts'
import { waitFor } from '#tests/support/wait-for.ts'

/** The copy of what local storage keeps of a person's reads, which a killed browser may lose there. OFFLINE-4 */

const KEY = ['Profile', '/user/{id}', {}, 'en', 'u1'] as const
const stored = new Map<string, string>()
let signedIn: string | undefined

/** Another page of the same browser, in which `u1` is signed in. */
async function openPage() {
  vi.resetModules()
  const [
    { session },
    { sessionPort },
    { queryClient },
    { settleReads, readsSettled },
    { startReadsCopy, copyRestored },
    { clearRows },
    { db },
  ] = await Promise.all([
    import('#app/session/session.ts'),
    import('#app/api/session-port.ts'),
    import('#app/api/query-client.ts'),
    import('#app/api/query-port.ts'),
    import('#app/device/reads-copy.ts'),
    import('#app/device/store/clear-rows.ts'),
    import('#app/device/store/db.ts'),
    import('#app/api/reads-provider.tsx'),
  ])
  vi.spyOn(session, 'get').mockImplementation(() => ({ user: signedIn === undefined ? undefined : { id: signedIn } }) as never)
  sessionPort.provide({ storedUserId: () => signedIn } as never)
  void settleReads('u1')
  startReadsCopy()
  await readsSettled()
  await copyRestored()
  const read = (name: string) => queryClient.fetchQuery({ queryKey: KEY, queryFn: () => name, staleTime: 0, meta: { isStored: true } })
  const copied = async () => JSON.stringify(await db.reads.toArray())
  return { shown: () => queryClient.getQueryData(KEY), read, copied, clearRows, db }
}

beforeEach(() => {
  signedIn = 'u1'
  vi.stubGlobal('localStorage', fakeStorage(stored))
})
afterEach(async () => {
  stored.clear()
  const { db } = await import('#app/device/store/db.ts')
  await db.delete()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('what a killed browser lost in local storage is shown again', async () => {
  const { read, copied, db } = await openPage()
  await read('Maya')
  await waitFor(async () => expect(await copied()).toContain('Maya'))
  db.close()
  stored.clear()
  const next = await openPage()
  expect(next.shown()).toBe('Maya')
})

test('local storage that is as new is not replaced', async () => {
  const { read, copied, db } = await openPage()
  await read('Maya')
  await waitFor(async () => expect(await copied()).toContain('Maya'))
  db.close()
  for (const [key, text] of stored) stored.set(key, text.replaceAll('Maya', 'Mia'))
  const next = await openPage()
  expect(next.shown()).toBe('Mia')
})

test('the latest of many changes is copied, and nothing is stored once its reader has signed out, in whatever tab', async () => {
  const { read, copied, clearRows } = await openPage()
  for (const name of ['a', 'b', 'Maya']) await read(name)
  await waitFor(async () => expect(await copied()).toContain('Maya'))
  signedIn = undefined
  stored.clear()
  await clearRows({ userId: 'u1', keepUnsent: true })
  const set = vi.spyOn(localStorage, 'setItem')
  await read('gone')
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  signedIn = 'u1'
  await read('back')
  await waitFor(async () => expect(await copied()).toContain('back'))
  expect(JSON.stringify(set.mock.calls)).not.toContain('gone')
})
