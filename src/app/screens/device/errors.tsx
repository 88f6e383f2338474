import { useSyncExternalStore } from 'react'
import { formatMoment } from '#app/i18n/format.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { forgetErrors, onRecentErrors, recentErrors } from '#app/ui/feedback/recent-errors.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { Part } from './part.tsx'

/** The errors that toasts showed lately, as a toast disappears after a few seconds. DEVICE-5 */
export function Errors() {
  const { t } = useTranslation('device')
  const errors = useSyncExternalStore(onRecentErrors, recentErrors)
  if (errors.length === 0) return null
  return (
    <Part id="errors" title={t('ErrorsTitle')}>
      <p>{t('ErrorsText')}</p>
      <ul>
        {errors.map(({ at, text }) => (
          <li key={`${at} ${text}`}>
            <span className="soft">{formatMoment(at)}</span> {text}
          </li>
        ))}
      </ul>
      <div>
        <Button onClick={forgetErrors}>{t('ErrorsForget')}</Button>
      </div>
    </Part>
  )
}
