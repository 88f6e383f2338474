import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link } from 'wouter'
import { DashboardLink } from '#app/parts/dashboard-link.tsx'
import { lastCheckout } from '#app/parts/steps/last-checkout.ts'
import { SettingsLink } from '#app/parts/person/settings-link.tsx'
import { Button } from '#app/ui/forms/button.tsx'
import { Page } from '#app/ui/layout/page.tsx'
import '#app/parts/actions.css'
import type { PaymentReturn, Why } from './payment-return.ts'

/** The payment return's page: processing, not verified yet, or failed. BUY-12 to BUY-14 */
export function PaymentReturnView({ state, onRetry }: { state: PaymentReturn; onRetry: () => void }) {
  const { t } = useTranslation('stripe')
  switch (state.step) {
    case 'failed':
      return (
        <Page key="failed" title={t('PaymentFailed')} intro={<p role="alert">{t(state.isOfOther ? 'PaymentOfOther' : 'PaymentIssue')}</p>}>
          <SettingsLink to="contact" otherwise={null}>
            {t('ContactUs')}
          </SettingsLink>
          <FailedActions />
        </Page>
      )
    case 'verifying':
    case 'unverified':
    case 'complete':
      return state.step === 'unverified' || (state.step === 'verifying' && state.attempt > 1) ? (
        <Unverified why={state.why ?? 'unanswered'} isRetrying={state.step === 'verifying'} onRetry={onRetry} />
      ) : (
        <Page key="processing" title={t('ProcessingPayment')}>
          <p role="status" className="row message">
            <span className="spinner" />
            {t('ProcessingPaymentNote')}
          </p>
        </Page>
      )
  }
}

/** Links to the payment page that this tab opened, if any, and to the dashboard. */
function FailedActions() {
  const { t } = useTranslation('stripe')
  const checkout = lastCheckout()
  return (
    <div className="actions message">
      {checkout && (
        <Link href={checkout} className="button button-primary">
          {t('TryAgain')}
        </Link>
      )}
      <DashboardLink variant={checkout ? 'plain' : 'primary'} />
    </div>
  )
}

const TEXT_KEYS = {
  unreachable: { title: 'NotVerifiedTitle', text: 'NotVerified' },
  unanswered: { title: 'NotVerifiedTitle', text: 'NotVerifiedByServer' },
  paid: { title: 'PaidTitle', text: 'Paid' },
} as const

/** Looks the same while it retries: a page that changes every few seconds is alarming. */
function Unverified({ why, isRetrying, onRetry }: { why: Why; isRetrying: boolean; onRetry: () => void }) {
  const { t } = useTranslation('stripe')
  const { title, text } = TEXT_KEYS[why]
  return (
    <Page key="unverified" title={t(title)}>
      <div role="status" className="notice notice-wait stack">
        <p>{t(text)}</p>
        <p>{t('NotVerifiedRetry')}</p>
      </div>
      <div className="actions message">
        <Button variant="primary" isBusy={isRetrying} onClick={onRetry}>
          {t('VerifyNow')}
        </Button>
        <DashboardLink variant="quiet" />
      </div>
    </Page>
  )
}
