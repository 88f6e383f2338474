import { useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import { ApiError } from '#app/api/api-error.ts'
import { messageFor } from '#app/api/message-for.ts'
import { useMoment } from '#app/i18n/use-moment.ts'
import { i18n } from '#app/i18n/i18n.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { forgetErrors, onRecentErrors, recentErrors, type RecentError } from '#app/ui/feedback/recent-errors.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { Part } from '#app/ui/layout/part.tsx'

/** `Failed`, from JSON: an `ApiError` has lost its class, and other errors all that they say. */
const failed = z.union([
  z.string(),
  z.object({
    error: z.object({
      kind: z.enum(['FETCH_ERROR', 'TIMEOUT_ERROR', 'PARSING_ERROR', 'HTTP']),
      status: z.optional(z.number()),
      data: z.optional(z.unknown()),
      retryAfterSeconds: z.optional(z.number()),
      at: z.number(),
    }),
    fallback: z.optional(z.string()),
  }),
])

function keyOf(error: RecentError): string | undefined {
  const { data } = failed.safeParse(error.failed)
  return typeof data === 'string' ? data : data?.fallback
}

const areaOf = (error: RecentError) => keyOf(error)?.split(':')[0] ?? []

/** The error in the screen's language; as it was first shown if its translation key is not known. */
function textOf({ text, language, failed: stored }: RecentError): string {
  const { data } = failed.safeParse(stored)
  if (language === i18n.language || data === undefined) return text
  if (typeof data === 'string') return i18n.exists(data) ? i18n.t(data) : text
  const { error, fallback } = data
  // what JSON leaves out is never `undefined`
  const failure = new ApiError(error as ConstructorParameters<typeof ApiError>[0])
  return messageFor(Object.assign(failure, { at: error.at }), fallback)
}

/** The whole part disappears, so what follows takes the focus. */
function forget(): void {
  document.getElementById('version')?.focus({ preventScroll: true })
  forgetErrors()
}

/** The errors that toasts showed lately, as a toast disappears after a few seconds. DEVICE-5 */
export function Errors() {
  const errors = useSyncExternalStore(onRecentErrors, recentErrors)
  const moment = useMoment()
  const { t } = useTranslation(['device', 'errors', ...new Set(errors.flatMap(areaOf))])
  if (errors.length === 0) return null
  return (
    <Part id="errors" title={t('ErrorsTitle')}>
      <p>{t('ErrorsText')}</p>
      <ul>
        {errors.map((error) => (
          <li key={`${error.at} ${error.text}`}>
            <span className="soft">{moment(error.at)}</span> {textOf(error)}
          </li>
        ))}
      </ul>
      <div>
        <Button onClick={forget}>{t('ErrorsForget')}</Button>
      </div>
    </Part>
  )
}
