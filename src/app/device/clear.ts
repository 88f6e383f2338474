import { STORED_READS_PREFIX } from '#app/api/query-port.ts'
import { noteLeftAccount } from '#app/session/left-accounts.ts'
import { pendingClearings, removePendingClearing, type Clearing } from '#app/session/pending-clearing.ts'
import { readCredentials } from '#app/session/read-credentials.ts'
import { session } from '#app/session/session.ts'
import { storageIsCurrent } from '#app/session/tab-lock.ts'
import { signsOut } from '#app/session/unfinished-sign-out.ts'
import { sessionIdOf } from '#app/session/user.ts'
import { beginSigningOut } from './owner.ts'
import { clearRows, ownersOnDevice, adoptDatabase } from './store/device-store.ts'
import { hasSignedInAgain, requestUnwritten } from './sending/unwritten-requests.ts'

/**
 * Removes a person's data from this device. Unsent answers may stay; only their owner can read them (SESSION-17). docs/decisions/0032
 * @returns false if they have signed in again since they signed out, in another tab: then everything stays
 */
export async function clearDevice(clearing: Clearing): Promise<boolean> {
  const { userId, keepUnsent, endsSession } = clearing
  const { user } = session.get()
  // the database may not have the later session yet: what notes it loads after what stores an answer
  if (hasSignedInAgain(clearing)) return false
  const storeAgain = beginSigningOut(userId, endsSession)
  if (!keepUnsent) requestUnwritten({ userId, isDiscarded: true, endsSession })
  let later = await clearRows(clearing)
  // a killed browser may have lost that session, and a full disk not have taken the note that this one is here again
  if (later !== undefined && (await isPresent(endsSession))) later = await clearRows(clearing, later)
  if (later !== undefined) {
    storeAgain()
    return false
  }
  // again: a tab that was frozen hears of the first only once its owner has signed in again, and shows what was discarded
  if (!keepUnsent) requestUnwritten({ userId, isDiscarded: true, until: Date.now() })
  await adoptDatabase()
  const proof = user?.id === userId ? user.proof : undefined
  if (proof !== undefined && (await ownersOnDevice()).includes(userId)) noteLeftAccount({ userId, proof, askedAt: Date.now() })
  return true
}

async function isPresent(sessionId: string | undefined): Promise<boolean> {
  await storageIsCurrent()
  return sessionId !== undefined && sessionIdOf(readCredentials().accessToken) === sessionId
}

/** Clears what could not be cleared before, or was left by a session that the server ended; not if its owner is signed in again. */
export async function clearPending(): Promise<void> {
  for (const clearing of pendingClearings()) {
    const { userId, proof } = clearing
    const isSignedIn = session.get().user?.id === userId
    if (isSignedIn && signsOut(userId)) continue
    if (!isSignedIn) {
      await clearRows(clearing)
      localStorage.removeItem(STORED_READS_PREFIX + userId)
      // another change of the session has done it meanwhile, here or in another tab: what was noted of the account since stays
      if (!pendingClearings().some((one) => one.userId === userId)) continue
      // even if nothing is left: the server may have ended the session because the account was erased, which must be shown
      if (proof !== undefined) noteLeftAccount({ userId, proof })
    }
    removePendingClearing(userId)
  }
}
