import { useEffect } from 'react'
import { queryClient } from '#app/api/query-client.ts'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { loadStoredReplies } from '#app/device/lazy.ts'
import type { OfflineCall } from '#app/device/use-offline-call.ts'
import { instancesForCoach, type AllocatedInstance } from '#contract/instances.coach.ts'
import { hasReport } from './people.ts'

/**
 * Removes from this device the coach's pages that are not in a newly read, whole team list any more: once a player has closed the
 * account, nobody can open the page again. OFFLINE-4, PRIVACY-3
 */
export function useRemovedReports({ data, at, isStored }: OfflineCall<{ assessments: AllocatedInstance[] }>): void {
  const userId = useReaderId()
  useEffect(() => {
    if (userId === undefined || data === undefined || at === undefined || isStored) return
    const { coachReport } = instancesForCoach
    const listed = new Set(data.assessments.filter(hasReport).map(({ instanceId }) => requestOf(instanceId)))
    const isListed = (request: unknown) => listed.has(JSON.stringify(request))
    queryClient.removeQueries({ type: 'inactive', predicate: ({ queryKey }) => queryKey[1] === coachReport.path && !isListed(queryKey[2]) })
    const removing = loadStoredReplies().then(({ removeUnlisted }) => removeUnlisted(userId, coachReport, at, isListed))
    removing.catch((error: unknown) => console.warn('Not removed from this device', error))
  }, [userId, data, at, isStored])
}

const requestOf = (instanceId: string) => JSON.stringify({ params: { instanceId } })
