import { DAY_MS } from '#contract/rules/dates.ts'

/** Decides what a session does with a refresh token: rotate, repeat a reply, or revoke (SESSION-14). Pure. */

/** A token is accepted again for this long after its successor was used. */
export const PARENT_GRACE_SECONDS = 60
/** A session that was not refreshed for this long has ended. */
export const IDLE_DAYS = 14
/** A session ends this long after its sign-in, however often it is used. */
export const ABSOLUTE_DAYS = 30
/** Repeats within this time of the last counted use are the same attempt: eight tabs, or a phone with one bar of signal. */
const SAME_TRY_SECONDS = 60
/** More repeats than this mean that somebody else has the token too: since the last rotation, and on one UTC day. */
const REPEATS_PER_ROTATION = 5
const REPEATS_PER_DAY = 30

/** The caller; '' if unknown. */
export interface ClientInfo {
  /** hash of the id its device stores */
  client: string
  /** what it calls itself */
  agent: string
}

interface Repeats {
  repeats: number
  repeatsToday: number
  /** UTC, year-month-day */
  repeatsDay: string
}

export interface SessionState extends ClientInfo, Repeats {
  /** number of the newest token */
  refreshCounter: number
  /** when the newest token was made, by using the one before it */
  rotatedAt: Date
  /** the last rotation, or the last repeat that counted */
  lastUsedAt: Date
  absoluteEnd: Date
  revokedAt: Date | null
}

/**
 * rotate: issue the next token. again: the same one as before, with the new counts. ended: too old. replay: revoke.
 */
export type Verdict = { kind: 'rotate' } | { kind: 'again'; counted: Repeats | undefined } | { kind: 'ended' } | { kind: 'replay' }

/** @param counter the number of the token that was sent */
export function judgeRefresh(session: SessionState, counter: number, requester: ClientInfo, now: Date): Verdict {
  const isIdle = now.getTime() - session.lastUsedAt.getTime() > IDLE_DAYS * DAY_MS
  if (session.revokedAt || isIdle || now >= session.absoluteEnd) return { kind: 'ended' }
  // a token used on another device is not accepted, not even the newest
  if (session.client !== '' && requester.client !== session.client) return { kind: 'replay' }
  const age = session.refreshCounter - counter
  // a token newer than the newest is ours too: it was issued before the database was restored from a backup
  if (age <= 0) return { kind: 'rotate' }
  const sinceRotation = now.getTime() - session.rotatedAt.getTime()
  // the successor was never used: its reply was lost, or the browser's storage was rolled back
  if (age > 2 || (age === 2 && sinceRotation > PARENT_GRACE_SECONDS * 1000)) return { kind: 'replay' }
  if (session.client === '' && session.agent !== '' && requester.agent !== session.agent) return { kind: 'replay' }
  const counted = countRepeat(session, now)
  if (counted && (counted.repeats > REPEATS_PER_ROTATION || counted.repeatsToday > REPEATS_PER_DAY)) return { kind: 'replay' }
  return { kind: 'again', counted }
}

function countRepeat(session: SessionState, now: Date): Repeats | undefined {
  if (now.getTime() - session.lastUsedAt.getTime() <= SAME_TRY_SECONDS * 1000) return undefined
  const repeatsDay = now.toISOString().slice(0, 10)
  const repeatsToday = (session.repeatsDay === repeatsDay ? session.repeatsToday : 0) + 1
  return { repeats: session.repeats + 1, repeatsToday, repeatsDay }
}
