/** The session as this tab sees it: derived from the stored credentials, which are refreshed before they expire. */
import { isApiError } from '#app/api/api-error.ts'
import { createEvent } from '#app/api/events.ts'
import { network, onReachable } from '#app/api/network.ts'
import { askAgainAfterReconnect, dropStoredReads, settleReads } from '#app/api/query-port.ts'
import { serverNow } from '#app/api/server-clock.ts'
import { sessionPort } from '#app/api/session-port.ts'
import { EXPIRING_SOON_MS, REFRESH_LOCK_DEADLINE_MS, SIGN_OUT_LOCK_DEADLINE_MS, STORAGE_SPREADS_MS } from '#app/constants.ts'
import { delay } from '#app/delay.ts'
import type { Credentials } from '#contract/auth.ts'
import { isMemoryStorage } from '#app/ui/browser/memory-storage.ts'
import { forgetErrors } from '#app/ui/feedback/recent-errors.ts'
import { withTabLock } from './tab-lock.ts'
import { clearLocalStorage } from './clear-local-storage.ts'
import { storeCredentials, onCredentialsChanged, writeCredentials, emitCredentialsChanged, watchOtherTabs } from './credentials.ts'
import { endedUserId, forgetEndedSessionOfOthers, noteEndedSession } from './ended-session.ts'
import { answersDeviceId, storeAnswersDeviceId } from './known-devices.ts'
import { loadRequestCredentials } from './lazy.ts'
import { addPendingClearing, removePendingClearing, watchPendingClearings } from './pending-clearing.ts'
import { readCredentials } from './read-credentials.ts'
import { createCallTokens } from './call-tokens.ts'
import { createRefresh, type RefreshReason } from './refresh.ts'
import { noteUncopied } from './copied-at.ts'
import { copySession, restoreSession } from './stored-copy.ts'
import { hasUnfinishedSignOut, SIGN_OUT_LOCK, signsOut } from './unfinished-sign-out.ts'
import { settleTab } from './tab-session.ts'
import { serverEnd } from './server-end.ts'
import { sessionOf, type Session } from './session-of.ts'
import { sessionIdOf, userOf, type SessionUser } from './user.ts'

/** History state of the sign-in screen; it survives a reload. */
export interface LoginState {
  /** why the person has to sign in again */
  ended?: 'ended' | 'closed' | undefined
  /** whose session ended */
  endedUserId?: string | undefined
  /** to be filled in, as it was typed before */
  email?: string
}

const changed = createEvent()
const longestTimerMs = 2 ** 31 - 1

let isSignedOut = false
/** who signed out, here or in another tab, and has not come back */
const signedOut = new Set<string>()
let isBegunHere = false
let current: Session = sessionOf({}, 0, false)
let timer: ReturnType<typeof setTimeout> | undefined

const refreshing = createRefresh({
  read: readCredentials,
  store(credentials) {
    storeCredentials(credentials)
    void copySession()
  },
  request: async (refreshToken, reason) => (await loadRequestCredentials()).requestCredentials(refreshToken, reason),
  withTabLock: refreshInOneTab,
  now: serverNow,
  monotonicNow: () => performance.now(),
  random: Math.random,
  end: endRefused,
  log: (error) => console.warn('The session could not be refreshed', error),
})

/** The server refused to refresh the session, or its token is gone: notes that it has ended, unless that was a sign-out. */
function endRefused(refusal: unknown): void {
  // refused after a sign-out, which has ended it, and has noted what is to be cleared
  if (isSignedOut && readCredentials().refreshToken === undefined) return
  // a sign-out that is under way has ended it
  if (finishSignOut()) return
  // so has one that this page was not told of, or another page has seen the session's end and noted it
  const { accessToken, refreshToken, idToken } = readCredentials()
  if (accessToken === undefined && refreshToken === undefined) {
    if (missedSignOut()) serverEnd.forget()
    else serverEnd.note()
    return emitCredentialsChanged()
  }
  serverEnd.note()
  const user = userOf(idToken) ?? current.user
  const note = () => (user ? noteEndedSession(user.id, sessionIdOf(accessToken)) : true)
  // before the tokens go: other tabs that see them gone would take it for a sign-out
  const isNoted = note()
  // Revoked by its owner or for misuse; otherwise the server does not know the session, as after a restored backup
  const isRevoked = isApiError(refusal) && refusal.code === 'SESSION_REVOKED'
  // before the rest, to make room in a full storage
  writeCredentials({})
  if (!isNoted) note()
  if (user) addPendingClearing({ userId: user.id, keepUnsent: true, keepOpen: !isRevoked, proof: user.proof })
  emitCredentialsChanged()
  void copySession()
}

