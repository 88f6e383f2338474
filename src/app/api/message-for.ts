import { formatTime } from '#app/i18n/figures.ts'
import { i18n } from '#app/i18n/i18n.ts'
import { isApiError } from './api-error.ts'

/**
 * The one place where a failure becomes words (design 3.6): known code → the server's message → the screen's fallback.
 * `fallback` is a key with its namespace: `home:FailedToReclaim`. Without one, the kind of failure is said (§7).
 */
export function messageFor(error: unknown, fallback?: string): string {
  const kind = isApiError(error) ? error : undefined
  const seconds = kind?.retryAfterSeconds ?? 0
  if (kind?.code === 'TOO_MANY_REQUESTS' && seconds >= LONG_WAIT_SECONDS) return waitWords(Date.now() + seconds * 1000)
  if (kind?.code && i18n.exists(`errors:${kind.code}`)) return i18n.t(`errors:${kind.code}`)
  if (kind?.refusal?.message) return kind.refusal.message
  if (fallback) return i18n.t(fallback)
  return i18n.t(kind && kind.kind !== 'HTTP' ? `errors:${kind.kind}` : 'errors:UNEXPECTED')
}

/** Its own words ask for a moment, which this is not. */
const LONG_WAIT_SECONDS = 120

function waitWords(until: number): string {
  const isToday = new Date(until).toDateString() === new Date().toDateString()
  return i18n.t(isToday ? 'errors:WAIT_UNTIL' : 'errors:WAIT_UNTIL_TOMORROW', { time: formatTime(until) })
}

/** The fields a refusal names, each with the key of its words in `fields.json`. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  return (isApiError(error) && error.refusal?.fields) || {}
}
