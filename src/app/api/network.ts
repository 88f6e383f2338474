/**
 * Whether the API can be reached (OFFLINE-1): GET health replies with the right body within 3 s. Not `navigator.onLine`,
 * which a captive portal satisfies. Until the first probe is back, it counts as reachable.
 */
import { useSyncExternalStore } from 'react'
import { safeParse } from 'zod/v4/core'
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
import { health } from '#contract/health.ts'
import { retryDelay } from './backoff.ts'
import { apiUrl } from './base-url.ts'
import { createEvent } from './events.ts'
import { noteServerDate } from './server-clock.ts'

export type NetworkState = 'online' | 'weak' | 'offline'

interface Ports {
  fetch: typeof fetch
  /** what the browser says: wrong when it says yes, and mostly right when it says no */
  isOnLine: () => boolean
  now: () => number
  setTimeout: (run: () => void, ms: number) => unknown
  clearTimeout: (timer: unknown) => void
  /** from 0 to 1 */
  random: () => number
}

/** The machine behind `network`; tests give it their own ports. */
export function createNetwork(ports: Ports) {
  const changed = createEvent<NetworkState>()
  const reached = createEvent()
  let state: NetworkState = 'online'
  let probing: Promise<boolean> | undefined
  let timer: unknown
  let misses = 0
  let oddReplyAt = Number.NEGATIVE_INFINITY

  /** How often its return may be told at once: one more with each `TRY_ON_RETURN_MS`. */
  let credit = RETURNS_AT_ONCE
  let creditAt = Number.NEGATIVE_INFINITY
  let isTellingLater = false

  /** A server that comes and goes is not asked for everything each time. */
  function tellReached(): void {
    const now = ports.now()
    credit = Math.min(credit + (now - creditAt) / TRY_ON_RETURN_MS, RETURNS_AT_ONCE)
    creditAt = now
    if (credit >= 1) {
      credit -= 1
      reached.emit()
    } else if (!isTellingLater) {
      isTellingLater = true
      const tellLater = () => {
        isTellingLater = false
        if (state !== 'offline') tellReached()
      }
      ports.setTimeout(tellLater, Math.ceil((1 - credit) * TRY_ON_RETURN_MS))
    }
  }

  function become(next: NetworkState): void {
    if (next === state) return
    const wasOffline = state === 'offline'
    state = next
    changed.emit(next)
    if (wasOffline) tellReached()
  }

  async function ask(): Promise<boolean> {
    const started = ports.now()
    const isThere = await isHealthy(ports.fetch)
    // A reply although the browser reports no connection: it was lost just now, or the server is on this machine.
    const isSettled = isThere && ports.isOnLine()
    misses = isSettled ? 0 : misses + 1
    become(isThere ? (ports.now() - started > PROBE_WEAK_MS ? 'weak' : 'online') : 'offline')
    ports.clearTimeout(timer)
    const waits = misses > PROBE_SELDOM_AFTER ? PROBE_SELDOM_WAITS : PROBE_WAITS
    if (!isSettled) timer = ports.setTimeout(() => void probe(), retryDelay(misses, undefined, waits, ports.random))
    return isThere
  }

  /** Asks now; probes that meet are one. */
  function probe(): Promise<boolean> {
    probing ??= ask().finally(() => {
      probing = undefined
    })
    return probing
  }

  /** Something hints at a change: a probe under way may report the state before it, so another one follows. */
  function look(): void {
    void (probing ? probing.then(probe) : probe())
  }

  /** Where health is well and all else is a proxy's page, each reply would cost the server a probe as well. */
  function noteOddReply(): void {
    if (ports.now() - oddReplyAt < PROBE_AFTER_ODD_REPLY_MS) return
    oddReplyAt = ports.now()
    look()
  }

  return {
    probe,
    look,
    state: () => state,
    isReachable: () => state !== 'offline',
    /** A call got no reply: find out why. */
    noteFailure: look,
    /** A call got a reply that is not ours: find out, unless that was done a moment ago. */
    noteOddReply,
    subscribe: changed.subscribe,
    /** Tells whenever the API can be reached again; of one that comes and goes seldom. */
    onReachable: reached.subscribe,
  }
}

async function isHealthy(ask: typeof fetch): Promise<boolean> {
  try {
    const response = await ask(`${apiUrl}health`, {
      cache: 'no-store',
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    })
    if (!response.ok || !safeParse(health.get.reply, await response.json()).success) return false
    noteServerDate(response.headers.get('date'))
    return true
  } catch {
    return false
  }
}

export const network = createNetwork({
  fetch: (...given) => fetch(...given),
  isOnLine: () => navigator.onLine,
  now: () => performance.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
  random: Math.random,
})

/** Asks now and resolves to the truth: for a recheck at the tap. */
export const probe = network.probe
/** Tells whenever the API can be reached again; returns the way to stop. */
export const onReachable = network.onReachable

/** First probe, and again whenever the browser hints at a change. Called once, by main. */
export function watchNetwork(): void {
  addEventListener('online', network.look)
  addEventListener('offline', network.look)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') network.look()
  })
  network.look()
}

export function useNetworkState(): NetworkState {
  return useSyncExternalStore(network.subscribe, network.state)
}

export function useReachable(): boolean {
  return useNetworkState() !== 'offline'
}
