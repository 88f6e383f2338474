import { call } from '#app/api/call.ts'
import { withTimeout } from '#app/with-timeout.ts'
import { DEVICE_TIMEOUT_MS } from '#app/constants.ts'
import { settleReads } from '#app/api/query-port.ts'
import { auth } from '#contract/auth.ts'
import { emitCredentialsChanged, emitSignedOut } from './credentials.ts'
import { clearLocalStorage } from './clear-local-storage.ts'
import { addPendingClearing, removePendingClearing, type Clearing } from './pending-clearing.ts'
import { privateStore } from './private-store.ts'
import { readCredentials } from './read-credentials.ts'
import { noteSignedOut, session } from './session.ts'
import { copySession } from './stored-copy.ts'
import { holdTabLock, storageIsCurrent } from './tab-lock.ts'
import { SIGN_OUT_LOCK } from './unfinished-sign-out.ts'
import { issuedAtOf, sessionIdOf, userOf } from './user.ts'

/**
 * Ends the session (SESSION-16): removes tokens, local storage and private data, whether or not the server hears of it. What
 * identifies the device and the language stay (clear-local-storage.ts), and with `keepUnsent` also unsent answers, for their owner.
 * If somebody else has signed in since, in whatever tab, only the data of `userId` is removed.
 * @param options `userId`: who signs out; by default whoever this page shows
 * @returns whether everything was cleared; if not, it is tried again at the next start
 */
export async function signOut({ userId, keepUnsent }: { userId?: string; keepUnsent: boolean }): Promise<boolean> {
  const { user } = session.get()
  const owner = userId ?? user?.id
  const proof = keepUnsent && user?.id === owner ? user?.proof : undefined
  if (isOfAnother(owner)) {
    const clearing = owner === undefined ? undefined : { userId: owner, keepUnsent, proof }
    if (clearing) addPendingClearing(clearing)
    const outcome = await clearInTime(clearing)
    if (clearing && outcome !== 'failed') removePendingClearing(clearing.userId)
    emitCredentialsChanged()
    return outcome !== 'failed'
  }
  // First, as it needs the token; not awaited, so that whoever leaves the page on a weak connection has signed out all the same.
  void call(auth.logout, undefined, { isKeptAlive: true }).catch((error: unknown) =>
    console.warn('The server was not told of the sign-out', error),
  )
  const { accessToken } = readCredentials()
  const endsSession = sessionIdOf(accessToken)
  const clearing = owner === undefined ? undefined : { userId: owner, keepUnsent, proof, endsSession, issuedAt: issuedAtOf(accessToken) }
  // whoever leaves the page now has signed out all the same: another page finishes it (unfinished-sign-out.ts)
  const lock = holdTabLock(SIGN_OUT_LOCK)
  if (clearing) addPendingClearing(clearing)
  try {
    const outcome = await clearInTime(clearing)
    // this page may have been suspended: another has finished the sign-out, and the next person has signed in
    await storageIsCurrent()
    if (outcome !== 'superseded' && !isOfAnother(owner, endsSession)) await endSession(clearing, outcome === 'cleared')
    emitCredentialsChanged()
    return outcome !== 'failed'
  } finally {
    lock.release()
  }
}

/** Whether the stored session is not the one that is signed out of. */
function isOfAnother(owner: string | undefined, endsSession?: string): boolean {
  const { accessToken, idToken } = readCredentials()
  const present = userOf(idToken)?.id
  const sessionId = sessionIdOf(accessToken)
  const isDifferent = (one: string | undefined, other: string | undefined) => one !== undefined && other !== undefined && one !== other
  return isDifferent(present, owner) || isDifferent(sessionId, endsSession)
}

/** `superseded`: the person has signed in again meanwhile, in another tab, and nothing of theirs is cleared. Never rejects. */
async function clearInTime(clearing: Clearing | undefined): Promise<'cleared' | 'superseded' | 'failed'> {
  if (!clearing) return 'cleared'
  try {
    const store = await privateStore()
    const isCleared = await withTimeout(store.clear(clearing), DEVICE_TIMEOUT_MS, 'this device was not cleared in time')
    return isCleared ? 'cleared' : 'superseded'
  } catch (error) {
    console.error('Not everything could be cleared', error)
    return 'failed'
  }
}

async function endSession(clearing: Clearing | undefined, isCleared: boolean): Promise<void> {
  // if another page has finished the sign-out, what is stored since is of whoever signs in
  if (!session.isSignedOut() || readCredentials().refreshToken !== undefined) {
    noteSignedOut()
    void settleReads(undefined)
    clearLocalStorage()
  }
  sessionStorage.clear()
  if (clearing && isCleared) removePendingClearing(clearing.userId)
  // a full storage has room for it now
  else if (clearing) addPendingClearing(clearing)
  // the copy as well: a killed browser must not restore what was just removed
  await copySession()
  // where other tabs get no storage events
  emitSignedOut(clearing?.endsSession)
}
