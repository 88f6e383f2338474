import { QueryClientProvider, type Query } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Tag } from '#contract/endpoint.ts'
import { watchFailedReads } from './retry-failed-reads.ts'
import { queryClient } from './query-client.ts'
import { closeQueryStore, openQueryStore, restoreStoredReads } from './query-store.ts'
import { queryPort, readsSettled, watchChangesInOtherTabs } from './query-port.ts'

watchFailedReads(queryClient)
watchChangesInOtherTabs()

queryPort.provide({
  async settle(userId) {
    closeQueryStore()
    queryClient.clear()
    if (userId !== undefined) await openQueryStore(userId)
  },
  restore: restoreStoredReads,
  invalidateTags,
  askAgain() {
    invalidateTags(['AssessmentInstance', 'CoachAssessments'])
    void queryClient.refetchQueries({ type: 'active', predicate: (query) => query.state.status === 'error' })
  },
})

/** Resolves when the stored reads are restored; before that a screen would show stored data as missing. */
export const queriesRestored = readsSettled

function invalidateTags(tags?: readonly Tag[]): void {
  const isTouched = ({ queryKey: [tag] }: Query) => tag !== undefined && (tags === undefined || tags.some((one) => one === tag))
  const underWay = new Set(queryClient.getQueryCache().findAll({ predicate: isTouched, fetchStatus: 'fetching' }))
  void queryClient.invalidateQueries({ predicate: (query) => isTouched(query) && !underWay.has(query) })
  // Each may be replied to with what was there before. The library would take that of one that has no data or no screen yet.
  for (const query of underWay) {
    query.invalidate()
    void query.cancel({ silent: true })
    // a failure is in its state
    query.fetch().catch(() => undefined)
  }
}

export function ReadsProvider({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
}
