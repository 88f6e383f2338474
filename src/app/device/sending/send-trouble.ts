import { originOf, type ApiError } from '#app/api/api-error.ts'
import { retryDelay } from '#app/api/backoff.ts'
import { createEvent } from '#app/api/events.ts'
import { network, onReachable } from '#app/api/network.ts'
import { SEND_RETRY_MS, SEND_TROUBLE_SAID_MS, SEND_WAITS } from '#app/constants.ts'
import { remember } from '#app/remember.ts'

/**
 * Saves that were neither acknowledged nor refused although the server can be reached: a proxy's page, a server error.
 * Says how long to wait before the next one and, for the screens, since when.
 */
const changed = createEvent()
// an ended session and an outdated version have messages of their own
const statusesSaidElsewhere = new Set([401, 426])

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
/** in session storage, so that a reload does not restart it; used only once this page has failed too */
const SINCE_KEY = 'sendTroubleSince'
// an older one would have to be shown with a date
const SINCE_MAX_AGE_MS = 12 * 3_600_000
const MINUTE_MS = 60_000
let retryFrom = Number.NEGATIVE_INFINITY
/** the end of the server's Retry-After: not even a tap sends before it */
let retryAfterEnd = Number.NEGATIVE_INFINITY
/** epoch ms by which it is tried again, if the server has us wait; a whole minute, as screens say it */
let againBy: number | undefined
let timer: ReturnType<typeof setTimeout> | undefined

function noteFailure(error: ApiError): void {
  failures += 1
  const now = performance.now()
  const delay = retryDelay(failures, error, SEND_WAITS)
  retryFrom = now + delay
  retryAfterEnd = now + (error.retryAfterSeconds ?? 0) * 1000
  againBy = retryAfterEnd > now ? Math.ceil((Date.now() + delay + SEND_RETRY_MS) / MINUTE_MS) * MINUTE_MS : undefined
  const origin = originOf(error)
  if (statusesSaidElsewhere.has(origin.status ?? 0)) return
  const before = cause
  cause = causeOf(origin)
  if (since !== undefined) {
    if (cause !== before || againBy !== undefined) changed.emit()
    return
  }
  since = sinceBefore() ?? Date.now()
  remember(SINCE_KEY, String(since), sessionStorage)
  timer = setTimeout(changed.emit, since + SEND_TROUBLE_SAID_MS - Date.now())
}

function noteReply(): void {
  failures = 0
  retryFrom = retryAfterEnd = Number.NEGATIVE_INFINITY
  forget()
}

/** The waits stay: whatever is sent next is sent to the same server. */
function forget(): void {
  clearTimeout(timer)
  cause = undefined
  sessionStorage.removeItem(SINCE_KEY)
  if (since === undefined) return
  since = undefined
  changed.emit()
}

/** The start that this tab stored before a reload; ignored if the clock was changed since. */
function sinceBefore(): number | undefined {
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
  /** Nothing waits to be sent any more, so there is no trouble: discarded, sent by another tab, or its owner signed out. */
  noteNothingWaits: forget,
  /** whether a save failed since the last one that got through */
  isUnderWay: () => since !== undefined,
  /** of the last failure; undefined if the last save got through */
  cause: () => cause,
  /** epoch ms by which what waits is sent again, where the server said how long to wait */
  againBy: () => (cause === undefined ? undefined : againBy),
  /** whether an automatic retry may be sent */
  mayRetry: () => performance.now() >= retryFrom,
  /** whether a send that the player triggered may go out */
  maySend: () => performance.now() >= retryAfterEnd,
  subscribe: changed.subscribe,
  /** epoch ms since when nothing could be sent, once it has lasted and no missing connection explains it */
  since: () => (since !== undefined && Date.now() - since >= SEND_TROUBLE_SAID_MS && network.isReachable() ? since : undefined),
}
