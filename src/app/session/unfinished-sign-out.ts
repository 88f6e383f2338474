import { isSigningOut, pendingClearings } from './pending-clearing.ts'
import { copiedAt } from './stored-copy.ts'

/** A sign-out that is not done, as the device does not respond or its page was left. docs/decisions/0032-what-stays-on-a-device.md */

/** Whether there is one; it may be of an earlier session, which is known once the session's copy was read. */
export const hasUnfinishedSignOut = (): boolean => pendingClearings().some(isSigningOut)

/** Whether this user signs out of this very session, and not of an earlier one. */
export const signsOut = (userId: string | undefined): boolean =>
  pendingClearings().some((one) => one.userId === userId && isSigningOut(one) && one.signOut?.copiedAt === copiedAt())
