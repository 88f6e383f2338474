import { isApiError } from '#app/api/api-error.ts'
import { retryDelay } from '#app/api/backoff.ts'
import { callWith } from '#app/api/call.ts'
import { network, onReachable } from '#app/api/network.ts'
import { STORED_READS_PREFIX } from '#app/api/query-port.ts'
import { LEFT_ACCOUNT_CHECK_MS, REFRESH_LOCK_DEADLINE_MS } from '#app/constants.ts'
import {
  changeLeftAccount,
  readErasureId,
  leftAccounts,
  noteErasure,
  noteLeftOpen,
  removeLeftAccount,
  type LeftAccount,
} from '#app/session/left-accounts.ts'
import { removePendingClearing } from '#app/session/pending-clearing.ts'
import { forgetEndedSessionOf } from '#app/session/ended-session.ts'
import { forgetTargetOf } from '#app/session/return-to.ts'
import { session } from '#app/session/session.ts'
import { copySession, DRAFT_PREFIX } from '#app/session/stored-copy.ts'
import { withTabLock } from '#app/session/tab-lock.ts'
import { auth, type AccountState } from '#contract/auth.ts'
import { mayStore } from './owner.ts'
import { requestUnwritten } from './sending/unwritten-requests.ts'
import { waitingAnswersOf } from './waiting.ts'
import { clearErased, clearRows, localStatesOf, ownersOnDevice } from './store/device-store.ts'

/**
 * Checks with the server what became of accounts that are no longer signed in here, and removes the data of an erased one. Each is
 * checked once after it was left, and then daily for as long as data of it is stored here. docs/decisions/0059
 */

/** A page checks the same one no more often than this, even if it cannot store that it did. */
const FLOOR_MS = 600_000
/** Waits after a failed check, ms: doubled each time. */
const WAITS = { first: 10_000, longest: 600_000 }

let failures = 0
/** by `performance.now` */
let notBefore = Number.NEGATIVE_INFINITY
/** When this page checked each, by `performance.now`: a full storage cannot keep it. */
const checkedHere = new Map<string, number>()
/** Erased ones that this page removed: a full storage cannot keep it. */
const removedHere = new Set<string>()
let timer: ReturnType<typeof setTimeout> | undefined

/** Called once, by start.ts, which also checks whenever the session has changed. */
export function watchLeftAccounts(): void {
  onReachable(() => void checkLeftAccounts())
}

/** Checks those that are due, and schedules the next check. Never rejects. SESSION-22 */
export async function checkLeftAccounts(): Promise<void> {
  const reader = session.get().user?.id
  // somebody who has signed in again is not gone, even while the server cannot be reached; whoever is signing out was noted a moment ago
  if (reader !== undefined && mayStore(reader) && leftAccounts().some(({ userId }) => userId === reader)) removeLeftAccount(reader)
  if (leftAccounts().length === 0) return
  if (network.isReachable() && performance.now() >= notBefore) {
    try {
      await withTabLock('touchline.left-accounts', REFRESH_LOCK_DEADLINE_MS, checkEach)
      failures = 0
    } catch (error) {
      console.warn('Could not check what became of an account', error)
      failures += 1
      notBefore = performance.now() + retryDelay(failures, error, WAITS)
    }
  }
  schedule()
}

function schedule(): void {
  clearTimeout(timer)
  const left = leftAccounts()
  // without a connection it is scheduled again once there is one
  if (left.length === 0 || !network.isReachable()) return
  const wait = Math.max(Math.min(...left.map(dueIn)), notBefore - performance.now())
  // a timer fires at once for a time longer than it can wait
  timer = setTimeout(() => void checkLeftAccounts(), Math.min(Math.max(wait, 0), LEFT_ACCOUNT_CHECK_MS))
}

/** ms until its next check; a clock that was set back does not put it off */
function dueIn({ userId, askedAt, state }: LeftAccount): number {
  if (state === 'erased') return removedHere.has(userId) ? LEFT_ACCOUNT_CHECK_MS : 0
  const since = Date.now() - (askedAt ?? 0)
  const stored = askedAt === undefined || since < 0 ? 0 : LEFT_ACCOUNT_CHECK_MS - since
  const here = (checkedHere.get(userId) ?? Number.NEGATIVE_INFINITY) + FLOOR_MS - performance.now()
  return Math.max(stored, here, 0)
}

