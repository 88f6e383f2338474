import { useEffect, useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import type { ApiError } from '#app/api/api-error.ts'
import type { CallArguments } from '#app/api/call.ts'
import { useReachable } from '#app/api/network.ts'
import { useCall, useReaderId, type ReadOptions } from '#app/api/use-call.ts'
import type { Endpoint, ReplyOf } from '#contract/endpoint.ts'
import { loadStoredReplies } from './lazy.ts'
import type { Dated } from './store/stored.ts'

export interface OfflineCall<Reply> {
  /** undefined: not yet, or not to be had */
  data: Reply | undefined
  /** epoch ms of the answer, for "as of" */
  at: number | undefined
  /** it is an older reply, stored on the device or in memory: the API did not give a newer one */
  isStored: boolean
  /** neither the API nor the device has answered yet */
  isPending: boolean
  /** nothing to show: why, and whether the API could be reached at all */
  error: ApiError | undefined
  isOutOfReach: boolean
  refetch: () => void
}

/** What the device answered for one read; `kept` undefined: it has nothing. */
interface Found<Reply> {
  of: string
  kept: Dated<Reply> | undefined
}

/**
 * A read of the squad and token tables: written to the device after each good answer, and read back, dated, when the
 * API cannot be reached. OFFLINE-4
 */
export function useOfflineCall<E extends Endpoint>(endpoint: E, ...given: CallArguments<E, ReadOptions>): OfflineCall<ReplyOf<E>> {
  const { i18n } = useTranslation()
  const [request] = given
  const read = useCall(endpoint, ...given)
  const userId = useReaderId()
  const isReachable = useReachable()
  const [found, setFound] = useState<Found<ReplyOf<E>>>()

  const language = i18n.language
  const asked = JSON.stringify(request ?? {})
  const name = `${userId} ${endpoint.path} ${asked} ${language}`
  const { data, dataUpdatedAt } = read
  // what stands in for an answer that failed is kept already, or is in the other language
  const isGood = data !== undefined && read.failureReason === null
  useEffect(() => {
    if (userId === undefined || !isGood) return
    const keeping = loadStoredReplies().then(({ storeReply }) =>
      storeReply(userId, endpoint, asked, language, { value: data, at: dataUpdatedAt }),
    )
    keeping.catch((error: unknown) => console.warn('Not kept on this device', error))
  }, [userId, endpoint, asked, language, isGood, data, dataUpdatedAt])

  // a refusal is an answer: what is stored does not stand in for it
  const isUnanswered = read.error === null || read.error.isTransient
  const isWanted = userId !== undefined && data === undefined && isUnanswered && (read.isError || !isReachable)
  useEffect(() => {
    if (!isWanted) return
    let isOver = false
    const tell = (kept: Dated<ReplyOf<E>> | undefined) => !isOver && setFound({ of: name, kept })
    loadStoredReplies()
      .then(({ readReply }) => readReply(userId, endpoint, asked, language))
      .then(tell, (error: unknown) => {
        console.warn('The device cannot be read', error)
        tell(undefined)
      })
    return () => {
      isOver = true
    }
  }, [isWanted, name, userId, endpoint, asked, language])

  const answer = found?.of === name ? found : undefined
  // stays while it is asked for anew after a reconnect
  const kept = data === undefined && isUnanswered ? answer?.kept : undefined
  const isLooking = isWanted && answer === undefined
  const isOver = read.isError || (isWanted && !isReachable)
  return {
    data: data ?? kept?.value,
    at: data === undefined ? kept?.at : dataUpdatedAt,
    isStored: data === undefined ? kept !== undefined : read.failureReason !== null,
    isPending: data === undefined && kept === undefined && (isLooking || !isOver),
    error: read.error ?? undefined,
    isOutOfReach: isWanted && (!isReachable || (read.error !== null && read.error.kind !== 'HTTP')),
    refetch: () => void read.refetch(),
  }
}
