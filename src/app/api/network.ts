/**
 * Whether the API can be reached (OFFLINE-1): GET health replies with the right body within 3 s. `navigator.onLine` would be true
 * behind a captive portal. Until the first probe has a result, the API counts as reachable.
 */
import {
  PROBE_AFTER_ODD_REPLY_MS,
  PROBE_SELDOM_AFTER,
  PROBE_SELDOM_WAITS,
  PROBE_TIMEOUT_MS,
  PROBE_WAITS,
  PROBE_WEAK_MS,
  RETURNS_AT_ONCE,
  TRY_ON_RETURN_MS,
} from '#app/constants.ts'
import { isHealthReply } from '#contract/rules/health-reply.ts'
import { isRefusal } from './api-error.ts'
import { retryDelay } from './backoff.ts'
import { apiUrl } from './base-url.ts'
import { createEvent } from './events.ts'
import { noteServerDate } from './server-clock.ts'

export type NetworkState = 'online' | 'weak' | 'offline'

/** Who replied to the health check: our server; something in its place, as a Wi-Fi that wants a sign-in; or nobody. */
type Replier = 'server' | 'between' | 'nobody'

interface Ports {
  fetch: typeof fetch
  /** `navigator.onLine`: unreliable when true, mostly right when false */
  isOnLine: () => boolean
  now: () => number
  setTimeout: (run: () => void, ms: number) => unknown
  clearTimeout: (timer: unknown) => void
  /** from 0 to 1 */
  random: () => number
}

/** Creates `network`; tests pass their own ports. */
export function createNetwork(ports: Ports) {
  const changed = createEvent<NetworkState>()
  const reached = createEvent()
  let state: NetworkState = 'online'
  let isReplaced = false
  let probing: Promise<boolean> | undefined
  let timer: unknown
  let misses = 0
  let oddReplyAt = Number.NEGATIVE_INFINITY

  /** How many reconnects may still be reported at once; grows by one every TRY_ON_RETURN_MS. */
  let credit = RETURNS_AT_ONCE
  let creditAt = Number.NEGATIVE_INFINITY
  let isEmitScheduled = false

  /** Reports that the API can be reached again; later if it comes and goes, so that not everything is requested each time. */
  function emitReached(): void {
    const now = ports.now()
    credit = Math.min(credit + (now - creditAt) / TRY_ON_RETURN_MS, RETURNS_AT_ONCE)
    creditAt = now
    if (credit >= 1) {
      credit -= 1
      reached.emit()
    } else if (!isEmitScheduled) {
      isEmitScheduled = true
      const emitLater = () => {
        isEmitScheduled = false
        if (state !== 'offline') emitReached()
      }
      ports.setTimeout(emitLater, Math.ceil((1 - credit) * TRY_ON_RETURN_MS))
    }
  }

  function become(next: NetworkState, isReplacedNow: boolean): void {
    if (next === state && isReplacedNow === isReplaced) return
    const wasOffline = state === 'offline' && next !== 'offline'
    state = next
    isReplaced = isReplacedNow
    changed.emit(next)
    if (wasOffline) emitReached()
  }

  function speedSince(started: number): 'weak' | 'online' {
    return ports.now() - started > PROBE_WEAK_MS ? 'weak' : 'online'
  }

  async function runProbe(): Promise<boolean> {
    const started = ports.now()
    const replier = await whoReplies(ports.fetch)
    const isThere = replier === 'server'
    // A reply although the browser reports no connection: it was lost just now, or the server is on this machine.
    const isSettled = isThere && ports.isOnLine()
    misses = isSettled ? 0 : misses + 1
    become(isThere ? speedSince(started) : 'offline', replier === 'between')
    ports.clearTimeout(timer)
    const waits = misses > PROBE_SELDOM_AFTER ? PROBE_SELDOM_WAITS : PROBE_WAITS
    if (!isSettled) timer = ports.setTimeout(() => void probe(), retryDelay(misses, undefined, waits, ports.random))
    return isThere
  }

  /** Probes now, or joins the probe under way. Resolves to whether the API can be reached. */
  function probe(): Promise<boolean> {
    probing ??= runProbe().finally(() => {
      probing = undefined
    })
    return probing
  }

  /** Probes after a hint at a change, such as a call without a reply. A probe under way may report the state before it, so another one follows. */
  function recheck(): void {
    void (probing ? probing.then(probe) : probe())
  }

  /** Limited: if a proxy replaces every reply but the health check, each would lead to a probe. */
  function noteOddReply(): void {
    if (ports.now() - oddReplyAt < PROBE_AFTER_ODD_REPLY_MS) return
    oddReplyAt = ports.now()
    recheck()
  }

  return {
    probe,
    recheck,
    state: () => state,
    isReachable: () => state !== 'offline',
    /** The API cannot be reached because something else replies in its place. */
    isReplaced: () => isReplaced,
    /** A call got a reply that is not our server's: probes, unless it did so a moment ago. */
    noteOddReply,
    subscribe: changed.subscribe,
    /** Calls the listener when the API can be reached again; less often if it comes and goes. */
    onReachable: reached.subscribe,
  }
}

async function whoReplies(send: typeof fetch): Promise<Replier> {
  try {
    const response = await send(`${apiUrl}health`, {
      cache: 'no-store',
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    })
    // of a proxy whose server is down
    if (response.status >= 500 && response.status !== 511) return 'nobody'
    const body: unknown = await response.json().catch(notJson)
    if (isRefusal(body)) return 'nobody'
    if (!response.ok || !isHealthReply(body)) return 'between'
    noteServerDate(response.headers.get('date'))
    return 'server'
  } catch {
    return 'nobody'
  }
}

/** A cut body rejects otherwise: nobody's, as the connection broke. */
function notJson(error: unknown): undefined {
  if (!(error instanceof SyntaxError)) throw error
}

export const network = createNetwork({
  fetch: (...given) => fetch(...given),
  isOnLine: () => navigator.onLine,
  now: () => performance.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
  random: Math.random,
})

/** Probes now and resolves to whether the API can be reached: for a check on a tap. */
export const probe = network.probe
/** Whether the API can be reached; probes if it seems not. For a form's submit: Enter submits also while its button is unavailable. */
export const reachesServer = async (): Promise<boolean> => network.isReachable() || (await network.probe())
/** Calls the listener when the API can be reached again. Returns a function that unsubscribes. */
export const onReachable = network.onReachable

/** Probes now, and whenever the browser reports a change. Called once, by main. */
export function watchNetwork(): void {
  addEventListener('online', network.recheck)
  addEventListener('offline', network.recheck)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') network.recheck()
  })
  network.recheck()
}