/** Rejects if one could not be checked; a refusal of one does not stop the others. */
async function checkEach(): Promise<void> {
  let refusal: unknown
  for (const { userId } of leftAccounts()) {
    // another tab may have checked while this one waited for the lock
    const left = leftAccounts().find((one) => one.userId === userId)
    if (!left || dueIn(left) > 0 || !isLeft(userId)) continue
    try {
      await checkAccount(left)
    } catch (error) {
      if (!isApiError(error) || error.isOutcomeUnknown) throw error
      refusal ??= error
    }
  }
  if (refusal !== undefined) throw refusal
}

/** Whether it is noted and nobody is signed in to it: both may change in any tab while something is awaited. */
function isLeft(id: string): boolean {
  return session.get().user?.id !== id && leftAccounts().some(({ userId }) => userId === id)
}

async function checkAccount(left: LeftAccount): Promise<void> {
  const { userId } = left
  const state = left.state === 'erased' ? 'erased' : await fetchState(left)
  checkedHere.set(userId, performance.now())
  if (!isLeft(userId)) return
  if (state === 'erased') return remove(left)
  if (state === 'kept') noteLeftOpen(userId)
  // a closed one is reported even if none of its data is stored
  if (state !== 'closed' && !(await ownersOnDevice()).includes(userId)) return removeLeftAccount(userId)
  const answers = state === 'missing' ? await answersOf(userId) : undefined
  changeLeftAccount(userId, { state, askedAt: Date.now(), ...(answers !== undefined && { answers }) })
}

/** Requested without the token of whoever is signed in; a reply about another account, mixed up on the way, does not count. */
async function fetchState({ userId, proof }: LeftAccount): Promise<AccountState> {
  const reply = await callWith(auth.accountState, { body: { proof } }, {}, undefined)
  return reply.userId === userId ? reply.state : 'kept'
}

/** All of them, as a server without the account has none. */
async function answersOf(userId: string): Promise<number> {
  return (await localStatesOf(userId)).reduce((sum, { rows }) => sum + rows.answers.length, 0)
}

/**
 * Removes what is stored of accounts that the server does not have, at the request of somebody who read how much that is. Each is
 * checked once more, since the server may have it again. Rejects with `ApiError` if that fails.
 * @returns whether all of it was removed
 */
export async function discardMissing(): Promise<boolean> {
  const missing = leftAccounts().filter(({ state }) => state === 'missing')
  for (const left of missing) {
    await checkAccount(left)
    const isMissing = leftAccounts().find(({ userId }) => userId === left.userId)?.state === 'missing'
    if (!isMissing || !isLeft(left.userId)) continue
    await removeStored(left.userId, () => clearRows({ userId: left.userId, keepUnsent: false }))
    removeLeftAccount(left.userId)
  }
  const reader = session.get().user?.id
  return missing.every(({ userId }) => userId !== reader && !leftAccounts().some((one) => one.userId === userId))
}

/** The state is stored before anything is removed, so that a killed browser continues without another check; reported once all is gone. */
async function remove({ userId }: LeftAccount): Promise<void> {
  const { answers } = await waitingAnswersOf(userId)
  if (!isLeft(userId)) return
  changeLeftAccount(userId, { state: 'erased' })
  const erasure = await removeStored(userId, () => clearErased(userId, answers, readErasureId()))
  removedHere.add(userId)
  // another tab took the lock from this one while it was suspended, and has reported it
  if (!isLeft(userId)) return
  forgetTargetOf(userId)
  forgetEndedSessionOf(userId)
  noteErasure(erasure)
  removeLeftAccount(userId)
}

async function removeStored<T>(userId: string, clear: () => Promise<T>): Promise<T> {
  requestUnwritten({ userId, isDiscarded: true })
  const cleared = await clear()
  localStorage.removeItem(STORED_READS_PREFIX + userId)
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(DRAFT_PREFIX) && key.endsWith(`:${userId}`)) localStorage.removeItem(key)
  }
  // a draft is in the copy, too
  await copySession()
  removePendingClearing(userId)
  return cleared
}
