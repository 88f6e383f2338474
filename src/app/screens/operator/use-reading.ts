import { useEffect, useState } from 'react'
import { messageFor } from '#app/api/message-for.ts'

export interface Reading<T> {
  /** the newest reply; an older one stays while the next is under way, or failed */
  data: T | undefined
  /** why the last try failed, as a text */
  failure: string | undefined
  isReading: boolean
}

/**
 * Reads anew whenever `name` changes. What is read here is not cached by the query library: it is the operator's, and none of it may stay on the device.
 * @param name of what is read, with all that it depends on
 */
export function useReading<T>(name: string, read: (signal: AbortSignal) => Promise<T>): Reading<T> {
  const [outcome, setOutcome] = useState<{ name: string; data?: T; failure?: string }>()

  useEffect(() => {
    const leaving = new AbortController()
    const settle = (next: { data: T } | { failure: string }) => {
      if (!leaving.signal.aborted) setOutcome((before) => ({ ...(before?.data === undefined ? {} : { data: before.data }), ...next, name }))
    }
    read(leaving.signal).then(
      (data) => settle({ data }),
      (error: unknown) => settle({ failure: messageFor(error) }),
    )
    return () => leaving.abort()
    // `name` says all that `read` depends on
    // eslint-disable-next-line react/exhaustive-deps
  }, [name])

  const isReading = outcome?.name !== name
  return { data: outcome?.data, failure: isReading ? undefined : outcome.failure, isReading }
}
