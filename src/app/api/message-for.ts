import { formatTime } from '#app/i18n/times.ts'
import { i18n } from '#app/i18n/i18n.ts'
import { PartNotFetched } from '#app/lost-part.ts'
import { LONG_WAIT_SECONDS } from '#contract/constants.ts'
import { dateText } from '#contract/rules/dates.ts'
import { isApiError, originOf, type ApiError } from './api-error.ts'

/** Network Authentication Required: a captive portal's */
const NETWORK_SIGN_IN = 511

/**
 * The text shown for a failure (ERRORS-3): by its error code, else the server's message, else the screen's fallback, else by the
 * kind of failure (API-3). All screens use it.
 * @param fallback translation key with its namespace, as `tokens:ReclaimFailed`
 */
export function messageFor(error: unknown, fallback?: string): string {
  if (isStorageFull(error)) return i18n.t('errors:STORAGE_FULL')
  const kind = isApiError(error) ? originOf(error) : undefined
  const known = kind?.code && textOf(kind.code, kind)
  if (known) return known
  if (kind?.refusal?.message) return kind.refusal.message
  if (fallback && i18n.exists(fallback)) return i18n.t(fallback)
  // no call failed, but there was no connection either
  if (error instanceof PartNotFetched) return i18n.t('errors:FETCH_ERROR')
  return (kind && textOf(codeFor(kind), kind)) ?? i18n.t('errors:UNEXPECTED')
}

/** The key in `errors.json`: the refusal's code; without one that of its kind, and of the status if something on the way replied. */
export function codeFor({ code, kind, status = 0 }: ApiError): string {
  if (code !== undefined) return code
  if (kind !== 'HTTP') return kind
  if (status === 429) return 'TOO_MANY_REQUESTS'
  return (status >= 500 && status !== NETWORK_SIGN_IN) || status === 408 ? 'UNAVAILABLE' : 'PARSING_ERROR'
}

/** Local storage or IndexedDB has no room for what was to be stored. */
function isStorageFull(error: unknown): boolean {
  return error instanceof Error && error.name === 'QuotaExceededError'
}

/**
 * Why a read failed for a transient reason, to be shown after a sentence that says what failed; undefined if there is nothing to
 * add to that sentence.
 */
export function reasonFor(error: unknown): string | undefined {
  if (!isApiError(error) || !error.isTransient) return undefined
  return messageFor(error)
}

function textOf(code: string, { at, retryAfterSeconds = 0 }: ApiError): string | undefined {
  if (code === 'TOO_MANY_REQUESTS' && retryAfterSeconds >= LONG_WAIT_SECONDS) return waitText(at + retryAfterSeconds * 1000)
  return i18n.exists(`errors:${code}`) ? i18n.t(`errors:${code}`) : undefined
}

/** Shown for as long as the screen is open, so it never says "tomorrow". */
function waitText(until: number): string {
  const at = new Date(until)
  const isWithin = (days: number) => at < new Date(new Date().setHours(24 * days, 0, 0, 0))
  const time = formatTime(until)
  if (isWithin(1)) return i18n.t('errors:WAIT_UNTIL', { time })
  const day = dateText(at, i18n.language, { day: 'numeric', month: 'long' })
  return isWithin(2) ? i18n.t('errors:WAIT_UNTIL_DAY_AND_TIME', { day, time }) : i18n.t('errors:WAIT_UNTIL_DAY', { day })
}

/** The fields that a refusal names, each with its key in `fields.json`. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  return (isApiError(error) && error.refusal?.fields) || {}
}
