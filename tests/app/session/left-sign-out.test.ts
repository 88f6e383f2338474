import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openWithExpiredSession } from './browser.ts'

/** A page that opens after another was left while it signed out. SESSION-16, docs/decisions/0032 */

const stored = new Map<string, string>()
const copiedAt = 1_000

beforeEach(() => {
  stored.clear()
  openWithExpiredSession(stored, () => new Response('', { status: 503 }))
  vi.stubGlobal('sessionStorage', { clear: () => undefined })
  stored.set('sessionCopiedAt', String(copiedAt))
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.resetModules()
})

async function open(clearing: { userId: string; at: number; session: number }) {
  const { notePendingClearing, pendingClearings } = await import('#app/session/pending-clearing.ts')
  const { userId, ...underWay } = clearing
  notePendingClearing({ userId, keepUnsent: false, underWay })
  const { session, startSession } = await import('#app/session/session.ts')
  await startSession()
  return { userId: session.get().user?.id, isSignedOut: session.isSignedOut(), pending: pendingClearings().map((one) => one.userId) }
}

const now = () => Date.now()

test('finishes the sign-out, and what is on the device is still to be cleared', async () => {
  expect(await open({ userId: 'u', at: now(), session: copiedAt })).toEqual({ userId: undefined, isSignedOut: true, pending: ['u'] })
  expect([...stored.keys()]).toEqual(['pendingClearing'])
})

describe('ends no session', () => {
  test.each([
    ['that began after the sign-out', { userId: 'u', at: now(), session: copiedAt - 1 }],
    ['of another person', { userId: 'v', at: now(), session: copiedAt }],
    ['of a person who was signed out long ago', { userId: 'u', at: now() - 31_000, session: copiedAt }],
    ['by a clock that was set back', { userId: 'u', at: now() + 60_000, session: copiedAt }],
  ])('%s', async (_, clearing) => {
    expect(await open(clearing)).toMatchObject({ userId: 'u', isSignedOut: false })
  })
})
