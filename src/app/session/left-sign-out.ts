import { clearLocalStorage } from './clear-local-storage.ts'
import { isSigningOut, pendingClearings } from './pending-clearing.ts'
import { readCredentials } from './read-credentials.ts'
import { copiedAt, copySession } from './stored-copy.ts'
import { userOf } from './user.ts'

/** A sign-out whose page was left before it was done: the next page finishes it. docs/decisions/0032-what-stays-on-a-device.md */

/** Whether there may be one: whose session it ends is known once the session's copy was read. */
export const mayBeSignedOut = (): boolean => pendingClearings().some(isSigningOut)

/**
 * Removes the session that it ends; what is stored on the device is cleared after that, as `clearPending` does.
 * @returns whether there was one
 */
export async function finishSignOut(): Promise<boolean> {
  const userId = userOf(readCredentials().idToken)?.id
  // a session of the same person that began after it has another age
  const isLeft = pendingClearings().some((one) => one.userId === userId && isSigningOut(one) && one.underWay?.session === copiedAt())
  if (!isLeft) return false
  clearLocalStorage()
  sessionStorage.clear()
  await copySession()
  return true
}
