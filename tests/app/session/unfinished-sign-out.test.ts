import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { closePage, openWithExpiredSession } from './browser.ts'

/** A page that opens after another was left while it signed out. SESSION-16, docs/decisions/0032 */

const stored = new Map<string, string>()
const copiedAt = 1_000

beforeEach(() => {
  stored.clear()
  openWithExpiredSession(stored, () => new Response('', { status: 503 }))
  stored.set('sessionCopiedAt', String(copiedAt))
})
afterEach(closePage)

async function open({ userId, ...signOut }: { userId: string; at: number; copiedAt: number }) {
  const { notePendingClearing, pendingClearings } = await import('#app/session/pending-clearing.ts')
  notePendingClearing({ userId, keepUnsent: false, signOut })
  const { session, startSession } = await import('#app/session/session.ts')
  await startSession()
  return { userId: session.get().user?.id, isSignedOut: session.isSignedOut(), pending: pendingClearings().map((one) => one.userId) }
}

test('finishes the sign-out, and what is on the device is still to be cleared', async () => {
  expect(await open({ userId: 'u', at: Date.now(), copiedAt })).toEqual({ userId: undefined, isSignedOut: true, pending: ['u'] })
  expect([...stored.keys()]).toEqual(['pendingClearing'])
})

describe('ends no session', () => {
  test.each([
    ['that began after the sign-out', { userId: 'u', at: Date.now(), copiedAt: copiedAt - 1 }],
    ['of another person', { userId: 'v', at: Date.now(), copiedAt }],
    ['of a person who was signed out long ago', { userId: 'u', at: Date.now() - 31_000, copiedAt }],
    ['by a clock that was set back', { userId: 'u', at: Date.now() + 60_000, copiedAt }],
  ])('%s', async (_, signOut) => {
    expect(await open(signOut)).toMatchObject({ userId: 'u', isSignedOut: false })
  })
})
