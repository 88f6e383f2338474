import { isApiError } from '#app/api/api-error.ts'
import { messageFor } from '#app/api/message-for.ts'
import { i18n } from '#app/i18n/i18n.ts'
import type { ErrorCode } from '#contract/errors.ts'

/** What these codes mean where a coach sends again or takes back. §8: the instance of a row is gone */
const MEANT: Partial<Record<ErrorCode, string>> = {
  NOT_FOUND: 'home:InstanceNotFound',
  ALREADY_COMPLETED: 'home:TokenCompletedMeanwhile',
}

export function tokenTrouble(error: unknown, fallback: string): string {
  const key = isApiError(error) && error.code ? MEANT[error.code] : undefined
  return key ? i18n.t(key) : messageFor(error, fallback)
}

/** It would be answered the same again: the row is to be read anew, and the dialog has nothing left to ask. */
export function isSettled(error: unknown): boolean {
  return isApiError(error) && (error.status === 404 || error.status === 409 || error.code === 'RESEND_LIMIT')
}
