import { isApiError } from '#app/api/api-error.ts'
import { call } from '#app/api/call.ts'
import { currentLanguage } from '#app/i18n/current-language.ts'
import { instances, type SaveBody } from '#contract/instances.ts'
import { fetchResults, type LocalizedResults } from '#app/device/results.ts'
import type { InstanceKey } from '#app/device/store/stored.ts'
import { sendTrouble } from './send-trouble.ts'
import { SendFailure, type NetworkPort } from '#app/sync/sync.ts'

/** The sync core's network port, on calls of the contract. Nothing is sent as anybody but the owner. */
export function apiNetwork({ userId, instanceId }: InstanceKey): NetworkPort<LocalizedResults> {
  const params = { instanceId }
  return {
    save: (body) => trackSend(call(instances.saveResponses, { body: JSON.parse(body) as SaveBody }, { userId })),
    complete: async () => {
      await trackSend(call(instances.complete, { params }, { userId }))
    },
    results: () => trackSend(fetchResults({ userId, instanceId }, currentLanguage())),
  }
}

/** Awaits a call, notes its outcome in `sendTrouble`, and turns an `ApiError` into a `SendFailure`. */
export async function trackSend<T>(call: Promise<T>): Promise<T> {
  try {
    const reply = await call
    sendTrouble.noteReply()
    return reply
  } catch (error) {
    const failure = failureOf(error)
    if (isApiError(error) && failure instanceof SendFailure && failure.reason === 'unreachable') sendTrouble.noteFailure(error)
    else sendTrouble.noteReply()
    throw failure
  }
}

// answers wait until the owner has signed in (401) or the app is updated (426). SESSION-9, INSTALL-4
const WAITING_STATUSES = new Set([401, 426])

/** Only an error code of our own server is a refusal; a captive portal's page, a proxy's 403, a time-out or a 5xx is 'unreachable'. */
function failureOf(error: unknown): unknown {
  if (!isApiError(error)) return error
  const { code } = error
  if (code === undefined || error.isTransient || WAITING_STATUSES.has(error.status ?? 0))
    return new SendFailure('unreachable', code ?? error.kind)
  return new SendFailure('refused', code)
}
