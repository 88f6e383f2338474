/** The session as this tab sees it: what the stored credentials say now, and the refresh that keeps them alive. */
import { ApiError, isApiError } from '#app/api/api-error.ts'
import { call } from '#app/api/call.ts'
import { createEvent } from '#app/api/events.ts'
import { network, onReachable } from '#app/api/network.ts'
import { askAgainAfterReconnect, settleReads } from '#app/api/query-port.ts'
import { serverNow } from '#app/api/server-clock.ts'
import { sessionPort } from '#app/api/session-port.ts'
import { EXPIRING_SOON_MS, REFRESH_LOCK_DEADLINE_MS, STORAGE_SPREADS_MS } from '#app/constants.ts'
import { auth } from '#contract/auth.ts'
import type { Credentials, UserTypeCode } from '#contract/auth.ts'
import { withTabLock } from './tab-lock.ts'
import { storeCredentials, onCredentialsChanged, writeCredentials, tellCredentialsChanged, watchOtherTabs } from './credentials.ts'
import { deviceId } from './known-devices.ts'
import { notePendingClearing } from './pending-clearing.ts'
import { readCredentials, type StoredCredentials } from './read-credentials.ts'
import { createRefresh } from './refresh.ts'
import { copySession, restoreSession } from './stored-copy.ts'
import { userOf, userTypeCodeOf } from './user.ts'
import type { SessionUser } from './user.ts'

/** `verified`: an access token is present and not expired (SESSION-5). `known`: expired, not refused (SESSION-9). */
export type SessionStatus = 'guest' | 'known' | 'verified'

export interface Session {
  status: SessionStatus
  user: SessionUser | undefined
  userTypeCode: UserTypeCode | undefined
  /** within 5 minutes of expiry, or past it */
  isExpiringSoon: boolean
  isRefreshing: boolean
}

/** What the sign-in is told through the history: there it stays, also after a reload. */
export interface LoginState {
  ended?: 'ended' | 'closed' | undefined
  /** already typed on the way here */
  email?: string
}

const changed = createEvent()
const longestTimerMs = 2 ** 31 - 1

let isSignedOut = false
let isBegunHere = false
let isEnded = false
let mayBeClosed = false
let current: Session = sessionOf({}, 0, false)
let timer: ReturnType<typeof setTimeout> | undefined

/** What stored credentials mean at a moment. */
export function sessionOf(stored: StoredCredentials, now: number, isRefreshing: boolean): Session {
  const user = userOf(stored.idToken)
  const left = (stored.expiresAt ?? 0) - now
  const isValid = stored.accessToken !== undefined && left > 0
  return {
    status: isValid ? 'verified' : user && stored.refreshToken ? 'known' : 'guest',
    user,
    userTypeCode: userTypeCodeOf(stored.accessToken),
    isExpiringSoon: stored.accessToken !== undefined && left <= EXPIRING_SOON_MS,
    isRefreshing,
  }
}

const refreshing = createRefresh({
  read: readCredentials,
  store(credentials) {
    storeCredentials(credentials)
    void copySession()
  },
  ask: (refreshToken, reason) =>
    call(reason === 'refused' ? auth.automaticRefresh : auth.refresh, { body: { refreshToken, deviceId: deviceId() } }),
  withTabLock: refreshAlone,
  now: serverNow,
  steady: () => performance.now(),
  random: Math.random,
  end(refusal) {
    isEnded = true
    const { user } = current
    // Ended on purpose, by its person or for its misuse; else the server does not know it, as after a backup
    const isRevoked = isApiError(refusal) && refusal.code === 'SESSION_REVOKED'
    // first, so that a full storage has room for what follows
    writeCredentials({})
    if (user) notePendingClearing({ userId: user.id, keepUnsent: true, keepOpen: !isRevoked })
    tellCredentialsChanged()
    void copySession()
  },
  log: (error) => console.warn('The session could not be refreshed', error),
})

/** The lock is held a little longer than the refresh: the tab that waits may live in a process that sees the new tokens later. */
function refreshAlone<T>(run: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const runAndStay = async () => {
      await run().then(resolve, reject)
      await new Promise((done) => setTimeout(done, STORAGE_SPREADS_MS))
    }
    withTabLock('touchline.refresh', REFRESH_LOCK_DEADLINE_MS, runAndStay).catch(reject)
  })
}

/** Refreshes now, unless one is under way already. */
export async function refreshSession(reason: 'due' | 'refused' = 'due', seen?: string): Promise<boolean> {
  const outcome = refreshing.refresh(reason, seen)
  look()
  await outcome
  look()
  return (await outcome) === 'renewed'
}

