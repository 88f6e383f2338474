import { call } from '#app/api/call.ts'
import { withTimeout } from '#app/api/with-timeout.ts'
import { DEVICE_TIMEOUT_MS } from '#app/constants.ts'
import { settleReads } from '#app/api/query-port.ts'
import { auth } from '#contract/auth.ts'
import { clearCredentials, emitSignedOut } from './credentials.ts'
import { clearLocalStorage } from './clear-local-storage.ts'
import { notePendingClearing, removePendingClearing, type Clearing } from './pending-clearing.ts'
import { privateStore } from './private-store.ts'
import { readCredentials } from './read-credentials.ts'
import { noteSignedOut, session } from './session.ts'
import { copySession } from './stored-copy.ts'
import { holdTabLock } from './tab-lock.ts'
import { SIGN_OUT_LOCK } from './unfinished-sign-out.ts'
import { sessionIdOf } from './user.ts'

/**
 * Ends the session (SESSION-16): removes tokens, local storage and private data, whether or not the server hears of it. What
 * identifies the device and the language stay (clear-local-storage.ts), and with `keepUnsent` also unsent answers, for their owner.
 * @returns whether everything was cleared; if not, it is tried again at the next start
 */
export async function signOut({ userId, keepUnsent }: { userId?: string; keepUnsent: boolean }): Promise<boolean> {
  // First, as it needs the token; not awaited, so that whoever leaves the page on a weak connection has signed out all the same.
  void call(auth.logout, undefined, { isKeptAlive: true }).catch((error: unknown) =>
    console.warn('The server was not told of the sign-out', error),
  )
  const { user } = session.get()
  const owner = userId ?? user?.id
  const proof = keepUnsent && user?.id === owner ? user?.proof : undefined
  const endsSession = sessionIdOf(readCredentials().accessToken)
  const clearing = owner === undefined ? undefined : { userId: owner, keepUnsent, proof, endsSession }
  // whoever leaves the page now has signed out all the same: another page finishes it (unfinished-sign-out.ts)
  const release = holdTabLock(SIGN_OUT_LOCK)
  if (clearing) notePendingClearing(clearing)
  try {
    return await clearAndEnd(owner, clearing, keepUnsent)
  } finally {
    release()
  }
}

/** @returns as `signOut` */
async function clearAndEnd(owner: string | undefined, clearing: Clearing | undefined, keepUnsent: boolean): Promise<boolean> {
  const { user } = session.get()
  let hasEnded = false
  const stop = session.subscribe(() => (hasEnded ||= session.get().user?.id !== user?.id))
  const isCleared = await privateStore()
    .then((store) => withTimeout(store.clear({ userId: owner, keepUnsent }), DEVICE_TIMEOUT_MS, 'this device was not cleared in time'))
    .then(
      () => true,
      (error: unknown) => {
        console.error('Not everything could be cleared', error)
        return false
      },
    )
  stop()
  // another page has finished it, and somebody has signed in since
  if (hasEnded && session.get().status !== 'guest') return isCleared
  noteSignedOut()
  await settleReads(undefined)
  clearLocalStorage()
  sessionStorage.clear()
  if (clearing && isCleared) removePendingClearing(clearing.userId)
  // a full storage has room for it now
  else if (clearing) notePendingClearing(clearing)
  // the copy as well: a killed browser must not restore what was just removed
  await copySession()
  // Tells this tab; other tabs get storage events, or are told.
  clearCredentials()
  emitSignedOut()
  return isCleared
}
