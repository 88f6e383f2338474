import { originOf, type ApiError } from '#app/api/api-error.ts'
import { retryDelay } from '#app/api/backoff.ts'
import { createEvent } from '#app/api/events.ts'
import { network, onReachable } from '#app/api/network.ts'
import { SEND_RETRY_MS, SEND_TROUBLE_SHOWN_AFTER_MS, SEND_WAITS } from '#app/constants.ts'
import { trySetItem } from '#app/ui/browser/try-set-item.ts'

/**
 * Saves that were neither acknowledged nor refused although the server can be reached: a proxy's page, a server error.
 * Says how long to wait before the next one and, for the screens, since when.
 */
const changed = createEvent()

/**
 * Why: our server failed; something between it and this device replied in its place; this device or network sent too much; too many
 * people are here; or nothing replied.
 */
export type TroubleCause = 'server' | 'between' | 'busy' | 'crowded' | 'silent'

function causeOf({ kind, status, code }: ApiError): TroubleCause {
  if (status === 429) return 'busy'
  if (code === 'OVERLOADED') return 'crowded'
  if (kind === 'PARSING_ERROR' || (kind === 'HTTP' && code === undefined)) return 'between'
  return kind === 'HTTP' ? 'server' : 'silent'
}

let failures = 0
let cause: TroubleCause | undefined
let since: number | undefined
/** the same by `performance.now()`, for a clock that is set back */
let begunAt = 0
/** in session storage, so that a reload does not restart it; used only after this page has failed, too */
const SINCE_KEY = 'sendTroubleSince'
// an older time would need a date
const SINCE_MAX_AGE_MS = 12 * 3_600_000
const MINUTE_MS = 60_000
let retryFrom = Number.NEGATIVE_INFINITY
/** the end of the server's Retry-After: not even a tap sends before it */
let retryAfterEnd = Number.NEGATIVE_INFINITY
/** epoch ms of the latest next retry, if the server sent Retry-After; a whole minute, as screens show it */
let retryBy: number | undefined
let timer: ReturnType<typeof setTimeout> | undefined

function noteFailure(error: ApiError): void {
  failures += 1
  const now = performance.now()
  const delay = retryDelay(failures, error, SEND_WAITS)
  retryFrom = now + delay
  retryAfterEnd = now + (error.retryAfterSeconds ?? 0) * 1000
  retryBy = retryAfterEnd > now ? Math.ceil((Date.now() + delay + SEND_RETRY_MS) / MINUTE_MS) * MINUTE_MS : undefined
  const origin = originOf(error)
  // an ended session and an outdated version have their own messages
  if (origin.refusedWith(401, 426)) return
  const before = cause
  cause = causeOf(origin)
  if (since !== undefined) {
    const isSetBack = since > Date.now()
    if (isSetBack) noteSince(Date.now() - (now - begunAt))
    if (cause !== before || retryBy !== undefined || isSetBack) changed.emit()
    return
  }
  const started = storedSince() ?? Date.now()
  noteSince(started)
  begunAt = now - (Date.now() - started)
  timer = setTimeout(changed.emit, started + SEND_TROUBLE_SHOWN_AFTER_MS - Date.now())
}

function noteSince(instant: number): void {
  since = instant
  trySetItem(SINCE_KEY, String(instant), sessionStorage)
}

function noteReply(): void {
  failures = 0
  retryFrom = retryAfterEnd = Number.NEGATIVE_INFINITY
  clearTrouble()
}

/** Keeps the waits, as the next send goes to the same server. */
function clearTrouble(): void {
  clearTimeout(timer)
  cause = undefined
  sessionStorage.removeItem(SINCE_KEY)
  if (since === undefined) return
  since = undefined
  changed.emit()
}

/** The start that this tab stored before a reload; ignored if the clock was changed since. */
function storedSince(): number | undefined {
  const stored = Number(sessionStorage.getItem(SINCE_KEY) ?? Number.NaN)
  const ago = Date.now() - stored
  return ago >= 0 && ago < SINCE_MAX_AGE_MS ? stored : undefined
}

/** The server can be reached again: ends the wait, except for its Retry-After. `onReachable` limits how often. */
function noteReachable(): void {
  retryFrom = retryAfterEnd
}

onReachable(noteReachable)

export const sendTrouble = {
  noteFailure,
  noteReply,
  noteReachable,
  /** Ends the trouble, as nothing waits any more: it was discarded or sent by another tab, or its owner signed out. */
  noteNothingWaits: clearTrouble,
  /** whether a save failed since the last one that got through */
  isOngoing: () => since !== undefined,
  /** of the last failure; undefined if the last save got through */
  cause: () => cause,
  /** epoch ms of the latest next retry, if the server said how long to wait */
  retryBy: () => (cause === undefined ? undefined : retryBy),
  /** whether an automatic retry may be sent */
  mayRetry: () => performance.now() >= retryFrom,
  /** whether a send that the player triggered may go out */
  maySend: () => performance.now() >= retryAfterEnd,
  subscribe: changed.subscribe,
  /** epoch ms since when nothing could be sent, once it has lasted and no missing connection explains it */
  since: () => (since !== undefined && Date.now() - since >= SEND_TROUBLE_SHOWN_AFTER_MS && network.isReachable() ? since : undefined),
}
