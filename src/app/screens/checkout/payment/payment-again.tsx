import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { isApiError } from '#app/api/api-error.ts'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { DashboardLink } from '#app/parts/dashboard-link.tsx'
import { noteSettled, shownCardForm, unsettledElsewhere } from '#app/parts/steps/last-checkout.ts'
import { onReturn } from '#app/ui/browser/on-return.ts'
import { Button } from '#app/ui/forms/button.tsx'

// reached by the browser's Back, perhaps after paying on the provider's page: nothing else hints at a second payment
let isBack = performance
  .getEntriesByType('navigation')
  .some((entry) => entry.name === location.href && (entry as PerformanceNavigationTiming).type === 'back_forward')

export interface PaymentQuestion {
  /** nothing is known yet: no session may be opened */
  isPending: boolean
  hasReturned: boolean
  hasEnded: (sessionId: string) => boolean
  proceed: () => void
}

/**
 * Whether to ask before a card form, as an earlier payment may have gone through: the page was reached by Back, or this browser showed
 * the card form of another session here, which has ended since, or of one for another count, which was paid. `proceed` is the answer.
 * BUY-18
 * @param verify asks the API for the status of a session for another count
 */
export function usePaymentAgain(verify?: (sessionId: string) => Promise<{ status: string }>): PaymentQuestion {
  const userId = useReaderId()
  const [hasReturned] = useState(isBack)
  const [shown] = useState(() => (userId === undefined ? undefined : shownCardForm(location.pathname + location.search, userId)))
  const [elsewhere] = useState(() => (userId === undefined || !verify ? [] : unsettledElsewhere(location, userId)))
  const page = useId()
  const paid = useQuery({
    queryKey: ['paid-elsewhere', page],
    queryFn: async () => {
      const outcomes = await Promise.all(elsewhere.map(async (sessionId) => (await mayBePaid(sessionId, verify)) && sessionId))
      return outcomes.filter((sessionId) => sessionId !== false)
    },
    enabled: elsewhere.length > 0,
    gcTime: 1_000,
    retry: false,
  })
  const [hasProceeded, setHasProceeded] = useState(false)
  useEffect(() => {
    // applies to the page that was loaded, not to later navigation in the app
    isBack = false
  }, [])
  return {
    isPending: elsewhere.length > 0 && paid.isPending,
    hasReturned: (hasReturned || (paid.data?.length ?? 0) > 0) && !hasProceeded,
    hasEnded: (sessionId) => shown !== undefined && shown !== sessionId && !hasProceeded,
    proceed: () => {
      paid.data?.forEach(noteSettled)
      setHasProceeded(true)
    },
  }
}

/** False only if the server says that it was not paid. */
async function mayBePaid(sessionId: string, verify?: (sessionId: string) => Promise<{ status: string }>): Promise<boolean> {
  try {
    return (await verify?.(sessionId))?.status === 'complete'
  } catch (error) {
    return !isApiError(error) || (error.code !== 'PAYMENT_NOT_COMPLETE' && error.code !== 'NOT_FOUND')
  }
}

/** How often Back has shown this page as it was left, with the card form of that time: each is a visit of its own. */
export function useVisit(): number {
  const [visit, setVisit] = useState(0)
  useEffect(
    () =>
      onReturn(() => {
        isBack = true
        setVisit((before) => before + 1)
      }),
    [],
  )
  return visit
}

/** Asks before a second payment. */
export function PaymentAgain({ onProceed }: { onProceed: () => void }) {
  const { t } = useTranslation('checkout')
  return (
    <div className="notice notice-wait stack">
      <p role="alert">{t('PaymentAgain')}</p>
      <div className="row">
        <DashboardLink variant="primary" />
        <Button onClick={onProceed}>{t('PaymentAgainGoOn')}</Button>
      </div>
    </div>
  )
}
