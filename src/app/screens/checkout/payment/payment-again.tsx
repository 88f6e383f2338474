import { useEffect, useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { DashboardLink } from '#app/parts/dashboard-link.tsx'
import { Button } from '#app/ui/forms/button.tsx'

// reached by the browser's Back, perhaps after paying on the provider's page: nothing else hints at a second payment
let isBack = performance
  .getEntriesByType('navigation')
  .some((entry) => entry.name === location.href && (entry as PerformanceNavigationTiming).type === 'back_forward')

/** Whether this page was reached by Back, and a function to proceed anyway: the first payment may have gone through. */
export function useReturnedByBack(): { hasReturned: boolean; proceed: () => void } {
  const [hasReturned, setHasReturned] = useState(isBack)
  useEffect(() => {
    // applies to the page that was loaded, not to later navigation in the app
    isBack = false
  }, [])
  return { hasReturned, proceed: () => setHasReturned(false) }
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
