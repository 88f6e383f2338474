import { readCredentials } from '#app/session/read-credentials.ts'
import { session } from '#app/session/session.ts'
import { signsOut, signsOutAndDiscards } from '#app/session/unfinished-sign-out.ts'
import { sessionIdOf } from '#app/session/user.ts'

let signingOut: { userId: string; sessionId: string | undefined } | undefined

/** Clearing begins: `mayStore` is false for this user until the session that they sign out of has ended, or the returned function is called. */
export function beginSigningOut(userId: string, sessionId: string | undefined): () => void {
  const noted = { userId, sessionId }
  signingOut = noted
  const end = () => {
    if (signingOut === noted) signingOut = undefined
    stop()
  }
  const stop = session.subscribe(() => session.get().user?.id !== userId && end())
  return end
}

/** Whether this user is signing out here. False once they have signed in again in another tab: this one may not have seen them gone in between. */
function isSigningOut(userId: string): boolean {
  if (signingOut?.userId !== userId) return false
  const present = sessionIdOf(readCredentials().accessToken)
  return present === undefined || present === signingOut.sessionId
}

/**
 * Whether this user's data may be stored: only while they are signed in and not signing out here, nor discarding it in another tab, nor gone
 * from there already, which this page may not have been told. Otherwise a late reply would bring back what was just cleared (SESSION-16).
 */
export function mayStore(userId: string): boolean {
  return !isSigningOut(userId) && session.get().user?.id === userId && !signsOutAndDiscards(userId) && !session.missedSignOut()
}

/**
 * Whether what this user has read may be stored: not while they sign out in another tab either, which would leave it on the device. What is
 * unsent is stored even then, unless they discard it.
 */
export const mayStoreReads = (userId: string): boolean => mayStore(userId) && !signsOut(userId)

/** Whether this user signs out or has done so, in any tab, and was not signed out by the server. */
export const hasSignedOut = (userId: string): boolean => isSigningOut(userId) || session.hasSignedOut(userId)