/** Runs a refresh in one tab at a time. The lock is held a little longer, as a tab in another process may see the new tokens later. */
async function refreshInOneTab<T>(run: () => Promise<T>): Promise<T> {
  // before the lock and the token: while it is loaded another tab may use that token, and a second use ends the session
  await loadRequestCredentials()
  return new Promise((resolve, reject) => {
    const runAndStay = async () => {
      // another tab's newer tokens are in the copy alone
      if (isMemoryStorage(localStorage)) await restoreSession()
      await run().then(resolve, reject)
      await delay(STORAGE_SPREADS_MS)
    }
    withTabLock('touchline.refresh', REFRESH_LOCK_DEADLINE_MS, runAndStay).catch(reject)
  })
}

/**
 * Refreshes now, or waits for the refresh that is under way. Never rejects.
 * @param seen the access token to be replaced; the stored one by default
 * @returns whether there is a new access token
 */
async function refreshSession(reason: RefreshReason = 'due', seen?: string): Promise<boolean> {
  const outcome = refreshing.refresh(reason, seen)
  updateSession()
  await outcome
  updateSession()
  return (await outcome) === 'renewed'
}

/** The session of this tab; in components use `useSession`. */
export const session = {
  get: () => current,
  subscribe: changed.subscribe,
  /** whether the person signed out, here or in another tab */
  isSignedOut: () => isSignedOut,
  /** Whether this user signed out, here or in another tab, and was not signed out by the server. */
  hasSignedOut: (userId: string) => signedOut.has(userId),
  /** Whether another tab signed out, and this page was not told: it did not listen yet, or was suspended. */
  missedSignOut,
  /** whether the person signed in in this tab */
  isBegunHere: () => isBegunHere,
}

/**
 * Starts a session after the sign-in: stores the credentials and drops another person's cached reads.
 * Rejects if the storage is full.
 */
export async function begin(credentials: Credentials): Promise<void> {
  isSignedOut = false
  serverEnd.noteClosing(false)
  isBegunHere = true
  const takeBack = noteUncopied()
  try {
    writeCredentials(credentials)
  } catch (error) {
    takeBack()
    throw error
  }
  // an unfinished sign-out must not end this session
  const userId = userOf(credentials.idToken)?.id
  if (userId !== undefined) removePendingClearing(userId)
  forgetEndedSessionOfOthers(userId)
  // while there is room for it: the disk may be full before the first answer
  if (answersDeviceId() === undefined) storeAnswersDeviceId(crypto.randomUUID())
  // before the screen changes: the code cannot be used again, so a crash must not lose the tokens
  await copySession()
  emitCredentialsChanged()
  await settleReader()
}

/**
 * Removes the session of an unfinished sign-out: its page was left, or the server was faster. What is stored on the device is
 * cleared after that (device/clear.ts `clearPending`).
 * @returns whether there was one
 */
function finishSignOut(): boolean {
  if (!signsOut(userOf(readCredentials().idToken)?.id)) return false
  noteSignedOut()
  clearLocalStorage()
  sessionStorage.clear()
  emitCredentialsChanged()
  void copySession()
  return true
}

/** Waits until the tab that signs out is done, or gone before it was: then the sign-out is finished here. */
async function finishOtherTabsSignOut(): Promise<void> {
  if (signsOut(current.user?.id)) await withTabLock(SIGN_OUT_LOCK, SIGN_OUT_LOCK_DEADLINE_MS, async () => finishSignOut())
}

/** The person signed out: the end of the session is not an error to show. */
export function noteSignedOut(): void {
  isSignedOut = true
}

/** Whether another tab signed out, and this page was not told: it did not listen yet, or was suspended. */
function missedSignOut(): boolean {
  const { user } = current
  return user !== undefined && !isSignedOut && readCredentials().refreshToken === undefined && endedUserId() !== user.id
}

/** Somebody signed out in another tab: what is stored for this tab alone was theirs, too. */
function noteSignedOutElsewhere(): void {
  noteSignedOut()
  sessionStorage.clear()
}

let reader: string | undefined

