import { i18n } from '#app/i18n/i18n.ts'
import { isApiError } from './api-error.ts'

/**
 * The one place where a failure becomes words (design 3.6): known code → the server's message → the screen's fallback.
 * `fallback` is a key with its namespace: `home:FailedToReclaim`. Without one, the kind of failure is said (§7).
 */
export function messageFor(error: unknown, fallback?: string): string {
  const kind = isApiError(error) ? error : undefined
  if (kind?.code && i18n.exists(`errors:${kind.code}`)) return i18n.t(`errors:${kind.code}`)
  if (kind?.refusal?.message) return kind.refusal.message
  if (fallback) return i18n.t(fallback)
  return i18n.t(kind && kind.kind !== 'HTTP' ? `errors:${kind.kind}` : 'errors:UNEXPECTED')
}

/** The fields a refusal names, each with the key of its words in `fields.json`. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  return (isApiError(error) && error.refusal?.fields) || {}
}
