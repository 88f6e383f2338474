import { clearLocalStorage } from './clear-local-storage.ts'
import { isSigningOut, pendingClearings } from './pending-clearing.ts'
import { readCredentials } from './read-credentials.ts'
import { copiedAt, copySession } from './stored-copy.ts'
import { userOf } from './user.ts'

/** A sign-out whose page was left before it was done is finished by the next page. docs/decisions/0032-what-stays-on-a-device.md */

/** Whether there is one; it may be of an earlier session, which is known once the session's copy was read. */
export const hasUnfinishedSignOut = (): boolean => pendingClearings().some(isSigningOut)

/** Whether this user signs out of this very session, and not of an earlier one. */
export const signsOut = (userId: string | undefined): boolean =>
  pendingClearings().some((one) => one.userId === userId && isSigningOut(one) && one.signOut?.copiedAt === copiedAt())

/**
 * Removes the session that an unfinished sign-out ends; what is stored on the device is cleared after that (device/clear.ts `clearPending`).
 * @returns whether there was one
 */
export async function finishSignOut(): Promise<boolean> {
  if (!signsOut(userOf(readCredentials().idToken)?.id)) return false
  clearLocalStorage()
  sessionStorage.clear()
  await copySession()
  return true
}
