/** /checkout/{assessmentId}/payment: what is bought, and the card form. BUY-2 to BUY-8 */
import { useEffect } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { useParams } from 'wouter'
import { useReachable } from '#app/api/use-network-state.ts'
import { useCall } from '#app/api/use-call.ts'
import { useSend } from '#app/api/use-send.ts'
import { RoleGate } from '#app/parts/steps/role-gate.tsx'
import { StepLine } from '#app/parts/steps/step-line.tsx'
import { useLastDefined } from '#app/parts/use-last-defined.ts'
import { paths } from '#app/paths.ts'
import { Page } from '#app/ui/layout/page.tsx'
import { errorToast } from '#app/ui/feedback/toast.ts'
import { assessments } from '#contract/assessments.ts'
import type { Assessment } from '#contract/assessments.ts'
import { promotionPrice } from '#contract/rules/pricing.ts'
import { AssessmentNotFound } from './assessment-not-found.tsx'
import { CardForm } from './payment/card-form.tsx'
import { usePaymentAgain, useVisit } from './payment/payment-again.tsx'
import { PaymentColumns, PaymentColumnsSkeleton } from './payment/payment-columns.tsx'
import { PurchaseDetails, PriceSummary } from './payment/price-summary.tsx'
import { useCheckoutSession, type CheckoutSession } from './payment/use-checkout-session.ts'

export default function PaymentScreen() {
  return (
    <RoleGate of="player">
      <AssessmentPayment />
    </RoleGate>
  )
}

function AssessmentPayment() {
  const { t } = useTranslation('checkout')
  const { assessmentId } = useParams<{ assessmentId: string }>()
  const assessment = useCall(assessments.get, { params: { id: assessmentId } })
  const known = useLastDefined(assessment.data)
  const visit = useVisit()
  if (!known && assessment.isError) return <AssessmentNotFound error={assessment.error} onRetry={() => void assessment.refetch()} />
  return (
    <Page
      title={t('PurchaseAssessment')}
      intro={<StepLine way="bought" step="StepPayment" />}
      width="middle"
      breadcrumbs={[{ label: t('Home'), href: paths.home() }, { label: t('PurchaseAssessment') }]}
    >
      {known ? <Payment key={visit} assessment={known} /> : <PaymentColumnsSkeleton />}
    </Page>
  )
}

function Payment({ assessment }: { assessment: Assessment }) {
  const { t } = useTranslation('checkout')
  const isReachable = useReachable()
  const { send } = useSend(assessments.checkout)
  const price = promotionPrice(assessment.prices)
  const question = usePaymentAgain()
  const session = useCheckoutSession({
    open: async () => send({ params: { priceId: price?.id ?? '' } }),
    isEnabled: price !== undefined && isReachable && !question.hasReturned,
  })
  const trouble = troubleOf(price !== undefined, session)
  useTroubleToast(trouble)

  return (
    <PaymentColumns summary={<PriceSummary assessment={assessment} />} about={<PurchaseDetails assessment={assessment} />}>
      <CardForm session={session} question={question} trouble={trouble && t(trouble)} />
    </PaymentColumns>
  )
}

type Problem = 'NoPromotionPrice' | 'CheckoutUrlFailed'

function troubleOf(hasPrice: boolean, session: CheckoutSession): Problem | undefined {
  if (!hasPrice) return 'NoPromotionPrice'
  return session.step === 'failed' ? 'CheckoutUrlFailed' : undefined
}

/** The error toasts of BUY-6 and BUY-7. */
function useTroubleToast(trouble: Problem | undefined): void {
  useEffect(() => {
    if (trouble) errorToast(`checkout:${trouble}`)
  }, [trouble])
}
