import { useEffect, useState } from 'react'
import { whenIdle } from '#app/ui/browser/after-paint.ts'
import { loadStatus } from './lazy.ts'
import type { DeviceStatus } from './status.ts'

interface OnDevice {
  /** of each of a person's instances; empty until read, or if the device cannot be read */
  statuses: DeviceStatus[]
  isUnreadable: boolean
}

/** What this device has of a person's instances. */
export function useOnDevice(userId: string | undefined): OnDevice {
  const [onDevice, setOnDevice] = useState<OnDevice>(NOTHING_READ)
  useEffect(() => {
    if (userId === undefined) return
    let isOver = false
    let stop = () => {}
    whenIdle(() => {
      loadStatus().then(
        ({ watchStatuses }) => {
          if (isOver) return
          stop = watchStatuses(userId, (statuses) => setOnDevice(statuses ? { statuses, isUnreadable: false } : UNREADABLE))
        },
        (error: unknown) => console.warn('The device cannot be read', error),
      )
    })
    return () => {
      isOver = true
      stop()
    }
  }, [userId])
  return onDevice
}

const NOTHING_READ: OnDevice = { statuses: [], isUnreadable: false }
const UNREADABLE: OnDevice = { statuses: [], isUnreadable: true }
