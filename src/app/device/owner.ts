import { session } from '#app/session/session.ts'
import { signsOut, signsOutAndDiscards } from '#app/session/unfinished-sign-out.ts'

let signingOut: string | undefined

/** Clearing begins: `mayStore` is false for this user until their session has ended, or the returned function is called. */
export function noteSigningOut(userId: string): () => void {
  signingOut = userId
  const end = () => {
    if (signingOut === userId) signingOut = undefined
    stop()
  }
  const stop = session.subscribe(() => session.get().user?.id !== userId && end())
  return end
}

/**
 * Whether this user's data may be stored: only while they are signed in and not signing out here, nor discarding it in another tab.
 * Otherwise a late reply would bring back what was just cleared (SESSION-16).
 */
export function mayStore(userId: string): boolean {
  return signingOut !== userId && session.get().user?.id === userId && !signsOutAndDiscards(userId)
}

/**
 * Whether what this user has read may be stored: not while they sign out in another tab either, which would leave it on the device. What is
 * unsent is stored even then, unless they discard it.
 */
export const mayStoreReads = (userId: string): boolean => mayStore(userId) && !signsOut(userId)

/** Whether this user signs out or has done so, in any tab, and was not signed out by the server. */
export const hasSignedOut = (userId: string): boolean => signingOut === userId || session.hasSignedOut(userId)
