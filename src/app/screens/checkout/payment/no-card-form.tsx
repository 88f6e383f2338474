import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { useLocation } from 'wouter'
import { useReachable } from '#app/api/use-network-state.ts'
import { paths } from '#app/paths.ts'
import { Button } from '#app/ui/forms/button.tsx'
import styles from './payment.module.css'
import type { CheckoutSession } from './use-checkout-session.ts'

interface Props {
  session: CheckoutSession
  /** why there is no card form, as a translated text */
  trouble: string | undefined
  /** by default a Back button */
  wayOut?: ReactNode
}

/** Shown in place of the card form while there is no session: the state or the toast's error again, and a way back. BUY-5, BUY-7 */
export function NoCardForm({ session, trouble, wayOut = <BackButton /> }: Props) {
  const { t } = useTranslation('checkout')
  const isReachable = useReachable()
  return (
    <div className={styles.place}>
      <div role="status" className="stack">
        {trouble && <p className="notice notice-refused">{trouble}</p>}
        {session.step === 'failed' && session.hasNoSecret && <p>{t('NoClientSecret')}</p>}
        {!trouble && !isReachable && <p className="notice">{t('CheckoutNeedsConnection')}</p>}
        {!trouble && isReachable && (
          <p className={styles.processing}>
            <span className="spinner" />
            {t('Processing')}
          </p>
        )}
      </div>
      <div className="row">
        {wayOut}
        {session.step === 'failed' && (
          <Button variant="primary" onClick={session.retry}>
            {t('TryAgain')}
          </Button>
        )}
      </div>
    </div>
  )
}

function BackButton() {
  const { t } = useTranslation('checkout')
  const [, navigate] = useLocation()
  return (
    <Button
      onClick={() => {
        // opened by its URL, with nothing to go back to
        if (history.length > 1) history.back()
        else navigate(paths.home())
      }}
    >
      {t('Back')}
    </Button>
  )
}
