/** /checkout/{assessmentId}/payment: what is bought, and the card form. §2 Checkout area, §4 Payment states, ruling 33 */
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useParams } from 'wouter'
import { useReachable } from '#app/api/network.ts'
import { useCall } from '#app/api/use-call.ts'
import { useSend } from '#app/api/use-send.ts'
import { useKept } from '#app/parts/use-kept.ts'
import { paths } from '#app/paths.ts'
import { Button } from '#app/ui/button.tsx'
import { Page } from '#app/ui/page.tsx'
import { PageSkeleton } from '#app/ui/skeletons.tsx'
import { errorToast } from '#app/ui/toast.ts'
import { api } from '#contract/api.ts'
import type { Assessment } from '#contract/assessments.ts'
import { promotionPrice } from '#contract/rules/pricing.ts'
import { AssessmentNotFound } from './assessment-not-found.tsx'
import styles from './checkout.module.css'
import { EmbeddedCheckout } from './embedded-checkout.tsx'
import { PriceSummary } from './price-summary.tsx'
import { useCheckoutSession, type CheckoutSession } from './use-checkout-session.ts'

export default function PaymentScreen() {
  const { t } = useTranslation('checkout')
  const { assessmentId } = useParams<{ assessmentId: string }>()
  const assessment = useCall(api.assessments.get, { params: { id: assessmentId } })
  const known = useKept(assessment.data)
  if (!known) return assessment.isError ? <AssessmentNotFound onRetry={() => void assessment.refetch()} /> : <PageSkeleton />
  return (
    <Page
      title={t('PurchaseAssessment')}
      width="wide"
      breadcrumbs={[{ label: t('Home'), href: paths.home() }, { label: t('PurchaseAssessment') }]}
    >
      <Payment assessment={known} />
    </Page>
  )
}

function Payment({ assessment }: { assessment: Assessment }) {
  const isReachable = useReachable()
  const { send } = useSend(api.assessments.checkout)
  const price = promotionPrice(assessment.prices)
  const session = useCheckoutSession({
    ask: async () => send({ params: { priceId: price?.id ?? '' } }),
    isEnabled: price !== undefined && isReachable,
  })
  const trouble = price === undefined ? 'NoPromotionPrice' : session.step === 'failed' ? 'CheckoutUrlFailed' : undefined
  useTrouble(trouble)

  return (
    <div className={styles.columns}>
      <PriceSummary assessment={assessment} />
      <div className={styles.column}>
        {session.step === 'ready' ? (
          <EmbeddedCheckout clientSecret={session.clientSecret} />
        ) : (
          <NotReady session={session} trouble={trouble} isReachable={isReachable} />
        )}
      </div>
    </div>
  )
}

type Trouble = 'NoPromotionPrice' | 'CheckoutUrlFailed'

/** §8 Payment: toasts titled Error. */
function useTrouble(trouble: Trouble | undefined): void {
  const { t } = useTranslation('checkout')
  useEffect(() => {
    if (trouble) errorToast(t(trouble))
  }, [trouble, t])
}

interface NotReadyProps {
  session: CheckoutSession
  trouble: Trouble | undefined
  isReachable: boolean
}

/** Until the session is there: a note, and the way back. A toast goes; what it said stays here with a way on. */
function NotReady({ session, trouble, isReachable }: NotReadyProps) {
  const { t } = useTranslation('checkout')
  const [, navigate] = useLocation()
  return (
    <>
      <div role="status" className="stack">
        {trouble && <p className="notice notice-refused">{t(trouble)}</p>}
        {!trouble && !isReachable && <p className="notice">{t('CheckoutNeedsConnection')}</p>}
        {!trouble && isReachable && (
          <p className={styles.processing}>
            <span className="spinner" />
            {t('Processing')}
          </p>
        )}
      </div>
      <div className="row">
        <Button
          onClick={() => {
            // Opened by its address there is nothing to go back to
            if (history.length > 1) history.back()
            else navigate(paths.home())
          }}
        >
          {t('Back')}
        </Button>
        {session.step === 'failed' && (
          <Button look="primary" onClick={session.retry}>
            {t('TryAgain')}
          </Button>
        )}
      </div>
    </>
  )
}
