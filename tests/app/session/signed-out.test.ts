import { afterEach, expect, test, vi } from 'vitest'
import type { Credentials } from '#contract/auth.ts'
import { noteEndedSession } from '#app/session/ended-session.ts'
import { closePage, openWithExpiredSession, token } from './browser.ts'

/** What a tab knows of a sign-out in another. SESSION-16, docs/decisions/0032 */

afterEach(closePage)

test('a sign-out in another tab is known until the person signs in again, and differs from a later one by the server', async () => {
  const stored = new Map<string, string>()
  openWithExpiredSession(stored, () => new Response('', { status: 503 }))
  const tokens = [...stored]
  const listeners = new Set<(event: { key: string | null }) => void>()
  vi.stubGlobal('addEventListener', (type: string, listener: (event: { key: string | null }) => void) => {
    if (type === 'storage') listeners.add(listener)
  })
  const hear = (event: { key: string | null }) => {
    for (const listener of listeners) listener(event)
  }
  const { session, startSession, watchSessionInOtherTabs } = await import('#app/session/session.ts')
  await startSession()
  watchSessionInOtherTabs()
  const state = () => [session.get().user?.id, session.isSignedOut(), session.hasSignedOut('u')]
  expect(state()).toEqual(['u', false, false])
  stored.clear()
  hear({ key: null })
  expect(state()).toEqual([undefined, true, true])
  for (const [key, value] of tokens) stored.set(key, value)
  hear({ key: 'idToken' })
  expect(state()).toEqual(['u', false, false])
  noteEndedSession('u', 's')
  for (const [key] of tokens) stored.delete(key)
  hear({ key: 'idToken' })
  expect(state()).toEqual([undefined, false, false])
})

test.each([
  ['a sign-out', false],
  ['an end by the server', true],
])('%s in another tab, before this one listened, is known as what it is', async (_, isEnded) => {
  const stored = new Map<string, string>()
  openWithExpiredSession(stored, () => new Response('', { status: 503 }))
  const cleared = vi.spyOn(sessionStorage, 'clear')
  const { session, startSession, watchSessionInOtherTabs } = await import('#app/session/session.ts')
  await startSession()
  stored.clear()
  if (isEnded) noteEndedSession('u', 's')
  watchSessionInOtherTabs()
  expect([session.get().status, session.hasSignedOut('u'), cleared.mock.calls.length > 0]).toEqual(['guest', !isEnded, !isEnded])
})

test('a page that was suspended finds that another has signed out', async () => {
  const stored = new Map<string, string>()
  openWithExpiredSession(stored, () => new Response('', { status: 503 }))
  const { session, startSession, watchSessionInOtherTabs } = await import('#app/session/session.ts')
  await startSession()
  watchSessionInOtherTabs()
  sessionStorage.setItem('lastCheckout', '/checkout/1')
  stored.clear()
  const { emitCredentialsChanged } = await import('#app/session/credentials.ts')
  emitCredentialsChanged()
  expect([session.get().status, session.hasSignedOut('u'), Object.keys(sessionStorage)]).toEqual(['guest', true, []])
})

test.each([
  ['', false],
  [', also if the server had ended the session, whose note this tab still has', true],
])('or that somebody else has signed in since: what it stored for itself alone goes%s', async (_, isNoted) => {
  const stored = new Map<string, string>()
  openWithExpiredSession(stored, () => new Response('', { status: 503 }))
  const { session, startSession } = await import('#app/session/session.ts')
  await startSession()
  sessionStorage.setItem('lastCheckout', '/checkout/1')
  if (isNoted) noteEndedSession('u', 's')
  stored.set('accessToken', token({ userTypeCode: 'player', sid: 'later' }))
  stored.set('idToken', token({ sub: 'next' }))
  const { emitCredentialsChanged } = await import('#app/session/credentials.ts')
  emitCredentialsChanged()
  expect([session.get().user?.id, Object.keys(sessionStorage)]).toEqual(['next', ['tabSession']])
})

test('a page that starts with nobody signed in removes the reads that were left', async () => {
  const stored = new Map<string, string>()
  openWithExpiredSession(stored, () => new Response('', { status: 503 }))
  stored.clear()
  for (const key of ['touchline.reads.u', 'language']) stored.set(key, 'x')
  const { startSession } = await import('#app/session/session.ts')
  await startSession()
  expect([...stored.keys()].filter((key) => key !== 'lastContact')).toEqual(['language'])
})

/** A page that has a form's draft for itself alone, and is left. */
async function leaveWithDraft(): Promise<Map<string, string>> {
  const stored = new Map<string, string>()
  openWithExpiredSession(stored, () => new Response('', { status: 503 }))
  const { fetch, navigator } = globalThis
  // its refresh gets no reply, and holds no lock: nothing of the page runs in the next one
  const asked = Promise.withResolvers<void>()
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('fetch', (url: string) => {
    if (url.includes('refresh')) asked.resolve()
    return new Promise(() => undefined)
  })
  const { startSession } = await import('#app/session/session.ts')
  await startSession()
  await asked.promise
  sessionStorage.setItem('draft:player-details', 'draft:player-details:/profile:u')
  vi.stubGlobal('navigator', navigator)
  vi.stubGlobal('fetch', fetch)
  vi.resetModules()
  return stored
}

test.each([
  ['signed out', undefined, []],
  ['signed out, and somebody in', 'next', ['tabSession']],
  ['refreshed the session', 's', ['draft:player-details', 'tabSession']],
] as const)('what a tab stored for itself alone, and was elsewhere while another %s', async (_, sid, left) => {
  const stored = await leaveWithDraft()
  if (sid === undefined) stored.clear()
  else stored.set('accessToken', token({ userTypeCode: 'player', sid }))
  const again = await import('#app/session/session.ts')
  await again.startSession()
  expect(Object.keys(sessionStorage).toSorted()).toEqual(left)
})

test.each([
  ['who continues', 'u', ['draft:player-details', 'tabSession']],
  ['but another person', 'next', ['tabSession']],
])('goes after the server has ended the session, unless its owner signs in: %s', async (_, sub, left) => {
  const stored = await leaveWithDraft()
  stored.clear()
  noteEndedSession('u', 's')
  const again = await import('#app/session/session.ts')
  await again.startSession()
  const accessToken = token({ userTypeCode: 'player', sid: 'later' })
  await again.begin({ accessToken, refreshToken: 'r', idToken: token({ sub }), expiresIn: 60, deviceSecret: '' } as Credentials)
  expect(Object.keys(sessionStorage).toSorted()).toEqual(left)
})

test('stays if the server has ended the session, which its owner continues', async () => {
  const stored = await leaveWithDraft()
  stored.clear()
  noteEndedSession('u', 's')
  const again = await import('#app/session/session.ts')
  await again.startSession()
  expect(sessionStorage.getItem('draft:player-details')).not.toBeNull()
})
