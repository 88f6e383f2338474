import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { IDBFactory } from 'fake-indexeddb'
import { closePage, openWithExpiredSession, token } from './browser.ts'

/** Who is signed in after a sign-out that was held up. SESSION-16 */

const stored = new Map<string, string>()
const calls: string[] = []
const ben = {
  accessToken: token({ sid: 'later' }),
  refreshToken: 'r2',
  idToken: token({ sub: 'ben' }),
  expiresAt: String(Date.now() + 1e6),
}
const again = { ...ben, idToken: token({ sub: 'u' }) }

beforeEach(() => {
  stored.clear()
  calls.length = 0
  vi.stubGlobal('indexedDB', new IDBFactory())
  openWithExpiredSession(stored, (url) => {
    calls.push(url)
    return new Response('', { status: 503 })
  })
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(closePage)

const signIn = (tokens: Record<string, string>) => {
  for (const [key, value] of Object.entries(tokens)) stored.set(key, value)
}

/** A page with the session of `u`, where `clear` removes what the device stores. */
async function openPage(clear: () => Promise<void> = () => Promise.resolve()) {
  const { session, startSession } = await import('#app/session/session.ts')
  const { privateStorePort } = await import('#app/session/private-store.ts')
  const { signOut } = await import('#app/session/sign-out.ts')
  const { restoreSession, copySession } = await import('#app/session/stored-copy.ts')
  await startSession()
  privateStorePort.provide({
    countWaiting: () => Promise.reject(new Error('not asked')),
    countInPages: () => Promise.resolve({ answers: 0, marks: 0 }),
    sendNow: () => Promise.resolve(),
    clear: async () => {
      await clear()
      return true
    },
  })
  return { session, signOut, restoreSession, copySession }
}

/** No database of the sign-in responds until the returned function is called. */
function hangCopy(): () => void {
  const hanging = vi.spyOn(indexedDB, 'open').mockReturnValue(new EventTarget() as IDBOpenDBRequest)
  return () => hanging.mockRestore()
}

describe('whoever signs in while this page clears the device', () => {
  test.each([
    ['somebody else', ben],
    ['the same person', again],
  ])('stays signed in: %s', async (_, tokens) => {
    // another page has finished the sign-out
    const { session, signOut } = await openPage(() => {
      stored.clear()
      signIn(tokens)
      stored.set('draft:profile:u', 'typed')
      return Promise.resolve()
    })
    await signOut({ keepUnsent: true })
    expect([stored.get('refreshToken'), stored.get('draft:profile:u')]).toEqual(['r2', 'typed'])
    expect([session.get().status, session.isSignedOut()]).toEqual(['verified', false])
  })

  test('may store at once, although this page never saw them gone', async () => {
    const { mayStore, beginSigningOut } = await import('#app/device/owner.ts')
    const seen: boolean[] = []
    const { signOut } = await openPage(() => {
      beginSigningOut('u', 's')
      seen.push(mayStore('u'))
      stored.clear()
      seen.push(mayStore('u'))
      signIn(again)
      return Promise.resolve()
    })
    await signOut({ keepUnsent: true })
    expect([...seen, mayStore('u')]).toEqual([false, false, true])
  })

  test('and is still signing in, keeps the code that was asked for', async () => {
    const { session, signOut } = await openPage(async () => {
      const { noteSignedOut } = await import('#app/session/session.ts')
      // as a cleared local storage is heard of
      stored.clear()
      noteSignedOut()
      stored.set('authSession', 'of the code')
    })
    await signOut({ keepUnsent: true })
    expect([stored.get('authSession'), session.get().status]).toEqual(['of the code', 'guest'])
  })
})

test('whoever has signed in again elsewhere, as the device knows before local storage tells this page, stays signed in', async () => {
  const { session, signOut } = await openPage()
  const { privateStorePort } = await import('#app/session/private-store.ts')
  const clear = vi.spyOn(await privateStorePort.provided, 'clear').mockResolvedValue(false)
  expect(await signOut({ keepUnsent: false })).toBe(true)
  expect(clear.mock.calls).toEqual([
    [expect.objectContaining({ userId: 'u', keepUnsent: false, endsSession: 's', issuedAt: expect.any(Number) })],
  ])
  expect([stored.get('refreshToken'), session.get().user?.id]).toEqual(['r1', 'u'])
})

test('whoever signs in while the copy of the sign-in is removed stays signed in', async () => {
  const { session, signOut } = await openPage()
  const release = hangCopy()
  const leaving = signOut({ keepUnsent: true })
  await vi.waitFor(() => expect(stored.get('refreshToken')).toBeUndefined())
  signIn(ben)
  await leaving
  release()
  expect([stored.get('refreshToken'), session.get().user?.id]).toEqual(['r2', 'ben'])
})

test('a sign-out whose copy of the sign-in could not be removed is not undone at the next start', async () => {
  const { signOut, restoreSession, copySession } = await openPage()
  expect(await copySession()).toBe(true)
  const release = hangCopy()
  await signOut({ keepUnsent: true })
  // the next person asks for a code, which cannot be copied either
  stored.set('authSession', 'of the code')
  expect(await copySession()).toBe(false)
  release()
  await restoreSession()
  expect([stored.get('refreshToken'), stored.get('authSession')]).toEqual([undefined, 'of the code'])
})

test('whoever has signed in again before this page hears of their sign-out elsewhere can sign out here', async () => {
  const { session, signOut } = await openPage()
  const { noteSignedOut } = await import('#app/session/session.ts')
  const { emitCredentialsChanged } = await import('#app/session/credentials.ts')
  noteSignedOut()
  signIn(again)
  emitCredentialsChanged()
  expect([session.get().user?.id, session.isSignedOut()]).toEqual(['u', false])
  await signOut({ keepUnsent: true })
  expect([stored.get('refreshToken'), session.get().status]).toEqual([undefined, 'guest'])
})

test('an account that is closed late clears only its own data, and the server does not hear of a sign-out', async () => {
  const cleared: unknown[] = []
  const { session, signOut } = await openPage()
  signIn(ben)
  const { privateStorePort } = await import('#app/session/private-store.ts')
  vi.spyOn(await privateStorePort.provided, 'clear').mockImplementation(async (clearing) => cleared.push(clearing) > 0)
  expect(await signOut({ userId: 'u', keepUnsent: false })).toBe(true)
  expect(cleared).toEqual([{ userId: 'u', keepUnsent: false, proof: undefined }])
  expect([stored.get('refreshToken'), session.get().user?.id]).toEqual(['r2', 'ben'])
  expect(calls.filter((url) => url.includes('logout'))).toEqual([])
})

test('a full storage that has room for the tokens alone does not keep them over a later sign-in, after a kill', async () => {
  const { session, signOut, restoreSession } = await openPage()
  const { begin } = await import('#app/session/session.ts')
  await signOut({ keepUnsent: false })
  stored.delete('sessionCopiedAt')
  const { setItem } = localStorage
  const full = vi.spyOn(localStorage, 'setItem').mockImplementation((key: string, value: string) => {
    if (key === 'sessionCopiedAt' && !stored.has(key) && stored.has('refreshToken')) throw new DOMException('full', 'QuotaExceededError')
    setItem.call(localStorage, key, value)
  })
  const release = hangCopy()
  const credentials = { ...again, expiresIn: 1000 }
  await begin(credentials)
  const onDisk = [...stored]
  release()
  full.mockRestore()
  await signOut({ keepUnsent: false })
  await begin({ ...credentials, ...ben, refreshToken: 'r3', expiresIn: 1000 })
  expect(session.get().user?.id).toBe('ben')
  // local storage is as it was on the disk
  stored.clear()
  for (const [key, value] of onDisk) stored.set(key, value)
  expect(await restoreSession()).toBe(true)
  expect(stored.get('refreshToken')).toBe('r3')
})

test('a storage without room for a sign-in stays as it was', async () => {
  await openPage()
  const { begin } = await import('#app/session/session.ts')
  const before = new Map(stored)
  const { setItem } = localStorage
  for (const full of ['sessionCopiedAt', 'refreshToken']) {
    vi.spyOn(localStorage, 'setItem').mockImplementation((key: string, value: string) => {
      if (key === full && value !== before.get(key)) throw new DOMException('full', 'QuotaExceededError')
      setItem.call(localStorage, key, value)
    })
    await expect(begin({ ...ben, expiresIn: 1000 })).rejects.toThrow('full')
    expect(stored).toEqual(before)
  }
})
