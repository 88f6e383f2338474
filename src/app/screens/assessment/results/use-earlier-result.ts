import { useCall } from '#app/api/use-call.ts'
import { instances, ownResults, type InstanceSummary, type Results } from '#contract/instances.ts'

export interface EarlierResult {
  instanceId: string
  /** UTC instant, ISO 8601 */
  completedDate: string | null
  results: Results
  /** other questions, so that the two cannot be compared */
  isOtherVersion: boolean
}

/** The player's last result of the same assessment before this one, if there is one of the same version, from the dashboard's list. RESULTS-13 */
export function useEarlierResult(userId: string | undefined, summary: InstanceSummary): EarlierResult | undefined {
  const list = useCall(instances.list, { query: { userId } }, { enabled: userId !== undefined })
  const before = (list.data?.data ?? [])
    .filter(({ assessmentId, completedDate }) => assessmentId === summary.assessmentId && isBefore(completedDate, summary.completedDate))
    .sort((one, other) => (isBefore(one.completedDate, other.completedDate) ? 1 : -1))
  const last = before.find(({ contentVersion }) => contentVersion === summary.contentVersion) ?? before[0]
  const results = last && ownResults(last)
  if (!results) return undefined
  const { instanceId, completedDate, contentVersion } = last
  return { instanceId, completedDate, results, isOtherVersion: contentVersion !== summary.contentVersion }
}

const isBefore = (one: string | null, other: string | null) => one !== null && other !== null && one < other
