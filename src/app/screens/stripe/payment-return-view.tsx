import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link } from 'wouter'
import { paths } from '#app/paths.ts'
import { Button } from '#app/ui/button.tsx'
import { Page } from '#app/ui/page.tsx'
import '#app/parts/actions.css'
import type { PaymentReturn } from './payment-return.ts'

/** The three things a payment return can say: processing, not verified yet, failed. §4 Payment return, ruling 24 */
export function PaymentReturnView({ state, onRetry }: { state: PaymentReturn; onRetry: () => void }) {
  const { t } = useTranslation('stripe')
  switch (state.step) {
    case 'failed':
      return (
        <Page key="failed" title={t('PaymentFailed')} intro={<p role="alert">{t('PaymentIssue')}</p>}>
          <div className="actions message">
            <Link href={paths.home()} className="button button-primary">
              {t('ReturnToDashboard')}
            </Link>
          </div>
        </Page>
      )
    case 'verifying':
    case 'unverified':
    case 'complete':
      return state.step === 'unverified' || (state.step === 'verifying' && state.attempt > 1) ? (
        <Unverified isAsking={state.step === 'verifying'} onRetry={onRetry} />
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

/** Stays as it is while it asks again: a page that changes every few seconds reads as trouble. */
function Unverified({ isAsking, onRetry }: { isAsking: boolean; onRetry: () => void }) {
  const { t } = useTranslation('stripe')
  return (
    <Page key="unverified" title={t('NotVerifiedTitle')}>
      <div role="status" className="notice notice-wait stack">
        <p>{t('NotVerified')}</p>
        <p>{t('NotVerifiedRetry')}</p>
      </div>
      <div className="actions message">
        <Button look="primary" isBusy={isAsking} onClick={onRetry}>
          {t('VerifyNow')}
        </Button>
        <Link href={paths.home()} className="button button-quiet">
          {t('ReturnToDashboard')}
        </Link>
      </div>
    </Page>
  )
}
