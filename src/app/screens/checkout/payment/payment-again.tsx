import { useEffect, useState } from 'react'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { DashboardLink } from '#app/parts/dashboard-link.tsx'
import { shownCardForm } from '#app/parts/steps/last-checkout.ts'
import { Button } from '#app/ui/forms/button.tsx'

// reached by the browser's Back, perhaps after paying on the provider's page: nothing else hints at a second payment
let isBack = performance
  .getEntriesByType('navigation')
  .some((entry) => entry.name === location.href && (entry as PerformanceNavigationTiming).type === 'back_forward')

/**
 * Whether to ask before a card form, as an earlier payment may have gone through: the page was reached by Back, or this browser showed
 * the card form of another session here, which has ended since. `proceed` is the answer. BUY-18
 */
export function usePaymentAgain(): { hasReturned: boolean; hasEnded: (sessionId: string) => boolean; proceed: () => void } {
  const userId = useReaderId()
  const [hasReturned] = useState(isBack)
  const [shown] = useState(() => (userId === undefined ? undefined : shownCardForm(location.pathname + location.search, userId)))
  const [hasProceeded, setHasProceeded] = useState(false)
  useEffect(() => {
    // applies to the page that was loaded, not to later navigation in the app
    isBack = false
  }, [])
  return {
    hasReturned: hasReturned && !hasProceeded,
    hasEnded: (sessionId) => shown !== undefined && shown !== sessionId && !hasProceeded,
    proceed: () => setHasProceeded(true),
  }
}

/** How often Back has shown this page as it was left, with the card form of that time: each is a visit of its own. */
export function useVisit(): number {
  const [visit, setVisit] = useState(0)
  useEffect(() => {
    const note = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      isBack = true
      setVisit((before) => before + 1)
    }
    addEventListener('pageshow', note)
    return () => removeEventListener('pageshow', note)
  }, [])
  return visit
}

/** Asks before a second payment. */
export function PaymentAgain({ onProceed }: { onProceed: () => void }) {
  const { t } = useTranslation('checkout')
  return (
    <div className="notice notice-wait stack">
      <p>{t('PaymentAgain')}</p>
      <div className="row">
        <DashboardLink variant="primary" />
        <Button onClick={onProceed}>{t('PaymentAgainGoOn')}</Button>
      </div>
    </div>
  )
}
