import 'fake-indexeddb/auto'
import { expect, test, vi } from 'vitest'
import { call } from '#app/api/call.ts'
import { network } from '#app/api/network.ts'
import { session, startSession, watchSessionInOtherTabs } from '#app/session/session.ts'
import { copySession } from '#app/session/stored-copy.ts'
import { instances } from '#contract/instances.ts'
import { fakeStorage } from '#tests/support/storage.ts'
import { openWithExpiredSession, token } from './browser.ts'

/** A browser that blocks local storage: each tab has one in memory, and the copy of the sign-in is shared. SESSION-3 */

vi.mock('#app/ui/browser/memory-storage.ts', () => ({ isMemoryStorage: () => true }))

const fresh = { accessToken: token({ userTypeCode: 'player', n: 2 }), refreshToken: 'r2', idToken: token({ sub: 'u' }) }

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
  const other = new BroadcastChannel('touchline-signed-out')
  other.postMessage('signed out')
  await vi.waitFor(() => expect(session.get().status).toBe('guest'))
  other.close()
  expect([session.isSignedOut(), mine.get('refreshToken')]).toEqual([true, undefined])
})
