import { useEffect } from 'react'
import { loadPrepare } from '#app/offline/later.ts'
import type { InstanceSummary } from '#contract/instances.ts'

// the dashboard's own reads go first
const PREPARE_AFTER_MS = 1500

/** Makes open instances ready before they are needed, where a later loss of signal finds them (design.md 5). */
export function usePrepared(userId: string | undefined, open: readonly InstanceSummary[], isReachable: boolean): void {
  const ids = open.map((instance) => instance.instanceId).join(' ')
  useEffect(() => {
    if (userId === undefined || ids === '' || !isReachable) return
    const timer = setTimeout(() => {
      const instances = ids.split(' ').map((instanceId) => ({ instanceId }))
      const prepared = loadPrepare().then(({ prepareInstances }) => prepareInstances(userId, instances))
      prepared.catch((error: unknown) => console.warn('Not everything is ready for no signal', error))
    }, PREPARE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [userId, ids, isReachable])
}
