import { QueryClient } from '@tanstack/react-query'
import { CACHE_KEPT_MS } from '#app/constants.ts'
import type { Tag } from '#contract/endpoint.ts'
import { isApiError } from './api-error.ts'
import { network } from './network.ts'

/** [tag, path, request, language, user id]: a read belongs to its words and to its reader (ruling 21). */
export type ReadKey = readonly [Tag | undefined, string, unknown, string, string | undefined]

// Twice more while the API can be reached; a refusal is an answer, and offline the screen should say so at once.
function mayAskAgain(failures: number, error: Error): boolean {
  return failures < 2 && isApiError(error) && error.isTransient && error.status !== 429 && network.isReachable()
}

/** Reads in memory: kept 60 s after last use, nothing asked again by itself. §7, §9, ruling 19 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      gcTime: CACHE_KEPT_MS,
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      refetchOnMount: false,
      // A read that waits for a connection would neither come nor fail: what could not be had is asked for after a reconnect (reads.ts).
      networkMode: 'always',
      retry: mayAskAgain,
    },
  },
})
