import { useCallback, useEffect, useState } from 'react'
import { onSynced } from '#app/device/sending/sync-events.ts'
import { privateStore } from '#app/session/private-store.ts'

interface Unsent {
  /** answers, Submits and marks that only this browser has; undefined until counted, or if the device cannot be read */
  count: number | undefined
  recount: () => Promise<void>
}

async function countUnsent(): Promise<number | undefined> {
  try {
    const { answers, late, submits, marks } = await (await privateStore()).countWaiting()
    return answers + late + submits + marks
  } catch (error) {
    console.warn('Could not count what is unsent', error)
    return undefined
  }
}

/** Counts what an app with a storage of its own would not have. */
export function useUnsent(): Unsent {
  const [count, setCount] = useState<number>()
  const recount = useCallback(() => countUnsent().then(setCount), [])
  useEffect(() => {
    void recount()
    return onSynced(() => void recount())
  }, [recount])
  return { count, recount }
}
