import { pendingClearings, type Clearing } from './pending-clearing.ts'
import { readCredentials } from './read-credentials.ts'
import { sessionIdOf } from './user.ts'

/** A sign-out that is not done, as the device does not respond or its page was left. docs/decisions/0032-what-stays-on-a-device.md */

/** Held by a page while it signs out. */
export const SIGN_OUT_LOCK = 'touchline.sign-out'

/** Whether there is an unfinished sign-out; it may be of an earlier session, which is known once the session's copy was read. */
export const hasUnfinishedSignOut = (): boolean => pendingClearings().some(({ endsSession }) => endsSession !== undefined)

/** Whether this user signs out of this very session, and not of an earlier one. */
export const signsOut = (userId: string | undefined): boolean => signOutOf(userId) !== undefined

/** Whether that sign-out also discards what is unsent. */
export const signsOutAndDiscards = (userId: string | undefined): boolean => signOutOf(userId)?.keepUnsent === false

function signOutOf(userId: string | undefined): Clearing | undefined {
  const noted = pendingClearings().find((one) => one.userId === userId)
  return noted?.endsSession !== undefined && noted.endsSession === sessionIdOf(readCredentials().accessToken) ? noted : undefined
}
