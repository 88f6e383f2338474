import type { DeviceStatus } from '#app/device/status.ts'
import type { InstanceSummary } from '#contract/instances.ts'
import { isOpen } from '#contract/rules/statuses.ts'

/**
 * The API's list, or if it failed the instances on this device; undefined if there are none. SESSION-11 What the device has as completed is
 * no longer open in a list that was read before: a restored backup alone opens one again (use-compare-with-list.ts).
 */
export function knownInstances(
  list: readonly InstanceSummary[] | undefined,
  hasFailed: boolean,
  onDevice: readonly DeviceStatus[],
): readonly InstanceSummary[] | undefined {
  const here = onDevice.flatMap(({ summary }) => summary ?? [])
  if (list === undefined) return hasFailed && onDevice.length > 0 ? here : undefined
  const completed = new Map(here.filter(({ status }) => status === 'COMPLETED').map((summary) => [summary.instanceId, summary]))
  return list.map((one) => (isOpen(one.status) && completed.get(one.instanceId)) || one)
}

/** For the in-progress panel: IN_PROGRESS first, then OWNED and ALLOCATED. HOME-8 */
export function openInstances(instances: readonly InstanceSummary[]): InstanceSummary[] {
  return instances
    .filter((instance) => isOpen(instance.status))
    .toSorted(
      (a, b) => Number(b.status === 'IN_PROGRESS') - Number(a.status === 'IN_PROGRESS') || newestFirst(a.allocatedAt, b.allocatedAt),
    )
}

/** For the past panel: only COMPLETED, newest first. HOME-9 */
export function pastInstances(instances: readonly InstanceSummary[]): InstanceSummary[] {
  return instances.filter((instance) => instance.status === 'COMPLETED').toSorted((a, b) => newestFirst(a.completedDate, b.completedDate))
}

/** Whether a player already has this assessment open or done; undefined: neither. */
export function takenAs(assessmentId: string, instances: readonly InstanceSummary[]): 'open' | 'done' | undefined {
  const own = instances.filter((instance) => instance.assessmentId === assessmentId)
  if (own.some(({ status }) => isOpen(status))) return 'open'
  return own.some(({ status }) => status === 'COMPLETED') ? 'done' : undefined
}

function newestFirst(a: string | null, b: string | null): number {
  return (b ?? '').localeCompare(a ?? '')
}

/** The number of answers: the device's count is ahead of the server's until everything is sent. */
export function answeredOf(instance: InstanceSummary, onDevice: DeviceStatus | undefined): number {
  return Math.min(instance.itemCount, Math.max(instance.answeredCount, onDevice?.answered ?? 0))
}

/** The status to show: IN_PROGRESS as soon as there are answers on this device, before the list is read again. */
export function statusShown(instance: InstanceSummary, onDevice: DeviceStatus | undefined): InstanceSummary['status'] {
  const isUntouched = instance.status === 'OWNED' || instance.status === 'ALLOCATED'
  return isUntouched && answeredOf(instance, onDevice) > 0 ? 'IN_PROGRESS' : instance.status
}

/** Instances that were reclaimed, or completed elsewhere, while this device has unsent answers of them. ASSIGN-21 */
export function stranded(instances: readonly InstanceSummary[], onDevice: readonly DeviceStatus[]): DeviceStatus[] {
  const open = new Set(openInstances(instances).map((instance) => instance.instanceId))
  return onDevice.filter((status) => status.unsent > 0 && !open.has(status.instanceId))
}

/** Counts of the summary block; undefined until the instances are known. HOME-2 */
interface PlayerFigures {
  open: number | undefined
  waiting: number
  done: number | undefined
}

export function playerFigures(instances: readonly InstanceSummary[] | undefined, onDevice: readonly DeviceStatus[]): PlayerFigures {
  return {
    open: instances && openInstances(instances).length,
    waiting: onDevice.reduce((sum, { unsent, unwritten, unwrittenElsewhere }) => sum + unsent + unwritten + unwrittenElsewhere, 0),
    done: instances && pastInstances(instances).length,
  }
}

export function coachName(instance: InstanceSummary): string | undefined {
  return [instance.coachFirstName, instance.coachLastName].filter(Boolean).join(' ') || undefined
}
