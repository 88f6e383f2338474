import './dashboard.css'
import { useId, useRef, type ReactNode } from 'react'
import { reasonFor } from '#app/api/message-for.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { useKeepFocus } from '#app/ui/browser/use-keep-focus.ts'

interface PanelProps {
  title: string
  /** an offer: beside the other panels if there is room */
  isOffer?: boolean
  children: ReactNode
}

/** A titled section of the dashboard. */
export function Panel({ title, isOffer = false, children }: PanelProps) {
  const id = useId()
  const section = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useKeepFocus(section, heading)
  return (
    <section ref={section} className={isOffer ? 'dashboard-panel dashboard-offer' : 'dashboard-panel'} aria-labelledby={id}>
      <h2 ref={heading} id={id} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  )
}

/** Says that the assessments could not be read and why, with a Try again button. ERRORS-4 */
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
