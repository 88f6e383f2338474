import { beforeEach, expect, test, vi } from 'vitest'
import { network } from '#app/api/network.ts'
import { call } from '#app/api/call.ts'
import { session, startSession } from '#app/session/session.ts'
import { instances } from '#contract/instances.ts'

/** The session as main starts it, on a device whose access token ran out. Rulings 1 to 5. */

const part = (claims: object) => Buffer.from(JSON.stringify(claims)).toString('base64url')
const token = (claims: object) => `x.${part(claims)}.x`
const fresh = { accessToken: token({ userTypeCode: 'player', n: 2 }), refreshToken: 'r2', idToken: token({ sub: 'u' }), expiresIn: 1800 }

const stored = new Map<string, string>()
const asked: string[] = []
let isThere = false

function answer(url: string, init: RequestInit): Response {
  if (!isThere) throw new TypeError('Failed to fetch')
  if (url.endsWith('/health')) return Response.json({ status: 'ok', service: 'touchline' })
  asked.push(`${url} ${new Headers(init.headers).get('authorization') === `Bearer ${fresh.accessToken}` ? 'new' : 'old'}`)
  return url.endsWith('/refresh') ? Response.json(fresh) : Response.json({ data: [] })
}

beforeEach(() => {
  for (const [key, value] of Object.entries({
    accessToken: token({ userTypeCode: 'player' }),
    refreshToken: 'r1',
    idToken: token({ sub: 'u' }),
    expiresAt: '1',
  })) {
    stored.set(key, value)
  }
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
  vi.stubGlobal('document', { addEventListener: () => undefined, visibilityState: 'visible' })
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => answer(url, init))
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
})

test('offline it is known and kept; back online one refresh comes before the calls that waited for it', async () => {
  await startSession()
  await network.probe()
  expect(session.get()).toMatchObject({ status: 'known', userTypeCode: 'player', user: { id: 'u' } })
  await expect(call(instances.list)).rejects.toMatchObject({ kind: 'FETCH_ERROR' })
  expect([session.get().status, stored.get('refreshToken')]).toEqual(['known', 'r1'])

  isThere = true
  await network.probe()
  await Promise.all([call(instances.list), call(instances.list)])
  expect(session.get().status).toBe('verified')
  expect(asked.map((line) => line.replace('/api/', ''))).toEqual([
    'user/auth/refresh old',
    'assessment/assessment-instance new',
    'assessment/assessment-instance new',
  ])
})
