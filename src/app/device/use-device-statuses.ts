import { useEffect, useState } from 'react'
import { whenIdle } from '#app/ui/browser/after-paint.ts'
import { loadStatus } from './lazy.ts'
import type { DeviceStatus } from './status.ts'

/** This device's status of each of a person's instances; empty until read, or if the device cannot be read. */
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
