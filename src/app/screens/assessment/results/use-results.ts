import { useQuery } from '@tanstack/react-query'
import { isApiError } from '#app/api/api-error.ts'
import { fetchResults, storeResults, storeResultsInOtherLanguages, storedResults, type LocalizedResults } from '#app/device/results.ts'

type ResultsState =
  | { state: 'loading' }
  /** `isStored`: the server could not be read now; `at`: when it was last read, epoch ms */
  | { state: 'ready'; read: LocalizedResults; at: number; isStored: boolean }
  | { state: 'not-found' | 'not-on-device' | 'failed'; refetch: () => void }

/** Results from the server; while loading, or without a connection, those last stored on this device. RESULTS-7 */
export function useResults(userId: string | undefined, instanceId: string, language: string): ResultsState {
  const onlySignedIn = { enabled: userId !== undefined }
  const live = useQuery({
    queryKey: ['AssessmentInstance', 'results', instanceId, language, userId],
    queryFn: async () => {
      const read = await fetchResults({ userId: userId ?? '', instanceId }, language)
      void store(userId ?? '', language, read)
      return read
    },
    ...onlySignedIn,
  })
  const stored = useQuery({
    queryKey: ['Device', 'results', instanceId, language, userId],
    queryFn: async () => (await storedResults(userId ?? '', instanceId, language)) ?? null,
    retry: false,
    ...onlySignedIn,
  })

  const refetch = () => void live.refetch()
  if (live.data) return { state: 'ready', read: live.data, at: live.dataUpdatedAt, isStored: live.isError }
  if (isApiError(live.error) && live.error.code === 'NOT_FOUND') return { state: 'not-found', refetch }
  if (stored.data) return { state: 'ready', read: stored.data.value, at: stored.data.at, isStored: live.isError }
  if (live.isPending || stored.isPending) return { state: 'loading' }
  return { state: isApiError(live.error) && live.error.kind === 'HTTP' ? 'failed' : 'not-on-device', refetch }
}

async function store(userId: string, language: string, read: LocalizedResults): Promise<void> {
  try {
    await storeResults(userId, language, read)
    if (read.text) await storeResultsInOtherLanguages(userId, read.summary.instanceId, language)
  } catch (error) {
    console.warn('The results could not be stored on this device', error)
  }
}
