import { useState } from 'react'
import { ERROR_WORDS_TIMEOUT_MS } from '#app/constants.ts'
import { loadErrorWords } from '#app/i18n/i18n.ts'
import type { Endpoint, ReplyOf } from '#contract/endpoint.ts'
import { isApiError } from './api-error.ts'
import { call } from './call.ts'
import type { CallArguments, CallOptions } from './call.ts'
import { invalidateChangedBy } from './query-port.ts'
import { unlessSignedOut } from './unless-signed-out.ts'
import { useReaderId } from './use-reader-id.ts'
import { withTimeout } from '#app/with-timeout.ts'

/**
 * A write of the contract, never queued (OFFLINE-2), as the person for whom the screen was drawn. Reads that it changes, or may have
 * changed, become stale. `send` rejects with `ApiError`, once its text can be shown, and never settles for somebody who has signed out
 * meanwhile, unless anyone may make the call.
 */
export function useSend<E extends Endpoint>(
  endpoint: E,
): { send: (...given: CallArguments<E, CallOptions>) => Promise<ReplyOf<E>>; isSending: boolean } {
  const [underWay, setUnderWay] = useState(0)
  const userId = useReaderId()

  async function send(...[request, options]: CallArguments<E, CallOptions>): Promise<ReplyOf<E>> {
    setUnderWay((count) => count + 1)
    try {
      const reply = await call(endpoint, ...([request, { userId, ...options }] as CallArguments<E, CallOptions>))
      invalidateChangedBy(endpoint)
      return reply
    } catch (error) {
      // at first the texts of errors are still loading
      await withTimeout(loadErrorWords(), ERROR_WORDS_TIMEOUT_MS, 'the texts of errors have not come').catch(() => undefined)
      // the write may have happened; and a conflict means that the screen shows old data
      if (!isApiError(error) || error.isOutcomeUnknown || error.refusedWith(409)) invalidateChangedBy(endpoint)
      throw error
    } finally {
      setUnderWay((count) => count - 1)
    }
  }

  const own = (...given: CallArguments<E, CallOptions>) => unlessSignedOut(() => send(...given))
  return { send: endpoint.access === 'anyone' ? send : own, isSending: underWay > 0 }
}
