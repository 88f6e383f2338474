import './dashboard.css'
import { useId, useRef, type ReactNode } from 'react'
import { reasonFor } from '#app/api/message-for.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { useKeepFocus } from '#app/ui/browser/use-keep-focus.ts'

interface PanelProps {
  title: string
  /** an offer is beside what the person has, where there is room */
  isOffer?: boolean
  children: ReactNode
}

/** A titled part of the dashboard. */
export function Panel({ title, isOffer = false, children }: PanelProps) {
  const id = useId()
  const part = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useKeepFocus(part, heading)
  return (
    <section ref={part} className={isOffer ? 'dashboard-panel dashboard-offer' : 'dashboard-panel'} aria-labelledby={id}>
      <h2 ref={heading} id={id} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  )
}

/** That the assessments could not be read, why, and Try again. ERRORS-4 */
export function LoadError({ error, onTryAgain }: { error: unknown; onTryAgain: () => void }) {
  const { t } = useTranslation(['home', 'errors'])
  const reason = reasonFor(error)
  return (
    <div className="notice row" role="alert">
      <div>
        <p>{t('ErrorLoadingAssessments')}</p>
        {reason && <p>{reason}</p>}
      </div>
      <Button onClick={onTryAgain}>{t('TryAgain')}</Button>
    </div>
  )
}
