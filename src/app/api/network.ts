/**
 * Whether the API can be reached (ruling 23): GET health answered with the right body within 3 s. Not `navigator.onLine`,
 * which a captive portal satisfies. Before the first probe answers, it is taken as reachable.
 */
import { useSyncExternalStore } from 'react'
import { safeParse } from 'zod/v4/core'
import { PROBE_RETRY_MAXIMUM_MS, PROBE_TIMEOUT_MS, PROBE_WEAK_MS } from '#app/constants.ts'
import { APP_VERSION, APP_VERSION_HEADER } from '#contract/constants.ts'
import { health } from '#contract/health.ts'
import { apiUrl } from './base-url.ts'
import { happening } from './happening.ts'
import { noteServerDate } from './server-clock.ts'

export type NetworkState = 'online' | 'weak' | 'offline'

interface Ports {
  fetch: typeof fetch
  /** what the browser says: wrong when it says yes, and mostly right when it says no */
  isOnLine: () => boolean
  now: () => number
  setTimeout: (run: () => void, ms: number) => unknown
  clearTimeout: (timer: unknown) => void
}

/** The machine behind `network`; tests give it their own ports. */
export function createNetwork(ports: Ports) {
  const changed = happening<NetworkState>()
  const reached = happening()
  let state: NetworkState = 'online'
  let probing: Promise<boolean> | undefined
  let timer: unknown
  let misses = 0

  function become(next: NetworkState): void {
    if (next === state) return
    const wasOffline = state === 'offline'
    state = next
    changed.tell(next)
    if (wasOffline) reached.tell()
  }

  async function ask(): Promise<boolean> {
    const started = ports.now()
    const isThere = await isAnswered(ports.fetch)
    // Answered, and yet the browser says that the connection is gone: it went just now, or the server is on this very machine.
    const isSettled = isThere && ports.isOnLine()
    misses = isSettled ? 0 : misses + 1
    become(isThere ? (ports.now() - started > PROBE_WEAK_MS ? 'weak' : 'online') : 'offline')
    ports.clearTimeout(timer)
    if (!isSettled) timer = ports.setTimeout(() => void probe(), Math.min(1000 * 2 ** (misses - 1), PROBE_RETRY_MAXIMUM_MS))
    return isThere
  }

  /** Asks now; probes that meet are one. */
  function probe(): Promise<boolean> {
    probing ??= ask().finally(() => {
      probing = undefined
    })
    return probing
  }

  /** Something hints at a change: what is being asked already may be answered from before it. */
  function look(): void {
    void (probing ? probing.then(probe) : probe())
  }

  return {
    probe,
    look,
    state: () => state,
    isReachable: () => state !== 'offline',
    /** A call got no answer, or not ours: find out. */
    noteFailure: look,
    subscribe: changed.subscribe,
    /** Tells whenever the API can be reached again. */
    onReachable: reached.subscribe,
  }
}

async function isAnswered(ask: typeof fetch): Promise<boolean> {
  try {
    const response = await ask(`${apiUrl}health`, {
      cache: 'no-store',
      headers: { accept: 'application/json', [APP_VERSION_HEADER]: String(APP_VERSION) },
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
