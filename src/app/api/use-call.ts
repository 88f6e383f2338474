import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { STORED_READS_MAX_AGE_MS, STORED_READS_STALE_MS } from '#app/constants.ts'
import { hasElapsed } from '#app/device-clock.ts'
import { currentLanguage } from '#app/i18n/current-language.ts'
import { LANGUAGES } from '#contract/languages.ts'
import type { Endpoint, ReplyOf } from '#contract/endpoint.ts'
import type { ApiError } from './api-error.ts'
import { errorWhileRetrying, readMark, retryRead } from './retry-failed-reads.ts'
import { call } from './call.ts'
import type { CallArguments, CallOptions } from './call.ts'
import { noteReadSent, queryClient, type ReadKey } from './query-client.ts'
import { storedRead } from './query-store.ts'
import { reader } from './session-port.ts'
import { useReaderId } from './use-reader-id.ts'

export interface ReadOptions {
  /** false: do not read yet */
  enabled?: boolean
  /** of texts in the reply; the screen's language by default */
  language?: string
}

// The dashboard's small reads; the tables and the open instance are stored elsewhere (app/device). OFFLINE-4
// By path, as importing the endpoints would load their schemas on every screen.
const stored = new Set(['GET user/{id}', 'GET assessment', 'GET assessment/assessment-instance'])
const isStored = ({ method, path }: Endpoint) => stored.has(`${method} ${path}`)

export function readKey(endpoint: Endpoint, request: unknown, language: string, userId: string | undefined): ReadKey {
  return [endpoint.tag, endpoint.path, request ?? {}, language, endpoint.access === 'anyone' ? undefined : userId]
}

function readOptions<E extends Endpoint>(endpoint: E, request: unknown, language: string, userId: string | undefined) {
  const queryKey = readKey(endpoint, request, language, userId)
  return {
    queryKey,
    meta: readMark,
    retry: retryRead(queryKey),
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      call(
        endpoint,
        ...([request, { language, signal, userId, onSent: (at: number) => noteReadSent(queryKey, at) }] as CallArguments<E, CallOptions>),
      ),
    ...(isStored(endpoint)
      ? {
          meta: { ...readMark, ...storedRead },
          gcTime: STORED_READS_MAX_AGE_MS,
          staleTime: STORED_READS_STALE_MS,
          // the library itself would not read again for as long as the clock was set back
          refetchOnMount: ({ state }: { state: { dataUpdatedAt: number } }) =>
            hasElapsed(state.dataUpdatedAt, STORED_READS_STALE_MS) ? ('always' as const) : true,
        }
      : {}),
  }
}

/**
 * Starts a read that a screen will make with `useCall`, so that its first paint has the data. Resolves when it is there or has
 * failed (the screen shows the failure); at once if something is cached. Never rejects.
 */
export async function readAhead<E extends Endpoint>(endpoint: E, ...[request]: CallArguments<E, never>): Promise<void> {
  const options = readOptions(endpoint, request, currentLanguage(), reader.id())
  const read = queryClient.prefetchQuery<ReplyOf<E>, ApiError>(options)
  if (queryClient.getQueryData(options.queryKey) === undefined) await read
}

/**
 * A read of the contract. `isError` is true only if there is nothing to show; `dataUpdatedAt` is when the request was sent
 * (epoch ms), shown as "as of".
 * If it cannot be read, a reply cached in another language is used.
 */
export function useCall<E extends Endpoint>(
  endpoint: E,
  ...[request, options = {}]: CallArguments<E, ReadOptions>
): UseQueryResult<ReplyOf<E>, ApiError> {
  const client = useQueryClient()
  const { i18n } = useTranslation()
  const userId = useReaderId()
  const language = options.language ?? i18n.language
  const keyIn = (one: string) => readKey(endpoint, request, one, userId)

  const result = useQuery<ReplyOf<E>, ApiError>({
    ...readOptions(endpoint, request, language, userId),
    enabled: options.enabled ?? true,
  })

  if (result.data !== undefined) return result.isError ? withStored(result, result.data, result.dataUpdatedAt) : result
  const retried = result.isPending ? errorWhileRetrying(keyIn(language)) : undefined
  if (retried) return failed(result, retried)
  if (result.fetchStatus === 'fetching') return result
  const other = LANGUAGES.map((one) => client.getQueryState<ReplyOf<E>>(keyIn(one))).find((state) => state?.data !== undefined)
  return other?.data === undefined ? result : withStored(result, other.data, other.dataUpdatedAt)
}

/** The result as failed, while it is requested again in the background. */
function failed<T>(result: UseQueryResult<T, ApiError>, error: ApiError): UseQueryResult<T, ApiError> {
  const failure = { status: 'error', isError: true, isLoadingError: true, isPending: false, isLoading: false, error }
  return { ...result, ...failure } as unknown as UseQueryResult<T, ApiError>
}

/** The result as successful, with cached data that could not be refreshed. */
function withStored<T>(result: UseQueryResult<T, ApiError>, data: T, dataUpdatedAt: number): UseQueryResult<T, ApiError> {
  const success = { status: 'success', isSuccess: true, isPending: false, isLoading: false, isLoadingError: false, isRefetchError: false }
  // A cast, as the library's union type does not allow this combination.
  return { ...result, ...success, isError: false, error: null, data, dataUpdatedAt } as unknown as UseQueryResult<T, ApiError>
}
