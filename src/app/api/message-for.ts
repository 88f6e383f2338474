import { i18n } from '#app/i18n/i18n.ts'
import { isApiError } from './api-error.ts'

/**
 * The one place where a failure becomes words (design 3.6): known code → the server's message → the screen's fallback.
 * `fallback` is a key with its namespace: `home:FailedToReclaimAssessment`.
 */
export function messageFor(error: unknown, fallback: string): string {
  if (isApiError(error)) {
    const code = error.kind === 'HTTP' ? error.code : error.kind
    if (code && i18n.exists(`errors:${code}`)) return i18n.t(`errors:${code}`)
    if (error.refusal?.message) return error.refusal.message
  }
  return i18n.t(fallback)
}

/** The fields a refusal names, each with the key of its words in `fields.json`. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  return (isApiError(error) && error.refusal?.fields) || {}
}