export const session = {
  get: () => current,
  subscribe: changed.subscribe,
  /** the person wanted it to end, here or in another tab */
  isSignedOut: () => isSignedOut,
  /** the person signed in in this tab */
  isBegunHere: () => isBegunHere,
  /** Whether the account was asked to close, and no reply came: then it is what ends the session. */
  noteClosing(isClosing: boolean): void {
    mayBeClosed = isClosing
  },
  /** The server has ended it: the person has to sign in again, their unsent answers stay; or their account is closed. Said once. */
  takeEnded(): 'ended' | 'closed' | undefined {
    if (!isEnded) return undefined
    isEnded = false
    return mayBeClosed ? 'closed' : 'ended'
  },
}

/** Sign-in is done: credentials are stored, user and type are derived from them, and what another person left in memory goes. */
export async function begin(credentials: Credentials): Promise<void> {
  isSignedOut = false
  mayBeClosed = false
  isBegunHere = true
  writeCredentials(credentials)
  // before the screen changes: the code is spent, and nothing else would lead back in
  await copySession()
  tellCredentialsChanged()
  await settleReader()
}

export function noteSignedOut(): void {
  isSignedOut = true
}

let reader: string | undefined

/** Memory and stored reads belong to one user at a time (SESSION-21). */
async function settleReader(): Promise<void> {
  const next = current.status === 'guest' ? undefined : current.user?.id
  if (next === reader) return
  reader = next
  await settleReads(next)
}

function look(): void {
  const next = sessionOf(readCredentials(), serverNow(), refreshing.isUnderWay())
  const isSame = (Object.keys(next) as (keyof Session)[]).every((key) =>
    key === 'user' ? next.user?.id === current.user?.id && next.user?.email === current.user?.email : next[key] === current[key],
  )
  if (!isSame) {
    current = next
    if (next.status === 'guest') isBegunHere = false
    void settleReader()
    changed.emit()
  }
  plan()
}

function plan(): void {
  clearTimeout(timer)
  const dueIn = refreshing.dueIn()
  if (dueIn === undefined || refreshing.isUnderWay()) return
  // Offline the next try is at the next contact, see below; the clock only has to notice the expiry.
  const wait = dueIn === 0 && !network.isReachable() ? EXPIRING_SOON_MS : dueIn
  timer = setTimeout(tick, Math.min(wait, longestTimerMs))
}

function tick(): void {
  look()
  if (refreshing.dueIn() === 0 && network.isReachable()) void refreshSession()
}

/** An access token that the server refused, and that could not be renewed yet. */
let refusedToken: string | undefined

const isSpent = (token: string | undefined) => current.status === 'known' || (token !== undefined && token === refusedToken)

/**
 * A token that is known to be spent is renewed before it is sent; one that may work is sent. While a refresh that failed
 * waits for its next try, nothing goes out that the server would only refuse (SESSION-10).
 */
async function tokenToSend(): Promise<string | undefined> {
  const before = readCredentials().accessToken
  if (isSpent(before) && network.isReachable() && refreshing.mayRenew()) await refreshSession('due', before)
  const { accessToken } = readCredentials()
  if (isSpent(accessToken) && refreshing.isWaiting())
    throw new ApiError({ kind: 'FETCH_ERROR', cause: new Error('the session waits to be renewed') })
  return accessToken
}

async function renew(refused: string): Promise<boolean> {
  const { accessToken } = readCredentials()
  if (accessToken !== refused) return accessToken !== undefined
  const isRenewed = refreshing.mayRenew() && (await refreshSession('refused', refused))
  if (!isRenewed) refusedToken = refused
  return isRenewed
}

/** What other tabs do to the session from now on, and have done to it since it was restored. Called once, by main, after the first paint. */
export function watchSessionInOtherTabs(): void {
  watchOtherTabs(noteSignedOut)
  look()
}

/** Restores what is stored (SESSION-3) and keeps it alive. Called once, by main, before the first render. */
export async function startSession(): Promise<void> {
  sessionPort.provide({
    token: tokenToSend,
    storedToken: () => readCredentials().accessToken,
    userId: () => reader,
    renew,
    subscribe: changed.subscribe,
  })
  onCredentialsChanged(look)
  onReachable(() => {
    refreshing.noteReachable()
    tick()
    askAgainAfterReconnect()
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') tick()
  })
  look()
  const isWhole = restoreSession().then((isRestored) => isRestored && tellCredentialsChanged())
  // Who is signed in is let in at once; who seems not to be may be by the copy.
  if (current.status !== 'verified') await isWhole
  await settleReader()
  void isWhole.then(tick)
}
