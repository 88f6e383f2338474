import { afterEach, expect, test, vi } from 'vitest'
import { closePage, openWithExpiredSession } from './browser.ts'
import { waitFor } from '#tests/support/wait-for.ts'

/** A refresh that the server refuses because the person signed out meanwhile. SESSION-16 */

afterEach(closePage)

test('a refresh refused after a sign-out is no end of a session to tell, and leaves the notes of what is to be cleared', async () => {
  const stored = new Map<string, string>()
  let refuse: ((reply: Response) => void) | undefined
  let isAsked = false
  openWithExpiredSession(stored, () => new Response('', { status: 503 }))
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.endsWith('/health')) return Response.json({ status: 'ok', service: 'touchline' })
    isAsked = true
    return new Promise<Response>((resolve) => {
      refuse = resolve
    })
  })
  const { session, startSession, noteSignedOut } = await import('#app/session/session.ts')
  const { serverEnd } = await import('#app/session/server-end.ts')
  const { clearLocalStorage } = await import('#app/session/clear-local-storage.ts')
  const { notePendingClearing, pendingClearings } = await import('#app/session/pending-clearing.ts')
  await startSession()
  await waitFor(() => expect(isAsked).toBe(true))
  // as a sign-out does, before it tells this tab
  noteSignedOut()
  clearLocalStorage()
  notePendingClearing({ userId: 'u', keepUnsent: false })
  refuse?.(Response.json({ code: 'SESSION_REVOKED', message: '-', requestId: '-' }, { status: 401 }))
  await waitFor(() => expect(session.get().isRefreshing).toBe(false))
  expect([serverEnd.take(), pendingClearings()]).toEqual([undefined, [{ userId: 'u', keepUnsent: false }]])
})
