import { useEffect, useState } from 'react'
import { messageFor } from '#app/api/message-for.ts'

export interface Reading<T> {
  /** the newest reply; an older one stays while the next is loading, and after a failure if it is of the same request */
  data: T | undefined
  /** why the last try failed, as a text */
  failure: string | undefined
  isReading: boolean
}

/**
 * Reads again whenever one of the first two changes. These replies are not cached by the query library: they are the operator's, and none may stay
 * on the device.
 * @param what is asked for: all that `read` depends on
 */
export function useReading<T>(round: number, what: string, read: (signal: AbortSignal) => Promise<T>): Reading<T> {
  const [outcome, setOutcome] = useState<{ round: number; what: string; data?: T; failure?: string }>()

  useEffect(() => {
    const leaving = new AbortController()
    const settle = (next: { data: T } | { failure: string }) => {
      if (leaving.signal.aborted) return
      setOutcome((before) => ({
        ...(before?.data === undefined || before.what !== what ? {} : { data: before.data }),
        ...next,
        round,
        what,
      }))
    }
    read(leaving.signal).then(
      (data) => settle({ data }),
      (error: unknown) => settle({ failure: messageFor(error) }),
    )
    return () => leaving.abort()
    // `what` says all that `read` depends on
    // eslint-disable-next-line react/exhaustive-deps
  }, [round, what])

  const isReading = outcome?.round !== round || outcome.what !== what
  return { data: outcome?.data, failure: isReading ? undefined : outcome.failure, isReading }
}
