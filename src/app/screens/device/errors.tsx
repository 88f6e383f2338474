import { useState } from 'react'
import { formatMoment } from '#app/i18n/format.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { forgetErrors, recentErrors } from '#app/ui/feedback/recent-errors.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { Part } from './part.tsx'

/** The errors that toasts showed lately, as a toast disappears after a few seconds. DEVICE-5 */
export function Errors() {
  const { t } = useTranslation('device')
  const [errors, setErrors] = useState(recentErrors)
  if (errors.length === 0) return null
  const forget = () => {
    forgetErrors()
    setErrors([])
  }
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
        <Button onClick={forget}>{t('ErrorsForget')}</Button>
      </div>
    </Part>
  )
}
