import { session } from '#app/session/session.ts'

let leaving: string | undefined
/** who signed out in this page, and has not come back */
const left = new Set<string>()

/** Clearing begins: `mayStore` is false for this user until their session has ended. */
export function noteLeaving(userId: string): void {
  leaving = userId
  left.add(userId)
  const stop = session.subscribe(() => {
    const isHere = session.get().user?.id === userId
    if (!isHere && leaving === userId) leaving = undefined
    if (!isHere || leaving === userId) return
    left.delete(userId)
    stop()
  })
}

/**
 * Whether this user's data may be stored: only while they are signed in and not signing out. Otherwise a late reply would bring
 * back what was just cleared (SESSION-16).
 */
export function mayStore(userId: string): boolean {
  return leaving !== userId && session.get().user?.id === userId
}

/** Whether this user signed out, in any tab, and was not signed out by the server. */
export const hasSignedOut = (userId: string): boolean => left.has(userId) || session.hasSignedOut(userId)
