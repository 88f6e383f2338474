import { isApiError } from '#app/api/api-error.ts'
import { messageFor } from '#app/api/message-for.ts'
import { invalidateTags } from '#app/api/query-port.ts'
import { serverNow } from '#app/api/server-clock.ts'
import { formatMoment } from '#app/i18n/moments.ts'
import { i18n } from '#app/i18n/i18n.ts'
import type { Failed, WordsKey } from '#app/ui/feedback/recent-errors.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { instancesForCoach } from '#contract/instances.coach.ts'

/** Codes that have a text of their own when a coach resends, reclaims or corrects. ASSIGN-25 */
const MESSAGES: Partial<Record<ErrorCode, WordsKey>> = {
  NOT_FOUND: 'home:InstanceNotFound',
  ALREADY_COMPLETED: 'tokens:TokenCompletedMeanwhile',
}

/** What failed, for /device. */
export function tokenFailure(error: unknown, fallback: WordsKey): Failed {
  return (isApiError(error) && error.code && MESSAGES[error.code]) || { error, fallback }
}

/** The text for a failed action on a token that was assigned; after a long limit, with the time from which it can be repeated. */
export function tokenTrouble(error: unknown, fallback: string): string {
  const key = isApiError(error) && error.code ? MESSAGES[error.code] : undefined
  return withPossibleFrom(error, key ? i18n.t(key) : messageFor(error, fallback))
}

/** The text for an assessment that could not be allocated. ASSIGN-6 */
export function allocationTrouble(error: unknown): string {
  return withPossibleFrom(error, messageFor(error, 'tokens:AllocateFailed'))
}

function withPossibleFrom(error: unknown, text: string): string {
  const until = possibleFrom(error)
  return until === undefined ? text : `${text} ${possibleFromText(until)}`
}

/** Limits that last hours or days: people would retry too early without a time. */
const LONG_WAITS = new Set<string | undefined>(['ADDRESS_LIMIT', 'ALLOCATION_LIMIT'] satisfies ErrorCode[])

/** Epoch ms by the server's clock from which the action can be repeated; undefined if the error is not a long limit. */
export function possibleFrom(error: unknown): number | undefined {
  if (!isApiError(error) || error.retryAfterSeconds === undefined || !LONG_WAITS.has(error.code)) return undefined
  return serverNow() + error.retryAfterSeconds * 1000
}

export function possibleFromText(until: number): string {
  const byDevice = until - serverNow() + Date.now()
  return i18n.t('tokens:PossibleFrom', { when: formatMoment(byDevice) })
}

const FINAL = new Set<string | undefined>(['RESEND_LIMIT', 'ADDRESS_LIMIT'] satisfies ErrorCode[])

/** Whether a retry would be refused again: the dialog then calls `refetchAssigned` and closes. */
export function isSettled(error: unknown): boolean {
  return isApiError(error) && (error.refusedWith(404, 409) || FINAL.has(error.code))
}

/** Refetches everything that shows an assigned token: the coach's tokens, figures and team. */
export function refetchAssigned(): void {
  invalidateTags(instancesForCoach.reclaim.changes)
}

/** Key of the text for an unknown outcome: no reply came, or the server failed midway. undefined if the outcome is known. */
export function unsureOf(error: unknown): 'AddressUnknown' | 'AllocateUnsure' | undefined {
  if (!isApiError(error) || !error.isOutcomeUnknown) return undefined
  return error.kind === 'HTTP' ? 'AllocateUnsure' : 'AddressUnknown'
}
