import type { ApiError } from '#app/api/api-error.ts'
import { retryDelay } from '#app/api/backoff.ts'
import { createEvent } from '#app/api/events.ts'
import { network, onReachable } from '#app/api/network.ts'
import { SEND_TROUBLE_SAID_MS, SEND_WAITS } from '#app/constants.ts'
import { remember } from '#app/remember.ts'

/**
 * Saves that nobody has judged, though the server can be reached: a proxy's page, an error of the server. How long to wait
 * before the next one, and since when, for the screens. A lost connection, an ended session and an outdated
 * version have words of their own.
 */
const changed = createEvent()
const said = new Set([401, 426])

let failures = 0
let since: number | undefined
/** a reload does not start it again, but reports nothing before this page has failed too */
const SINCE_KEY = 'sendTroubleSince'
// longer ago it would need a date
const SINCE_MAX_AGE_MS = 12 * 3_600_000
let retryFrom = Number.NEGATIVE_INFINITY
/** what the server asked for; nobody's tap is sooner */
let askFrom = Number.NEGATIVE_INFINITY
let timer: ReturnType<typeof setTimeout> | undefined

function noteFailure(error: ApiError): void {
  failures += 1
  const now = performance.now()
  retryFrom = now + retryDelay(failures, error, SEND_WAITS)
  askFrom = now + (error.retryAfterSeconds ?? 0) * 1000
  if (said.has(error.status ?? 0) || since !== undefined) return
  since = sinceBefore() ?? Date.now()
  remember(SINCE_KEY, String(since), sessionStorage)
  timer = setTimeout(changed.emit, since + SEND_TROUBLE_SAID_MS - Date.now())
}

function noteReply(): void {
  failures = 0
  retryFrom = askFrom = Number.NEGATIVE_INFINITY
  clearTimeout(timer)
  sessionStorage.removeItem(SINCE_KEY)
  if (since === undefined) return
  since = undefined
  changed.emit()
}

/** Stored by this tab before a reload; ignored if the clock was changed since. */
function sinceBefore(): number | undefined {
  const stored = Number(sessionStorage.getItem(SINCE_KEY) ?? Number.NaN)
  const ago = Date.now() - stored
  return ago >= 0 && ago < SINCE_MAX_AGE_MS ? stored : undefined
}

/** Back again: the wait is over. `onReachable` tells seldom of a server that comes and goes. */
function noteReachable(): void {
  retryFrom = askFrom
}

onReachable(noteReachable)

export const sendTrouble = {
  noteFailure,
  noteReply,
  noteReachable,
  /** by itself */
  mayRetry: () => performance.now() >= retryFrom,
  /** because the player has done something */
  mayAsk: () => performance.now() >= askFrom,
  subscribe: changed.subscribe,
  /** epoch ms since when nothing could be sent, once it has lasted and no missing connection explains it */
  since: () => (since !== undefined && Date.now() - since >= SEND_TROUBLE_SAID_MS && network.isReachable() ? since : undefined),
}
