import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Tag } from '#contract/endpoint.ts'
import { watchFailedReads } from './retry-failed-reads.ts'
import { queryClient } from './query-client.ts'
import { closeQueryStore, openQueryStore, restoreStoredReads } from './query-store.ts'
import { queryPort, readsSettled } from './query-port.ts'

watchFailedReads(queryClient)

queryPort.provide({
  async settle(userId) {
    closeQueryStore()
    queryClient.clear()
    if (userId !== undefined) await openQueryStore(userId)
  },
  restore: restoreStoredReads,
  makeStale,
  askAgain() {
    makeStale(['AssessmentInstance', 'CoachAssessments'])
    void queryClient.refetchQueries({ type: 'active', predicate: (query) => query.state.status === 'error' })
  },
})

/** Resolves when the stored reads are restored; before that a screen would show stored data as missing. */
export const queriesRestored = readsSettled

function makeStale(tags: readonly Tag[]): void {
  const isTouched = (tag: unknown) => tags.some((one) => one === tag)
  void queryClient.invalidateQueries({ predicate: (query) => isTouched(query.queryKey[0]) })
}

export function ReadsProvider({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
}
