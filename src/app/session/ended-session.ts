import { trySetItem } from '#app/ui/browser/try-set-item.ts'

/**
 * Which session of this device the server ended last. Its owner continues where they were, in every tab, while after a sign-out
 * nobody does. It stays until somebody else signs in, or the owner signs out. docs/decisions/0032-what-stays-on-a-device.md
 */

/** key in local storage: the id of the user and that of the session */
const ENDED_SESSION_KEY = 'endedSession'

function endedSession(): { userId: string; sessionId: string | undefined } | undefined {
  const [userId, sessionId] = localStorage.getItem(ENDED_SESSION_KEY)?.split(' ') ?? []
  return userId === undefined ? undefined : { userId, sessionId }
}

/** @returns whether there was room for it */
export const noteEndedSession = (userId: string, sessionId: string | undefined) =>
  trySetItem(ENDED_SESSION_KEY, sessionId === undefined ? userId : `${userId} ${sessionId}`)

export const endedUserId = () => endedSession()?.userId
export const isEndedSession = (sessionId: string) => endedSession()?.sessionId === sessionId

/** Somebody signs in: for their own session that has ended they are its owner, who continues. */
export function forgetEndedSessionOfOthers(userId: string | undefined): void {
  if (endedUserId() !== userId) localStorage.removeItem(ENDED_SESSION_KEY)
}

/** The account was erased. */
export function forgetEndedSessionOf(userId: string): void {
  if (endedUserId() === userId) localStorage.removeItem(ENDED_SESSION_KEY)
}
