import { afterEach, beforeEach, expect, test } from 'vitest'
import { network } from '#app/api/network.ts'
import { call } from '#app/api/call.ts'
import { session, startSession } from '#app/session/session.ts'
import { instances } from '#contract/instances.ts'
import { closePage, openWithExpiredSession, token } from './browser.ts'

/** The session at the start on a device whose access token has expired (SESSION-8 to SESSION-15). */

const fresh = { accessToken: token({ userTypeCode: 'player', n: 2 }), refreshToken: 'r2', idToken: token({ sub: 'u' }), expiresIn: 1800 }

const stored = new Map<string, string>()
const requests: string[] = []
let isThere = false

function reply(url: string, init: RequestInit): Response {
  if (!isThere) throw new TypeError('Failed to fetch')
  if (url.endsWith('/health')) return Response.json({ status: 'ok', service: 'touchline' })
  requests.push(`${url} ${new Headers(init.headers).get('authorization') === `Bearer ${fresh.accessToken}` ? 'new' : 'old'}`)
  return url.endsWith('/refresh') ? Response.json(fresh) : Response.json({ data: [] })
}

beforeEach(() => {
  openWithExpiredSession(stored, reply)
})
afterEach(closePage)

test('an expired session stays known offline; back online one refresh comes before the calls that waited for it', async () => {
  await startSession()
  await network.probe()
  expect(session.get()).toMatchObject({ status: 'known', userTypeCode: 'player', user: { id: 'u' } })
  await expect(call(instances.list)).rejects.toMatchObject({ kind: 'FETCH_ERROR' })
  expect([session.get().status, stored.get('refreshToken')]).toEqual(['known', 'r1'])

  isThere = true
  await network.probe()
  await Promise.all([call(instances.list), call(instances.list)])
  expect(session.get().status).toBe('verified')
  expect(requests.map((line) => line.replace('/api/', ''))).toEqual([
    'user/auth/refresh old',
    'assessment/assessment-instance new',
    'assessment/assessment-instance new',
  ])
})
