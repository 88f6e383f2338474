import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { waitFor } from '#tests/support/wait-for.ts'
import { closePage, openWithExpiredSession } from './browser.ts'

/** A page that opens after another was left while it signed out. SESSION-16, docs/decisions/0032 */

const stored = new Map<string, string>()

beforeEach(() => {
  stored.clear()
  openWithExpiredSession(stored, () => new Response('', { status: 503 }))
})
afterEach(closePage)

async function open({ userId, endsSession }: { userId: string; endsSession: string }) {
  const { addPendingClearing, pendingClearings } = await import('#app/session/pending-clearing.ts')
  addPendingClearing({ userId, keepUnsent: false, endsSession })
  const { session, startSession } = await import('#app/session/session.ts')
  await startSession()
  return { userId: session.get().user?.id, isSignedOut: session.isSignedOut(), pending: pendingClearings().map((one) => one.userId) }
}

test('finishes the sign-out, and what is on the device is still to be cleared', async () => {
  expect(await open({ userId: 'u', endsSession: 's' })).toEqual({ userId: undefined, isSignedOut: true, pending: ['u'] })
  // without a database no copy of the sign-in is known to be removed
  expect([...stored.keys()]).toEqual(['pendingClearing', 'sessionCopiedAt'])
})

describe('ends no session', () => {
  test.each([
    ['that began after the sign-out', { userId: 'u', endsSession: 'earlier' }],
    ['of another person', { userId: 'v', endsSession: 's' }],
  ])('%s', async (_, signOut) => {
    expect(await open(signOut)).toMatchObject({ userId: 'u', isSignedOut: false })
  })
})

test('is finished when a page comes to the front that was not told of it', async () => {
  let show = () => {}
  vi.stubGlobal('document', {
    visibilityState: 'visible',
    addEventListener: (type: string, listener: () => void) => {
      if (type === 'visibilitychange') show = listener
    },
  })
  const { addPendingClearing } = await import('#app/session/pending-clearing.ts')
  const { session, startSession } = await import('#app/session/session.ts')
  await startSession()
  addPendingClearing({ userId: 'u', keepUnsent: true, endsSession: 's' })
  expect(session.get().user?.id).toBe('u')
  show()
  await waitFor(() => expect(session.get().user).toBeUndefined())
})
