import { useEffect, useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link } from 'wouter'
import { paths } from '#app/paths.ts'
import { Button } from '#app/ui/forms/button.tsx'

// loaded by the browser's Back, as after a payment on the provider's page: the only sign that this would be a second one
let isBack = performance
  .getEntriesByType('navigation')
  .some((entry) => entry.name === location.href && (entry as PerformanceNavigationTiming).type === 'back_forward')

/** Asks before a second payment is opened on returning to this page: the first may have gone through. */
export function useReturnedByBack(): { hasReturned: boolean; proceed: () => void } {
  const [hasReturned, setHasReturned] = useState(isBack)
  useEffect(() => {
    // only where one arrived
    isBack = false
  }, [])
  return { hasReturned, proceed: () => setHasReturned(false) }
}

export function PaymentAgain({ onProceed }: { onProceed: () => void }) {
  const { t } = useTranslation('checkout')
  return (
    <div className="notice notice-wait stack">
      <p>{t('PaymentAgain')}</p>
      <div className="row">
        <Link href={paths.home()} className="button button-primary">
          {t('ReturnToDashboard')}
        </Link>
        <Button onClick={onProceed}>{t('PaymentAgainGoOn')}</Button>
      </div>
    </div>
  )
}
