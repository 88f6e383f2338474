import { hashKey, QueryCache, QueryClient } from '@tanstack/react-query'
import { CACHE_TIME_MS, READ_WAITS } from '#app/constants.ts'
import type { Tag } from '#contract/endpoint.ts'
import { isApiError } from './api-error.ts'
import { retryDelay } from './backoff.ts'
import { network } from './network.ts'

/** [tag, path, request, language, user id]: replies differ by language, and belong to one reader (SESSION-21). */
export type ReadKey = readonly [Tag | undefined, string, unknown, string, string | undefined]

/** Retries a read twice while the API can be reached. A refusal is final; offline, and if the wait would be long, the screen says so at once. */
export function mayRetry(failures: number, error: Error): boolean {
  const isSoon = isApiError(error) && error.isTransient && (error.retryAfterSeconds ?? 0) * 1000 <= READ_WAITS.longest
  // a limit without Retry-After: asking again would only count against it
  return failures < 2 && isSoon && !(error.status === 429 && error.retryAfterSeconds === undefined) && network.isReachable()
}

/** when the request of each read that is under way was sent, epoch ms */
const sentAt = new Map<string, number>()

/** Notes when a read's request was sent: once it is replied to, that is its `dataUpdatedAt`, as the server may have changed since. */
export function noteReadSent(key: ReadKey, at: number): void {
  sentAt.set(hashKey(key), at)
}

const queryCache = new QueryCache({
  onSuccess(_data, query) {
    const at = sentAt.get(query.queryHash)
    if (at !== undefined) query.setState({ dataUpdatedAt: at })
  },
  onSettled(_data, _error, query) {
    sentAt.delete(query.queryHash)
  },
})

/** Reads in memory: cached for 60 s after their last use, and never requested again without a reason. OFFLINE-3 */
export const queryClient = new QueryClient({
  queryCache,
  defaultOptions: {
    queries: {
      gcTime: CACHE_TIME_MS,
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      refetchOnMount: false,
      // The default would leave a read pending while offline: here it fails, and is requested again after a reconnect (query-port.ts).
      networkMode: 'always',
      retry: mayRetry,
      retryDelay: (failures, error) => retryDelay(failures + 1, error, READ_WAITS),
    },
  },
})
