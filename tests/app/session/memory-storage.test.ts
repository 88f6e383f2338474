import 'fake-indexeddb/auto'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { call } from '#app/api/call.ts'
import { network } from '#app/api/network.ts'
import { session, startSession, watchSessionInOtherTabs } from '#app/session/session.ts'
import { copySession, keepsSession, restoreSession } from '#app/session/stored-copy.ts'
import { instances } from '#contract/instances.ts'
import { fakeStorage } from '#tests/support/storage.ts'
import { openWithExpiredSession, token } from './browser.ts'

/** A browser that blocks local storage: each tab has one in memory, and the copy of the sign-in is shared. SESSION-3 */

vi.mock('#app/ui/browser/memory-storage.ts', () => ({ isMemoryStorage: () => true }))

afterEach(() => vi.restoreAllMocks())

const fresh = { accessToken: token({ userTypeCode: 'player', sid: 's', n: 2 }), refreshToken: 'r2', idToken: token({ sub: 'u' }) }

test('a tab uses the tokens that another tab renewed, and is signed out with it', async () => {
  const mine = new Map<string, string>()
  const requests: string[] = []
  let isThere = false
  openWithExpiredSession(mine, (url) => {
    if (!isThere) throw new TypeError('Failed to fetch')
    if (url.endsWith('/health')) return Response.json({ status: 'ok', service: 'touchline' })
    requests.push(url)
    return Response.json({ data: [] })
  })
  await startSession()
  await network.probe()
  await copySession()

  const others = new Map([...mine, ...Object.entries({ ...fresh, expiresAt: String(Date.now() + 1_800_000) })])
  vi.stubGlobal('localStorage', fakeStorage(others))
  await copySession()
  vi.stubGlobal('localStorage', fakeStorage(mine))

  // its own token was spent by the other tab: the server would end the session
  isThere = true
  await network.probe()
  await call(instances.list)
  expect(requests.map((url) => url.replace('/api/', ''))).toEqual(['assessment/assessment-instance'])
  expect([mine.get('refreshToken'), session.get().status]).toEqual(['r2', 'verified'])

  watchSessionInOtherTabs()
  const [other, heard] = [new BroadcastChannel('touchline-signed-out'), new BroadcastChannel('touchline-signed-out')]
  other.postMessage('of an earlier sign-in')
  await new Promise((resolve) => heard.addEventListener('message', resolve))
  expect(session.get().status).toBe('verified')
  other.postMessage('s')
  await vi.waitFor(() => expect(session.get().status).toBe('guest'))
  other.close()
  heard.close()
  expect([session.isSignedOut(), mine.get('refreshToken')]).toEqual([true, undefined])
})

/** Keeps everybody else waiting for the database of the sign-in, until it is released. */
async function holdDatabase(): Promise<() => void> {
  const database = await new Promise<IDBDatabase>((resolve) => {
    const opening = indexedDB.open('touchline-session', 1)
    opening.addEventListener('success', () => resolve(opening.result))
  })
  const store = database.transaction('copy', 'readwrite').objectStore('copy')
  let isHeld = true
  const hold = () => {
    if (isHeld) store.get('nothing').addEventListener('success', hold)
    else database.close()
  }
  hold()
  return () => {
    isHeld = false
  }
}

const stored = () => new Map(Object.entries({ ...fresh, expiresAt: String(Date.now() + 1_800_000) }))

test('where a database keeps the session, checking that it does removes nothing from it', async () => {
  vi.stubGlobal('localStorage', fakeStorage(stored()))
  await copySession()
  const next = new Map<string, string>()
  vi.stubGlobal('localStorage', fakeStorage(next))
  expect(await keepsSession()).toBe(true)
  expect(await restoreSession()).toBe(true)
  expect(next.get('refreshToken')).toBe('r2')
})

test('a session whose database responds late is there once it does, and is not replaced by what the sign-in screen stores', async () => {
  vi.stubGlobal('localStorage', fakeStorage(stored()))
  await copySession()
  const mine = new Map<string, string>()
  vi.stubGlobal('localStorage', fakeStorage(mine))
  const release = await holdDatabase()
  const late = vi.fn()
  expect(await restoreSession(late)).toBe(false)
  expect(late).not.toHaveBeenCalled()
  mine.set('draft:email', 'u@club.test')
  expect(await copySession()).toBe(false)
  release()
  await vi.waitFor(() => expect(late).toHaveBeenCalledOnce())
  expect(mine.get('refreshToken')).toBe('r2')
  await copySession()
  const next = new Map<string, string>()
  vi.stubGlobal('localStorage', fakeStorage(next))
  expect(await restoreSession()).toBe(true)
  expect(next.get('refreshToken')).toBe('r2')
})

test('a sign-in is kept where the browser never answered the first request for the database', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  vi.stubGlobal('localStorage', fakeStorage())
  await copySession()
  vi.spyOn(indexedDB, 'open').mockReturnValueOnce(new EventTarget() as IDBOpenDBRequest)
  const restored = restoreSession(() => undefined)
  await vi.advanceTimersByTimeAsync(1500)
  expect(await restored).toBe(false)
  vi.stubGlobal('localStorage', fakeStorage(stored()))
  void copySession()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await copySession()).toBe(true)
  const next = new Map<string, string>()
  vi.stubGlobal('localStorage', fakeStorage(next))
  expect(await restoreSession()).toBe(true)
  expect(next.get('refreshToken')).toBe('r2')
})
