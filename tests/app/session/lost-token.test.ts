import { afterEach, expect, test } from 'vitest'
import { session, startSession } from '#app/session/session.ts'
import { closePage, openWithExpiredSession, token } from './browser.ts'
import { waitFor } from '#tests/support/wait-for.ts'

/** A valid session whose id token was lost: nobody knows who it is, so no screen could show anything. */

const fresh = { accessToken: token({ userTypeCode: 'player', n: 2 }), refreshToken: 'r2', idToken: token({ sub: 'u' }), expiresIn: 1800 }

afterEach(closePage)

test('a session without its id token is refreshed at the start, once', async () => {
  const stored = new Map<string, string>()
  const requests: string[] = []
  openWithExpiredSession(stored, (url) => {
    requests.push(url)
    return Response.json(fresh)
  })
  stored.set('expiresAt', String(Date.now() + 1_800_000))
  stored.delete('idToken')
  await startSession()
  await waitFor(() => expect(session.get()).toMatchObject({ status: 'verified', user: { id: 'u' } }))
  expect(requests).toEqual(['/api/auth/refresh'])
})
