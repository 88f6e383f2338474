import { useQuery } from '@tanstack/react-query'
import { isApiError } from '#app/api/api-error.ts'
import { fetchResults, storeResults, storeResultsInOtherLanguages, storedResults, type ResultsRead } from '#app/device/results.ts'

export type Results =
  | { state: 'loading' }
  /** `isStored`: could not be read from the server just now; `at`: when it was last */
  | { state: 'ready'; read: ResultsRead; at: number; isStored: boolean }
  | { state: 'not-found' | 'not-on-device' | 'failed'; refetch: () => void }

/** Results from the server; until they come, or without a connection, as this device last stored them. RESULTS-7 */
export function useResults(userId: string | undefined, instanceId: string, language: string): Results {
  const mine = { enabled: userId !== undefined }
  const live = useQuery({
    queryKey: ['AssessmentInstance', 'results', instanceId, language, userId],
    queryFn: async () => {
      const read = await fetchResults(instanceId, language)
      void store(userId ?? '', language, read)
      return read
    },
    ...mine,
  })
  const stored = useQuery({
    queryKey: ['Device', 'results', instanceId, language, userId],
    queryFn: async () => (await storedResults(userId ?? '', instanceId, language)) ?? null,
    retry: false,
    ...mine,
  })

  const refetch = () => void live.refetch()
  if (live.data) return { state: 'ready', read: live.data, at: live.dataUpdatedAt, isStored: live.isError }
  if (isApiError(live.error) && live.error.code === 'NOT_FOUND') return { state: 'not-found', refetch }
  if (stored.data) return { state: 'ready', read: stored.data.value, at: stored.data.at, isStored: live.isError }
  if (live.isPending || stored.isPending) return { state: 'loading' }
  return { state: isApiError(live.error) && live.error.kind === 'HTTP' ? 'failed' : 'not-on-device', refetch }
}

async function store(userId: string, language: string, read: ResultsRead): Promise<void> {
  try {
    await storeResults(userId, language, read)
    if (read.text) await storeResultsInOtherLanguages(userId, read.summary.instanceId, language)
  } catch (error) {
    console.warn('The results could not be stored on this device', error)
  }
}