/** Switches the cached and stored reads to the present user (SESSION-21). */
async function settleReader(): Promise<void> {
  const next = current.status === 'guest' ? undefined : current.user?.id
  if (next === reader) return
  reader = next
  await settleReads(next)
}

function isSameUser(one: SessionUser | undefined, other: SessionUser | undefined): boolean {
  return one?.id === other?.id && one?.email === other?.email && one?.proof === other?.proof
}

function noteChange(before: string | undefined, now: string | undefined): void {
  if (before === now) return
  // they may name somebody's address, and the next person here may be another; a sign-out leaves those that a full storage did not take
  if (before !== undefined) forgetErrors()
  if (before !== undefined && isSignedOut) signedOut.add(before)
  if (now === undefined) return
  signedOut.delete(now)
  // seen on a public screen, where it was not told
  serverEnd.forget()
  // also where they signed in in another tab: how their session ends is not known yet
  isSignedOut = false
}

/** Derives the session again from the stored credentials and plans the next refresh. */
function updateSession(): void {
  const next = sessionOf(readCredentials(), serverNow(), refreshing.isUnderWay())
  const isSame = (Object.keys(next) as (keyof Session)[]).every((key) =>
    key === 'user' ? isSameUser(next.user, current.user) : next[key] === current[key],
  )
  if (!isSame) {
    if (next.status === 'guest' && missedSignOut()) noteSignedOutElsewhere()
    noteChange(current.user?.id, next.user?.id)
    current = next
    if (next.status === 'guest') isBegunHere = false
    void settleReader()
    changed.emit()
  }
  if (next.status !== 'guest') {
    // this tab may hear of a sign-out only when the person has signed in again
    isSignedOut = false
    settleTab(false)
  }
  planRefresh()
}

function planRefresh(): void {
  clearTimeout(timer)
  const dueIn = refreshing.dueIn()
  if (dueIn === undefined || refreshing.isUnderWay()) return
  // Offline the next try is made when the API can be reached (startSession); until then only the expiry is checked.
  const wait = dueIn === 0 && !network.isReachable() ? EXPIRING_SOON_MS : dueIn
  timer = setTimeout(refreshIfDue, Math.min(wait, longestTimerMs))
}

function refreshIfDue(): void {
  updateSession()
  // a page that was suspended was not told of it
  void finishOtherTabsSignOut()
  if (!network.isReachable()) return
  if (refreshing.dueIn() === 0) void refreshSession()
  // the id token was lost: a new one comes with a refresh, else the person is asked to sign in again
  else if (current.status === 'verified' && !current.user && refreshing.mayRenew()) void refreshSession('refused')
}

const callTokens = createCallTokens({ refreshing, refreshSession, isExpired: () => current.status === 'known' })

let isWatchingOtherTabs = false

/** Follows changes of the session in other tabs, including those since it was restored. Called after the first paint, and by the first questions. */
export function watchSessionInOtherTabs(): void {
  if (!isWatchingOtherTabs) {
    watchOtherTabs(noteSignedOutElsewhere)
    watchPendingClearings(() => void finishOtherTabsSignOut())
  }
  isWatchingOtherTabs = true
  updateSession()
}

/** Restores the stored session (SESSION-3) and starts refreshing it. Called once, before the first render. */
export async function startSession(): Promise<void> {
  sessionPort.provide({
    token: callTokens.toSend,
    storedToken: () => readCredentials().accessToken,
    userId: () => reader,
    storedUserId: () => userOf(readCredentials().idToken)?.id,
    hasSignedOut: session.hasSignedOut,
    renew: callTokens.renew,
    noteAccepted: serverEnd.noteAccepted,
    subscribe: changed.subscribe,
  })
  onCredentialsChanged(updateSession)
  onReachable(() => {
    refreshing.noteReachable()
    refreshIfDue()
    askAgainAfterReconnect()
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') refreshIfDue()
  })
  updateSession()
  const restoring = restoreSession(emitCredentialsChanged).then((isRestored) => isRestored && emitCredentialsChanged())
  // A signed-in person need not wait; the copy may hold a session that local storage has lost.
  if (current.status !== 'verified' || hasUnfinishedSignOut()) await restoring
  finishSignOut()
  // left by a page that was closed, or frozen, while its reader signed out
  if (current.status === 'guest') {
    dropStoredReads()
    settleTab(true)
  }
  await settleReader()
  void restoring.then(refreshIfDue)
}
