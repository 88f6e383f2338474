import { useEffect } from 'react'
import type { InstanceSummary } from '#contract/instances.ts'
import { loadOutbox } from './lazy.ts'

/** Every list of instances is compared with what this device knows of them: a server may have been put back to a backup. ANSWERS-17 */
export function useRevisions(userId: string | undefined, list: readonly InstanceSummary[] | undefined): void {
  useEffect(() => {
    if (userId === undefined || !list?.length) return
    const checked = loadOutbox().then(({ checkRevisions }) => checkRevisions(userId, list))
    checked.catch((error: unknown) => console.warn('The account could not be compared with this device', error))
  }, [userId, list])
}
