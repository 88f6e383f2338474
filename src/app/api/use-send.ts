import { useState } from 'react'
import type { Endpoint, ReplyOf } from '#contract/endpoint.ts'
import { isApiError } from './api-error.ts'
import { call } from './call.ts'
import type { CallArguments, CallOptions } from './call.ts'
import { noteChanges } from './query-port.ts'

/** A write of the contract: sent now or refused now, never queued (OFFLINE-2). What it changes, or may have changed, is asked for again. */
export function useSend<E extends Endpoint>(
  endpoint: E,
): { send: (...given: CallArguments<E, CallOptions>) => Promise<ReplyOf<E>>; isSending: boolean } {
  const [underWay, setUnderWay] = useState(0)

  async function send(...given: CallArguments<E, CallOptions>): Promise<ReplyOf<E>> {
    setUnderWay((count) => count + 1)
    try {
      const reply = await call(endpoint, ...given)
      noteChanges(endpoint)
      return reply
    } catch (error) {
      // the write may have happened: refetch what it changes; a conflict proves that what is shown is stale
      if (!isApiError(error) || error.isOutcomeUnknown || error.status === 409) noteChanges(endpoint)
      throw error
    } finally {
      setUnderWay((count) => count - 1)
    }
  }

  return { send, isSending: underWay > 0 }
}
