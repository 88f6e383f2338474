import { useEffect } from 'react'
import { useReachable } from '#app/api/use-network-state.ts'
import { PREPARE_AFTER_MS } from '#app/constants.ts'
import { loadPrepare } from '#app/device/lazy.ts'

/** Prepares the open instances that a screen shows for use offline. docs/decisions/0033 */
export function usePrepared(userId: string | undefined, open: readonly { instanceId: string }[]): void {
  const ids = open.map((instance) => instance.instanceId).join(' ')
  const isReachable = useReachable()
  useEffect(() => {
    if (userId === undefined || ids === '' || !isReachable) return
    const timer = setTimeout(() => {
      const instances = ids.split(' ').map((instanceId) => ({ instanceId }))
      loadPrepare()
        .then(({ prepareInstances }) => prepareInstances(userId, instances))
        .catch((error: unknown) => console.warn('Not everything could be prepared for use offline', error))
    }, PREPARE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [userId, ids, isReachable])
}
