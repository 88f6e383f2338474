import { useState } from 'react'
import type { Endpoint, ReplyOf } from '#contract/endpoint.ts'
import { call } from './call.ts'
import type { CallArguments, CallOptions } from './call.ts'
import { noteChanges } from './query-client.ts'

/** A write of the contract: sent now or refused now, never queued (ruling 23). What it changes is asked for again. */
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
    } finally {
      setUnderWay((count) => count - 1)
    }
  }

  return { send, isSending: underWay > 0 }
}
