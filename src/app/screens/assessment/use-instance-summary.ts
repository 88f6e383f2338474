import { useQuery } from '@tanstack/react-query'
import { useCall } from '#app/api/use-call.ts'
import { readInstance } from '#app/device/store/device-store.ts'
import { instances, type InstanceSummary } from '#contract/instances.ts'

export type SummaryRead =
  | { state: 'loading' }
  | { state: 'ready'; summary: InstanceSummary; at: number }
  | { state: 'not-found' | 'reclaimed' | 'not-on-device' | 'failed'; refetch: () => void }

/**
 * The player's own instance without its questions: from the dashboard's list, or else from what this device has stored, so
 * that its URL opens offline (SESSION-11). A reclaimed instance is in no list: it is read by itself, and once this device
 * knows of it, it stays reclaimed.
 */
export function useInstanceSummary(userId: string | undefined, instanceId: string): SummaryRead {
  const list = useCall(instances.list, { query: { userId } }, { enabled: userId !== undefined })
  const listed = list.data?.data.find((instance) => instance.instanceId === instanceId)
  const stored = useQuery({
    queryKey: ['Device', 'instance', instanceId, '', userId],
    queryFn: async () => (await readInstance({ userId: userId ?? '', instanceId })) ?? null,
    enabled: userId !== undefined,
    staleTime: 0,
    refetchOnMount: true,
    retry: false,
  })

  const isKnownAbsent = list.isSuccess && !list.isFetching && listed === undefined
  const absent = useCall(instances.get, { params: { instanceId }, query: { sections: 'none' } }, { enabled: isKnownAbsent })
  const refetch = () => void (isKnownAbsent ? absent : list).refetch()

  if (stored.data?.summary.status === 'RECLAIMED' || (isKnownAbsent && absent.data?.status === 'RECLAIMED'))
    return { state: 'reclaimed', refetch }
  if (listed) return { state: 'ready', summary: listed, at: list.dataUpdatedAt }
  if (!isKnownAbsent && stored.data) return { state: 'ready', summary: stored.data.summary, at: stored.data.storedAt }
  if (list.isFetching || list.isPending || (list.isError && stored.isPending)) return { state: 'loading' }
  if (isKnownAbsent && absent.isPending) return { state: 'loading' }
  if (isKnownAbsent && absent.data) return { state: 'ready', summary: absent.data, at: absent.dataUpdatedAt }
  const { error } = isKnownAbsent ? absent : list
  if (error?.code === 'NOT_FOUND') return { state: 'not-found', refetch }
  return { state: error?.kind === 'HTTP' ? 'failed' : 'not-on-device', refetch }
}
