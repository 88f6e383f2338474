import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endedUserId, noteEndedSession } from '#app/session/ended-session.ts'
import { addPendingClearing, pendingClearings } from '#app/session/pending-clearing.ts'
import { closePage, openWithExpiredSession, token } from './browser.ts'
import { waitFor } from '#tests/support/wait-for.ts'

/** A session that the server ended, noticed at the start (docs/decisions/0032). */

const stored = new Map<string, string>()
let code = ''

function reply(url: string): Response {
  if (url.endsWith('/health')) return Response.json({ status: 'ok', service: 'touchline' })
  return Response.json({ code, message: '-', requestId: '-' }, { status: 401 })
}

beforeEach(() => {
  stored.clear()
  openWithExpiredSession(stored, reply)
})
afterEach(closePage)

test.each([
  ['SESSION_REVOKED', 'unsent answers stay', false],
  ['INVALID_TOKEN', 'all answers of open assessments stay too, since the server may be a restored backup', true],
])('%s: %s', async (refusal, _, keepOpen) => {
  code = refusal
  const { session, startSession } = await import('#app/session/session.ts')
  const { serverEnd } = await import('#app/session/server-end.ts')
  await startSession()
  await waitFor(() => expect(session.get().status).toBe('guest'))
  expect(pendingClearings()).toEqual([{ userId: 'u', keepUnsent: true, keepOpen }])
  expect(serverEnd.take()).toBe('ended')
  expect(endedUserId()).toBe('u')
})

test.each([
  ['its own sign-out leaves the choice to discard, and is not reported', 's', false, undefined],
  ['the sign-out of an earlier session keeps unsent answers', 'earlier', true, 'ended'],
])('a session that ends during %s', async (_, endsSession, keepUnsent, reported) => {
  code = 'SESSION_REVOKED'
  const { session, startSession } = await import('#app/session/session.ts')
  const { serverEnd } = await import('#app/session/server-end.ts')
  await startSession()
  stored.set('draft:profile:u', 'typed')
  addPendingClearing({ userId: 'u', keepUnsent: false, endsSession })
  await waitFor(() => expect(session.get().status).toBe('guest'))
  expect(pendingClearings()).toMatchObject([{ userId: 'u', keepUnsent }])
  expect(serverEnd.take()).toBe(reported)
  expect(stored.has('draft:profile:u')).toBe(keepUnsent)
})

test('an end that nobody was told of before the next sign-in is not told after that', async () => {
  code = 'SESSION_REVOKED'
  const { begin, session, startSession } = await import('#app/session/session.ts')
  const { serverEnd } = await import('#app/session/server-end.ts')
  await startSession()
  await waitFor(() => expect(session.get().status).toBe('guest'))
  const credentials = { accessToken: token({ userTypeCode: 'player', sid: 'later' }), refreshToken: 'r', idToken: token({ sub: 'u' }) }
  await begin({ ...credentials, expiresIn: 60 })
  expect(serverEnd.take()).toBeUndefined()
})

test.each([
  ['the account is said to be closed', undefined, 'closed'],
  ['also if the server has taken a call that was sent before', -1, 'closed'],
  ['unless it has taken one that was sent later', 1, 'ended'],
])('a session that ends after a closing whose reply was lost: %s', async (_, sentMsLater, reason) => {
  code = 'SESSION_REVOKED'
  const { session, startSession } = await import('#app/session/session.ts')
  const { serverEnd } = await import('#app/session/server-end.ts')
  const { sessionPort } = await import('#app/api/session-port.ts')
  const lostAt = performance.now()
  vi.spyOn(performance, 'now').mockReturnValue(lostAt)
  serverEnd.noteClosing(true)
  vi.mocked(performance.now).mockRestore()
  const started = startSession()
  if (sentMsLater !== undefined) sessionPort.get()?.noteAccepted(lostAt + sentMsLater)
  await started
  await waitFor(() => expect(session.get().status).toBe('guest'))
  expect(serverEnd.take()).toBe(reason)
})

test('an ended session is signed out although local storage is full', async () => {
  code = 'SESSION_REVOKED'
  const sizeOf = (values: Map<string, string>) => [...values].flat().join('').length
  const room = sizeOf(stored)
  vi.spyOn(localStorage, 'setItem').mockImplementation((key, value) => {
    if (sizeOf(new Map(stored).set(key, value)) > room) throw new DOMException('full', 'QuotaExceededError')
    stored.set(key, value)
  })
  const { session, startSession } = await import('#app/session/session.ts')
  await startSession()
  await waitFor(() => expect(session.get().status).toBe('guest'))
  expect([pendingClearings(), endedUserId()]).toMatchObject([[{ userId: 'u' }], 'u'])
})

test('other tabs see that the server ended the session before its tokens are gone', async () => {
  code = 'SESSION_REVOKED'
  const seen: (string | undefined)[] = []
  vi.spyOn(localStorage, 'removeItem').mockImplementation((key) => {
    if (key === 'refreshToken') seen.push(endedUserId())
    stored.delete(key)
  })
  const { session, startSession } = await import('#app/session/session.ts')
  await startSession()
  await waitFor(() => expect(session.get().status).toBe('guest'))
  expect(seen).toEqual(['u'])
})

test.each([
  ['has signed out, this one does too', false],
  ['has seen the end, this one tells it, too', true],
])('refused once another page that this one did not hear %s', async (_, isNoted) => {
  code = 'SESSION_REVOKED'
  const { session, startSession } = await import('#app/session/session.ts')
  const { serverEnd } = await import('#app/session/server-end.ts')
  await startSession()
  stored.clear()
  if (isNoted) noteEndedSession('u', 's')
  await waitFor(() => expect(session.get().status).toBe('guest'))
  expect([serverEnd.take(), session.hasSignedOut('u')]).toEqual(isNoted ? ['ended', false] : [undefined, true])
  expect([stored.get('endedSession'), pendingClearings()]).toEqual([isNoted ? 'u s' : undefined, []])
})
