import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { HEALTH_REPLY } from '#contract/rules/health-reply.ts'
import { closePage, openWithExpiredSession, token } from './browser.ts'
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
  const { addPendingClearing, pendingClearings } = await import('#app/session/pending-clearing.ts')
  await startSession()
  await waitFor(() => expect(isAsked).toBe(true))
  // as a sign-out does, before it tells this tab
  noteSignedOut()
  clearLocalStorage()
  addPendingClearing({ userId: 'u', keepUnsent: false })
  refuse?.(Response.json({ code: 'SESSION_REVOKED', message: '-', requestId: '-' }, { status: 401 }))
  await waitFor(() => expect(session.get().isRefreshing).toBe(false))
  expect([serverEnd.take(), pendingClearings()]).toEqual([undefined, [{ userId: 'u', keepUnsent: false }]])
})

test('a token that another tab spends while this one loads its calls is not sent a second time', async () => {
  const stored = new Map<string, string>()
  const sent: unknown[] = []
  let load = () => {}
  let isLoading = false
  const loaded = new Promise<void>((resolve) => {
    load = resolve
  })
  vi.doMock('#app/session/lazy.ts', () => ({
    loadRequestCredentials: async () => {
      isLoading = true
      await loaded
      return import('#app/session/request-credentials.ts')
    },
  }))
  onTestFinished(() => {
    vi.doUnmock('#app/session/lazy.ts')
  })
  openWithExpiredSession(stored, () => new Response('', { status: 503 }))
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (url.endsWith('/health')) return Response.json(HEALTH_REPLY)
    sent.push(init.body)
    return new Response('', { status: 503 })
  })
  const { session, startSession } = await import('#app/session/session.ts')
  await startSession()
  await waitFor(() => expect(isLoading).toBe(true))
  stored.set('refreshToken', 'renewed').set('expiresAt', String(Date.now() + 1_800_000))
  stored.set('accessToken', token({ userTypeCode: 'player', sid: 's', n: 2 }))
  load()
  await waitFor(() => expect(session.get().isRefreshing).toBe(false))
  expect(sent).toEqual([])
  expect(session.get().status).toBe('verified')
})
