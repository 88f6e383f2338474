/**
 * Repeats reads that failed for a transient reason, with growing waits, while their screen is visible and the API can be
 * reached (after a reconnect all are repeated, see query-port.ts). Meanwhile the screen keeps showing the failure.
 */
import { hashKey, type Query, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { FAILED_READ_WAITS } from '#app/constants.ts'
import { isApiError, type ApiError } from './api-error.ts'
import { retryDelay } from './backoff.ts'
import { network } from './network.ts'
import { mayRetry } from './query-client.ts'

/** Marks a query as a read of the contract; only these may be repeated. */
export const readMark = { isRead: true }

interface Failing {
  failures: number
  error: ApiError
  timer: ReturnType<typeof setTimeout> | undefined
  isUnderWay: boolean
}

const failing = new Map<string, Failing>()

/** The last error of a read that is being repeated; undefined if it is not. */
export function errorWhileRetrying(key: QueryKey): ApiError | undefined {
  const known = failing.get(hashKey(key))
  return known?.isUnderWay ? known.error : undefined
}

/** The `retry` option of a read: two quick retries after its first failure; later rounds are one call each. */
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
    // adding the same listener twice has no effect
    document.addEventListener('visibilitychange', seenAgain)
    const failures = (known?.failures ?? 0) + 1
    const next: Failing = { failures, error, timer: undefined, isUnderWay: false }
    failing.set(hash, next)
    next.timer = setTimeout(() => retryNow(client, hash, next), retryDelay(failures, error, FAILED_READ_WAITS))
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
