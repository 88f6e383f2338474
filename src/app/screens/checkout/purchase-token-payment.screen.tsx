/** /checkout/purchase-token/payment?count=: the order's total and the card form. TOKENS-4 to TOKENS-7 */
import { useEffect } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { useSearchParams } from 'wouter'
import { useReachable } from '#app/api/use-network-state.ts'
import { useSend } from '#app/api/use-send.ts'
import { DashboardLink } from '#app/parts/dashboard-link.tsx'
import { RoleGate } from '#app/parts/steps/role-gate.tsx'
import { paths } from '#app/paths.ts'
import { Page } from '#app/ui/layout/page.tsx'
import { tokens } from '#contract/tokens.ts'
import { CardForm } from './payment/card-form.tsx'
import { usePaymentAgain, useVisit } from './payment/payment-again.tsx'
import { PaymentColumns, PaymentColumnsSkeleton } from './payment/payment-columns.tsx'
import { countOfQuery } from './purchase-token/player-count.ts'
import { PricingProblem } from './purchase-token/pricing-problem.tsx'
import { TokenSummary } from './purchase-token/token-summary.tsx'
import { useCheckoutSession } from './payment/use-checkout-session.ts'
import { useTokenPricing, type TokenPricing } from './purchase-token/use-token-pricing.ts'

export default function PurchaseTokenPaymentScreen() {
  const { t } = useTranslation('checkout')
  const [search] = useSearchParams()
  const count = countOfQuery(search.get('count'))
  return (
    <RoleGate of="coach">
      <Page
        title={t('TokenCheckout')}
        width="middle"
        breadcrumbs={[
          { label: t('Dashboard'), href: paths.home() },
          { label: t('PurchaseTokens'), href: paths.purchaseToken(count) },
          { label: t('TokenCheckout') },
        ]}
      >
        <PricedPayment key={count} count={count} />
      </Page>
    </RoleGate>
  )
}

function PricedPayment({ count }: { count: number }) {
  const { t } = useTranslation('checkout')
  const { pricing, hasFailed, retry } = useTokenPricing()
  const visit = useVisit()
  if (pricing) return <Payment key={visit} count={count} pricing={pricing} />
  if (!hasFailed) return <PaymentColumnsSkeleton summary={<TokenSummary count={count} pricing={undefined} note={t('BenefitOneToken')} />} />
  return (
    <PricingProblem onRetry={retry}>
      <DashboardLink />
    </PricingProblem>
  )
}

/** Sends the price id and the quantity; the server computes the amount. BUY-11 */
function Payment({ count, pricing }: { count: number; pricing: TokenPricing }) {
  const { t } = useTranslation('checkout')
  const isReachable = useReachable()
  const { send } = useSend(tokens.checkout)
  const { priceId } = pricing
  const { send: verify } = useSend(tokens.completeCheckout)
  const question = usePaymentAgain((sessionId) => verify({ body: { session_id: sessionId } }))
  const session = useCheckoutSession({
    open: () => send({ params: { priceId: priceId ?? '', quantity: String(count) } }),
    isEnabled: priceId !== undefined && isReachable && !question.isPending && !question.hasReturned,
  })
  const failure = session.step === 'failed' ? session.error : undefined
  const isUnavailable = priceId === undefined || failure !== undefined
  useEffect(() => {
    if (isUnavailable) console.error('No token checkout', failure)
  }, [isUnavailable, failure])

  return (
    <PaymentColumns summary={<TokenSummary count={count} pricing={pricing} note={t('BenefitOneToken')} />}>
      <CardForm
        session={session}
        question={question}
        trouble={isUnavailable ? t('TokenCheckoutUnavailable') : undefined}
        wayOut={isUnavailable ? <DashboardLink /> : undefined}
      />
    </PaymentColumns>
  )
}
