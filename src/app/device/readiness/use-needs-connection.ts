import { useEffect, useState } from 'react'
import { useReachable } from '#app/api/use-network-state.ts'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { languagesOf, readInstance } from '#app/device/store/device-store.ts'

/** True while offline if the questions are not on this device, so that the assessment cannot be started. */
export function useNeedsConnection(instanceId: string): boolean {
  const userId = useReaderId()
  const isReachable = useReachable()
  const [isAbsent, setAbsent] = useState(false)
  useEffect(() => {
    if (isReachable || userId === undefined) return
    let isOver = false
    Promise.all([readInstance({ userId, instanceId }), languagesOf({ userId, instanceId })]).then(
      ([instance, languages]) => !isOver && setAbsent(instance === undefined || languages.length === 0),
      (error: unknown) => console.warn('The device cannot be read', error),
    )
    return () => {
      isOver = true
      setAbsent(false)
    }
  }, [isReachable, userId, instanceId])
  return !isReachable && isAbsent
}
