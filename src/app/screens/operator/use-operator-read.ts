import { useEffect, useState } from 'react'
import { messageFor } from '#app/api/message-for.ts'

export interface OperatorRead<T> {
  /** the newest reply; an older one stays while the next is loading, and after a failure if it is of the same request */
  data: T | undefined
  /** why the last try failed, as a text */
  failure: string | undefined
  isFetching: boolean
}

/**
 * Reads again whenever one of the first two changes. These replies are not cached by the query library: they are the operator's, and none may stay
 * on the device.
 * @param queryKey names all that `read` depends on
 */
export function useOperatorRead<T>(refreshKey: number, queryKey: string, read: (signal: AbortSignal) => Promise<T>): OperatorRead<T> {
  const [outcome, setOutcome] = useState<{ refreshKey: number; queryKey: string; data?: T; failure?: string }>()

  useEffect(() => {
    const leaving = new AbortController()
    const settle = (next: { data: T } | { failure: string }) => {
      if (leaving.signal.aborted) return
      setOutcome((before) => ({
        ...(before?.data === undefined || before.queryKey !== queryKey ? {} : { data: before.data }),
        ...next,
        refreshKey,
        queryKey,
      }))
    }
    read(leaving.signal).then(
      (data) => settle({ data }),
      (error: unknown) => settle({ failure: messageFor(error) }),
    )
    return () => leaving.abort()
    // oxlint-disable-next-line react/exhaustive-deps -- `queryKey` names all that `read` depends on
  }, [refreshKey, queryKey])

  const isFetching = outcome?.refreshKey !== refreshKey || outcome.queryKey !== queryKey
  return { data: outcome?.data, failure: isFetching ? undefined : outcome.failure, isFetching }
}
