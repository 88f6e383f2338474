import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { closePage, openWithExpiredSession } from './browser.ts'

/** A page that opens after another was left while it signed out. SESSION-16, docs/decisions/0032 */

const stored = new Map<string, string>()

beforeEach(() => {
  stored.clear()
  openWithExpiredSession(stored, () => new Response('', { status: 503 }))
})
afterEach(closePage)

async function open({ userId, endsSession }: { userId: string; endsSession: string }) {
  const { notePendingClearing, pendingClearings } = await import('#app/session/pending-clearing.ts')
  notePendingClearing({ userId, keepUnsent: false, endsSession })
  const { session, startSession } = await import('#app/session/session.ts')
  await startSession()
  return { userId: session.get().user?.id, isSignedOut: session.isSignedOut(), pending: pendingClearings().map((one) => one.userId) }
}

test('finishes the sign-out, and what is on the device is still to be cleared', async () => {
  expect(await open({ userId: 'u', endsSession: 's' })).toEqual({ userId: undefined, isSignedOut: true, pending: ['u'] })
  expect([...stored.keys()]).toEqual(['pendingClearing'])
})

describe('ends no session', () => {
  test.each([
    ['that began after the sign-out', { userId: 'u', endsSession: 'earlier' }],
    ['of another person', { userId: 'v', endsSession: 's' }],
  ])('%s', async (_, signOut) => {
    expect(await open(signOut)).toMatchObject({ userId: 'u', isSignedOut: false })
  })
})
