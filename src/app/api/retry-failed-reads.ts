/**
 * A read that failed for a moment's sake is asked again by itself, later and later, while somebody sees its screen and the
 * API can be reached (after a reconnect all are asked for, see query-port.ts). The screen goes on saying what it said meanwhile.
 */
import { hashKey, type Query, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { READ_AGAIN_WAITS } from '#app/constants.ts'
import { isApiError, type ApiError } from './api-error.ts'
import { retryDelay } from './backoff.ts'
import { network } from './network.ts'
import { mayRetry } from './query-client.ts'

/** Marks a query as a read of the contract: what is not one may change something. */
export const readMark = { isRead: true }

interface Failing {
  failures: number
  error: ApiError
  timer: ReturnType<typeof setTimeout> | undefined
  isUnderWay: boolean
}

const failing = new Map<string, Failing>()

/** Why a read failed that is being asked again by itself. */
export function errorWhileRetrying(key: QueryKey): ApiError | undefined {
  const known = failing.get(hashKey(key))
  return known?.isUnderWay ? known.error : undefined
}

/** Twice more at once, unless that was of no use before: from then on each round is one call. */
export function retryRead(key: QueryKey) {
  return (failures: number, error: ApiError) => !failing.has(hashKey(key)) && mayRetry(failures, error)
}

export function watchFailedReads(client: QueryClient): void {
  client.getQueryCache().subscribe(({ type, query, ...event }) => {
    if (query.meta?.['isRead'] !== true) return
    if (type === 'removed') return forget(query.queryHash)
    if (type !== 'updated' || !('action' in event)) return
    if (event.action.type === 'success') forget(query.queryHash)
    else if (event.action.type === 'error') plan(query, query.state.error)
  })
  const seenAgain = () => {
    for (const [hash, known] of failing) if (known.timer === undefined && !known.isUnderWay) retryNow(client, hash, known)
  }

  function plan(query: Query, error: unknown): void {
    const hash = query.queryHash
    const known = failing.get(hash)
    clearTimeout(known?.timer)
    if (!isApiError(error) || !error.isTransient) return forget(hash)
    // the same listener again is none
    document.addEventListener('visibilitychange', seenAgain)
    const failures = (known?.failures ?? 0) + 1
    const next: Failing = { failures, error, timer: undefined, isUnderWay: false }
    failing.set(hash, next)
    next.timer = setTimeout(() => retryNow(client, hash, next), retryDelay(failures, error, READ_AGAIN_WAITS))
  }
}

function forget(hash: string): void {
  clearTimeout(failing.get(hash)?.timer)
  failing.delete(hash)
}

function retryNow(client: QueryClient, hash: string, known: Failing): void {
  known.timer = undefined
  const query = client.getQueryCache().get(hash)
  if (!query?.isActive()) return forget(hash)
  // hidden: once it is seen again; out of reach: after the reconnect
  if (document.visibilityState !== 'visible' || !network.isReachable()) return
  known.isUnderWay = true
  query.fetch().catch(() => undefined)
}
