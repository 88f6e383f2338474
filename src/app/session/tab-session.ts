import { trySetItem } from '#app/ui/browser/try-set-item.ts'
import { wasReloaded } from '#app/was-reloaded.ts'
import { endedUserId, isEndedSession } from './ended-session.ts'
import { readCredentials } from './read-credentials.ts'
import { sessionIdOf, userOf } from './user.ts'

/** key in session storage: the id of the session in which the tab stored the rest */
const TAB_SESSION_KEY = 'tabSession'

/**
 * What a tab stores for itself alone, in session storage, goes with the session in which it did. One that the server ended is continued
 * by its owner. Called when a page starts without anybody, and whenever the session is derived. docs/decisions/0032-what-stays-on-a-device.md
 */
export function settleTab(isGuest: boolean): void {
  const before = sessionStorage.getItem(TAB_SESSION_KEY)
  const present = isGuest ? undefined : sessionIdOf(readCredentials().accessToken)
  const userId = isGuest ? undefined : userOf(readCredentials().idToken)?.id
  // the note of another person's session may not have been removed yet as this tab sees it
  const isContinued = before !== null && isEndedSession(before) && (userId === undefined || userId === endedUserId())
  const isOver = before !== null && before !== present && !isContinued
  // whose tokens cannot be read may still be signed in
  if (isOver && (isGuest || present !== undefined)) sessionStorage.clear()
  if (present !== undefined) trySetItem(TAB_SESSION_KEY, present, sessionStorage)
}

/**
 * Whose session the server ended in this tab, if the page was reloaded since. A reload at that very moment may lose the state of the history's
 * entry, which says who was signed in there.
 */
export function endedOwnerOfReload(): string | undefined {
  const before = sessionStorage.getItem(TAB_SESSION_KEY)
  return wasReloaded() && before !== null && isEndedSession(before) ? endedUserId() : undefined
}
