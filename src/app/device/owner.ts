import { session } from '#app/session/session.ts'

/**
 * Who may store things on this device: the person who is signed in, and not while they sign out. A reply that comes
 * after the clearing would otherwise bring back what was just removed (SESSION-16).
 */

let leaving: string | undefined

/** Clearing begins; it ends with the session. */
export function noteLeaving(userId: string): void {
  leaving = userId
  const stop = session.subscribe(() => {
    if (session.get().user?.id === userId) return
    leaving = undefined
    stop()
  })
}

export function mayStore(userId: string): boolean {
  return leaving !== userId && session.get().user?.id === userId
}
