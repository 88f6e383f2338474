/** /checkout/purchase-token: what a token is, the number of players and the price. TOKENS-2 to TOKENS-8 */
import { useId, useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { useLocation, useSearchParams } from 'wouter'
import { useOnlineOnly } from '#app/api/use-online-only.ts'
import '#app/parts/actions.css'
import { RoleGate } from '#app/parts/steps/role-gate.tsx'
import { paths } from '#app/paths.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { Page } from '#app/ui/layout/page.tsx'
import { countOfQuery } from './purchase-token/player-count.ts'
import { PlayerCountStepper } from './purchase-token/player-count-stepper.tsx'
import { PricingProblem } from './purchase-token/pricing-problem.tsx'
import styles from './purchase-token/purchase-token.module.css'
import { TokenBenefits } from './purchase-token/token-benefits.tsx'
import { TokenSummary } from './purchase-token/token-summary.tsx'
import { useTokenPricing } from './purchase-token/use-token-pricing.ts'

export default function PurchaseTokenScreen() {
  return (
    <RoleGate of="coach">
      <PurchaseToken />
    </RoleGate>
  )
}

function PurchaseToken() {
  const { t } = useTranslation('checkout')
  const [search] = useSearchParams()
  const [, navigate] = useLocation()
  const formId = useId()
  const { pricing, hasFailed, retry } = useTokenPricing()
  const { unavailable, whenReachable } = useOnlineOnly()
  const [count, setCount] = useState(() => countOfQuery(search.get('count')))
  const reason = unavailable ?? (hasFailed ? t('PricingNeeded') : undefined)

  const proceed = () => {
    if (hasFailed) return retry()
    // so that Back returns to the chosen count
    navigate(paths.purchaseToken(count), { replace: true })
    navigate(paths.purchaseTokenPayment(count))
  }

  return (
    <Page
      title={t('PurchaseTokens')}
      intro={t('PurchaseTokensIntro')}
      width="middle"
      breadcrumbs={[{ label: t('Dashboard'), href: paths.home() }, { label: t('PurchaseTokens') }]}
    >
      <div className={styles.columns}>
        <form
          id={formId}
          className={styles.column}
          onSubmit={(event) => {
            event.preventDefault()
            proceed()
          }}
        >
          <TokenBenefits pricing={pricing} hasFailed={hasFailed} />
          <PlayerCountStepper count={count} onCount={setCount} />
        </form>
        <div className={styles.column}>
          <TokenSummary count={count} pricing={pricing} />
          {hasFailed && <PricingProblem onRetry={retry} />}
        </div>
      </div>
      <div className="actions">
        <Button
          type="submit"
          form={formId}
          variant="primary"
          unavailable={reason}
          onClick={() => {
            // an unavailable button does not submit: a tap checks the connection again (OFFLINE-2)
            if (reason !== undefined) whenReachable(proceed)
          }}
        >
          {t('ContinueToPayment')}
        </Button>
      </div>
    </Page>
  )
}
