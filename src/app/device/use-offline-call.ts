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
  /** undefined: still loading, or not available */
  data: Reply | undefined
  /** epoch ms of the reply, shown as "as of" */
  at: number | undefined
  /** it is an older reply, stored on the device or in memory: the API did not give a newer one */
  isStored: boolean
  /** neither the API nor the device has replied yet */
  isPending: boolean
  /** why there is nothing to show */
  error: ApiError | undefined
  /** the API could not be reached */
  isOutOfReach: boolean
  refetch: () => void
}

/** What the device has stored for the read named `of`; `reply` undefined: nothing. */
interface Found<Reply> {
  of: string
  reply: Dated<Reply> | undefined
}

/**
 * `useCall` for the team and token tables and the coach's page of a player: each reply is stored on the device with its date, and shown again while the API
 * cannot be reached. OFFLINE-4
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
  // after a failed reply `data` is an older one, which is stored already or is in the other language
  const isGood = data !== undefined && read.failureReason === null
  useEffect(() => {
    if (userId === undefined || !isGood) return
    const storing = loadStoredReplies().then(({ storeReply }) =>
      storeReply(userId, endpoint, asked, language, { value: data, at: dataUpdatedAt }),
    )
    storing.catch((error: unknown) => console.warn('Not stored on this device', error))
  }, [userId, endpoint, asked, language, isGood, data, dataUpdatedAt])

  const isNowhere = read.error?.code === 'NOT_FOUND'
  useEffect(() => {
    if (userId === undefined || !isNowhere) return
    const removing = loadStoredReplies().then(({ removeReply }) => removeReply(userId, endpoint, asked))
    removing.catch((error: unknown) => console.warn('Not removed from this device', error))
  }, [userId, endpoint, asked, isNowhere])

  // a refusal is final: a stored reply is not shown in its place
  const isOutcomeUnknown = read.error === null || read.error.isTransient
  const isWanted = userId !== undefined && data === undefined && isOutcomeUnknown && (read.isError || !isReachable)
  useEffect(() => {
    if (!isWanted) return
    let isOver = false
    const tell = (reply: Dated<ReplyOf<E>> | undefined) => !isOver && setFound({ of: name, reply })
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

  const here = found?.of === name ? found : undefined
  // stays while it is requested again after a reconnect
  const stored = data === undefined && isOutcomeUnknown ? here?.reply : undefined
  const isLooking = isWanted && here === undefined
  const isOver = read.isError || (isWanted && !isReachable)
  return {
    data: data ?? stored?.value,
    at: data === undefined ? stored?.at : dataUpdatedAt,
    isStored: data === undefined ? stored !== undefined : read.failureReason !== null,
    isPending: data === undefined && stored === undefined && (isLooking || !isOver),
    error: read.error ?? undefined,
    isOutOfReach: isWanted && (!isReachable || (read.error !== null && read.error.kind !== 'HTTP')),
    refetch: () => void read.refetch(),
  }
}
