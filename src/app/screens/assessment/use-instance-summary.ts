import { useQuery } from '@tanstack/react-query'
import { useCall } from '#app/api/use-call.ts'
import { loadInstance } from '#app/offline/device-store.ts'
import { instances, type InstanceSummary } from '#contract/instances.ts'

export type SummaryRead =
  | { state: 'loading' }
  | { state: 'ready'; summary: InstanceSummary; at: number }
  | { state: 'not-found' | 'not-on-device' | 'failed'; refetch: () => void }

/**
 * An own instance without its questions: from the list that the dashboard keeps, and where that has nothing, from
 * what this device holds of the instance. Ruling 2: offline, the URL asked for opens.
 */
export function useInstanceSummary(userId: string | undefined, instanceId: string): SummaryRead {
  const list = useCall(instances.list, { query: { userId } }, { enabled: userId !== undefined })
  const listed = list.data?.data.find((instance) => instance.instanceId === instanceId)
  const stored = useQuery({
    queryKey: ['Device', 'instance', instanceId, '', userId],
    queryFn: async () => (await loadInstance({ userId: userId ?? '', instanceId })) ?? null,
    enabled: userId !== undefined && listed === undefined,
    staleTime: 0,
    retry: false,
  })

  if (listed) return { state: 'ready', summary: listed, at: list.dataUpdatedAt }
  const isKnownAbsent = list.isSuccess && !list.isFetching
  if (!isKnownAbsent && stored.data) return { state: 'ready', summary: stored.data.summary, at: stored.data.storedAt }
  if (list.isFetching || list.isPending || (list.isError && stored.isPending)) return { state: 'loading' }
  const refetch = () => void list.refetch()
  if (isKnownAbsent) return { state: 'not-found', refetch }
  return { state: list.error?.kind === 'HTTP' ? 'failed' : 'not-on-device', refetch }
}
