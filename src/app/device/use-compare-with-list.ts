import { useEffect } from 'react'
import type { InstanceSummary } from '#contract/instances.ts'
import { loadOutbox } from './lazy.ts'

/**
 * Compares each list of instances with this device: lower or missing revisions mean a server restored from a backup (ANSWERS-17), and a
 * completed one whose Submit waits here, that its reply was lost.
 */
export function useCompareWithList(userId: string | undefined, list: readonly InstanceSummary[] | undefined): void {
  useEffect(() => {
    if (userId === undefined || !list) return
    const checked = loadOutbox().then(({ compareWithList }) => compareWithList(userId, list))
    checked.catch((error: unknown) => console.warn('The account could not be compared with this device', error))
  }, [userId, list])
}
