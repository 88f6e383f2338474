import { useQuery } from '@tanstack/react-query'
import { useCall } from '#app/api/use-call.ts'
import { readInstance } from '#app/device/store/device-store.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { instances, type InstanceSummary } from '#contract/instances.ts'

type SummaryRead =
  | { state: 'loading' }
  /** `at`: when it was read or stored, epoch ms */
  | { state: 'ready'; summary: InstanceSummary; at: number }
  | { state: 'not-found' | 'reclaimed' | 'not-on-device' | 'failed'; refetch: () => void }

/**
 * The player's own instance without its questions: from the dashboard's list, or else from what this device has stored, so
 * that its URL opens offline (SESSION-11). The list does not contain reclaimed instances, so an instance missing from it is
 * read on its own. An instance that this device has stored as reclaimed stays reclaimed.
 */
export function useInstanceSummary(userId: string | undefined, instanceId: string): SummaryRead {
  const { i18n } = useTranslation()
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

  const isNotListed = list.isSuccess && !list.isFetching && listed === undefined
  const single = useCall(instances.get, { params: { instanceId }, query: { sections: 'none' } }, { enabled: isNotListed })
  const refetch = () => void (isNotListed ? single : list).refetch()

  if (stored.data?.summary.status === 'RECLAIMED' || (isNotListed && single.data?.status === 'RECLAIMED'))
    return { state: 'reclaimed', refetch }
  if (listed) return { state: 'ready', summary: listed, at: list.dataUpdatedAt }
  if (!isNotListed && stored.data) {
    const { summary, names, storedAt } = stored.data
    return { state: 'ready', summary: { ...summary, name: names?.[i18n.language] ?? summary.name }, at: storedAt }
  }
  if (list.isFetching || list.isPending || (list.isError && stored.isPending)) return { state: 'loading' }
  if (isNotListed && single.isPending) return { state: 'loading' }
  if (isNotListed && single.data) return { state: 'ready', summary: single.data, at: single.dataUpdatedAt }
  const { error } = isNotListed ? single : list
  if (error?.code === 'NOT_FOUND') return { state: 'not-found', refetch }
  return { state: error?.kind === 'HTTP' ? 'failed' : 'not-on-device', refetch }
}
