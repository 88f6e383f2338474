import { afterEach, expect, test, vi } from 'vitest'
import { closePage, openWithExpiredSession } from './browser.ts'

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
  for (const [key] of tokens) stored.delete(key)
  hear({ key: 'idToken' })
  expect(state()).toEqual([undefined, false, false])
})
