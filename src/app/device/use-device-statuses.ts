import { useEffect, useState } from 'react'
import { whenIdle } from '#app/ui/after-paint.ts'
import type { InstanceSummary } from '#contract/instances.ts'
import { loadStatus } from './lazy.ts'
import type { Readiness } from './readiness/readiness.ts'
import type { FinishStep, Trouble } from '#app/sync/sync.ts'

/** What this device knows of one instance, for the dashboard. */
export interface DeviceStatus {
  instanceId: string
  /** as the server last sent it; undefined where the disk never took the instance */
  summary: InstanceSummary | undefined
  /** groups that the server has not acknowledged */
  unsent: number
  /** groups that are in this page alone: the disk refused them, and the server has not got them */
  unwritten: number
  /** those in another tab alone */
  unwrittenElsewhere: number
  /** answers of this device that another device's displaced, until the player chooses */
  late: number
  /** items answered on this device */
  answered: number
  finish: FinishStep | null
  trouble: Trouble | null
  savedAt: number | null
  /** for no signal; undefined while there is nothing to say of it */
  readiness: Readiness | undefined
}

/** Empty until read, or where the device cannot be read. */
export function useDeviceStatuses(userId: string | undefined): DeviceStatus[] {
  const [statuses, setStatuses] = useState<DeviceStatus[]>([])
  useEffect(() => {
    if (userId === undefined) return
    let isOver = false
    let stop = () => {}
    whenIdle(() => {
      loadStatus().then(
        ({ watchStatuses }) => {
          if (!isOver) stop = watchStatuses(userId, setStatuses)
        },
        (error: unknown) => console.warn('The device cannot be read', error),
      )
    })
    return () => {
      isOver = true
      stop()
    }
  }, [userId])
  return statuses
}
