import { useEffect, useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { isApiError, type ApiError } from '#app/api/api-error.ts'
import type { CallArguments } from '#app/api/call.ts'
import { useReachable } from '#app/api/use-network-state.ts'
import { queryClient } from '#app/api/query-client.ts'
import { readKey, useCall, type ReadOptions } from '#app/api/use-call.ts'
import { useReaderId } from '#app/api/use-reader-id.ts'
import type { Endpoint, ReplyOf } from '#contract/endpoint.ts'
import { LANGUAGES } from '#contract/languages.ts'
import { loadStoredReplies } from './lazy.ts'
import type { StoredReply } from './stored-replies.ts'

export interface OfflineCall<Reply> {
  /** undefined: still loading, or not available */
  data: Reply | undefined
  /** when the reply was requested, epoch ms: shown as "as of" */
  at: number | undefined
  /** it is an older reply, stored on the device or in memory: the API did not give a newer one */
  isStored: boolean
  /** of the reply; not the screen's if that is the only one there is */
  language: string
  /** neither the API nor the device has replied yet */
  isPending: boolean
  /** why there is nothing to show, or why what was read before is no longer to be shown */
  error: ApiError | undefined
  /** the API could not be reached */
  isUnreachable: boolean
  refetch: () => void
}

/** What the device has stored for the read named `of`; `reply` undefined: nothing. */
interface Found<Reply> {
  of: string
  reply: StoredReply<Reply> | undefined
}

interface OfflineOptions extends ReadOptions {
  /** a reply is also read and stored in the other languages */
  isStoredInEveryLanguage?: boolean
}

/**
 * `useCall` for the team and token tables and the coach's page of a player: each reply is stored on the device with its date, and shown again while the API
 * cannot be reached. OFFLINE-4
 */
export function useOfflineCall<E extends Endpoint>(endpoint: E, ...given: CallArguments<E, OfflineOptions>): OfflineCall<ReplyOf<E>> {
  const { i18n } = useTranslation()
  const [request, options] = given
  const read = useCall(endpoint, ...given)
  const userId = useReaderId()
  const isReachable = useReachable()
  const [found, setFound] = useState<Found<ReplyOf<E>>>()

  const language = i18n.language
  const requestJson = JSON.stringify(request ?? {})
  const name = `${userId} ${endpoint.path} ${requestJson} ${language}`
  const { data, dataUpdatedAt } = read
  const isCached = (inLanguage: string) => queryClient.getQueryData(readKey(endpoint, request, inLanguage, userId)) !== undefined
  // else `data`, if any, is in another language
  const isInLanguage = data !== undefined && isCached(language)
  // after a failed reply `data` is an older one, which is stored already
  const isFresh = isInLanguage && read.failureReason === null
  const isForEveryLanguage = options?.isStoredInEveryLanguage ?? false
  useEffect(() => {
    if (userId === undefined || !isFresh) return
    const storing = loadStoredReplies().then(async ({ storeReply, storeInOtherLanguages }) => {
      await storeReply(userId, endpoint, requestJson, language, { value: data, at: dataUpdatedAt })
      if (isForEveryLanguage) await storeInOtherLanguages(userId, endpoint, requestJson, language, dataUpdatedAt)
    })
    storing.catch((error: unknown) => console.warn('Not stored on this device', error))
  }, [userId, endpoint, requestJson, language, isFresh, isForEveryLanguage, data, dataUpdatedAt])

  // `error` is not set while an older reply is in memory
  const failed = read.error ?? read.failureReason
  // a storage that throws fails it, too
  const failure = isApiError(failed) ? failed : null
  const isRefused = failure?.code !== undefined && !failure.isTransient
  const isAccessLost = failure?.refusedWith(403, 404, 409) ?? false
  useEffect(() => {
    if (userId === undefined || !isAccessLost) return
    const removing = loadStoredReplies().then(({ removeReply }) => removeReply(userId, endpoint, requestJson))
    removing.catch((error: unknown) => console.warn('Not removed from this device', error))
  }, [userId, endpoint, requestJson, isAccessLost])

  // a refusal is final: a stored reply is not shown in its place
  const hasFailed = read.isError || (data !== undefined && failed !== null)
  const needsStoredReply = userId !== undefined && !isInLanguage && !isRefused && (hasFailed || !isReachable)
  useEffect(() => {
    if (!needsStoredReply) return
    let isOver = false
    const show = (reply: StoredReply<ReplyOf<E>> | undefined) => !isOver && setFound({ of: name, reply })
    loadStoredReplies()
      .then(({ readReply }) => readReply(userId, endpoint, requestJson, language))
      .then(show, (error: unknown) => {
        console.warn('The device cannot be read', error)
        show(undefined)
      })
    return () => {
      isOver = true
    }
  }, [needsStoredReply, name, userId, endpoint, requestJson, language])

  const here = found?.of === name ? found : undefined
  // stays while it is requested again after a reconnect
  const stored = !isInLanguage && !isRefused ? here?.reply : undefined
  const isReadingDevice = needsStoredReply && here === undefined
  const isOver = read.isError || (needsStoredReply && !isReachable)
  const inMemory =
    data === undefined ? undefined : { value: data, at: dataUpdatedAt, language: [language, ...LANGUAGES].find(isCached) ?? language }
  const shown = isInLanguage || stored === undefined || (inMemory && stored.language !== language) ? inMemory : stored
  return {
    data: shown?.value,
    at: shown?.at,
    isStored: shown !== undefined && (shown === stored || read.failureReason !== null),
    language: shown?.language ?? language,
    isPending: shown === undefined && (isReadingDevice || !isOver),
    error: (isRefused ? failure : read.error) ?? undefined,
    isUnreachable: needsStoredReply && (!isReachable || (failure !== null && failure.kind !== 'HTTP')),
    refetch: () => void read.refetch(),
  }
}
