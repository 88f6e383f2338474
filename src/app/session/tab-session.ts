import { remember } from '#app/remember.ts'
import { pendingClearings } from './pending-clearing.ts'
import { readCredentials } from './read-credentials.ts'
import { sessionIdOf } from './user.ts'

/** What a tab stores for itself alone, in session storage, goes with the session in which it did. docs/decisions/0032-what-stays-on-a-device.md */

/** key in session storage: the id of that session */
const TAB_SESSION_KEY = 'tabSession'

const presentId = () => sessionIdOf(readCredentials().accessToken)

/** At the page's start: removes what is of a session that another tab ended while this one was elsewhere. */
export function settleTab(isGuest: boolean): void {
  const before = sessionStorage.getItem(TAB_SESSION_KEY)
  const present = isGuest ? undefined : presentId()
  // one that the server ended is continued by its owner
  const isContinued = pendingClearings().some(({ endsSession }) => endsSession === undefined)
  if (before !== null && (isGuest ? !isContinued : present !== undefined && present !== before)) sessionStorage.clear()
  if (!isGuest) noteTabSession()
}

export function noteTabSession(): void {
  const present = presentId()
  if (present !== undefined) remember(TAB_SESSION_KEY, present, sessionStorage)
}

/** The server has ended the session: its owner continues in this tab, also after a reload. */
export function keepTabsOwn(): void {
  sessionStorage.removeItem(TAB_SESSION_KEY)
}
