import { QueryClient } from '@tanstack/react-query'
import { CACHE_TIME_MS, READ_WAITS } from '#app/constants.ts'
import type { Tag } from '#contract/endpoint.ts'
import { isApiError } from './api-error.ts'
import { retryDelay } from './backoff.ts'
import { network } from './network.ts'

/** [tag, path, request, language, user id]: a read belongs to its words and to its reader (SESSION-21). */
export type ReadKey = readonly [Tag | undefined, string, unknown, string, string | undefined]

// Twice more while the API can be reached; a refusal is final, and offline the screen should say so at once.
// Who would have to wait longer is told so.
export function mayRetry(failures: number, error: Error): boolean {
  const isSoon = isApiError(error) && error.isTransient && (error.retryAfterSeconds ?? 0) * 1000 <= READ_WAITS.longest
  // a limit that says no time is not reached less by asking
  return failures < 2 && isSoon && !(error.status === 429 && error.retryAfterSeconds === undefined) && network.isReachable()
}

/** Reads in memory: cached for 60 s after their last use, and never requested again without a reason. OFFLINE-3 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      gcTime: CACHE_TIME_MS,
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      refetchOnMount: false,
      // A read that waits for a connection would neither come nor fail: what could not be had is asked for after a reconnect (query-port.ts).
      networkMode: 'always',
      retry: mayRetry,
      retryDelay: (failures, error) => retryDelay(failures + 1, error, READ_WAITS),
    },
  },
})
