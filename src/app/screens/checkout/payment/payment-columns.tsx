import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import '#app/parts/grass.css'
import styles from './payment.module.css'

interface Props {
  summary: ReactNode
  /** details of what is bought; last on a phone */
  about?: ReactNode
  /** the card form, or what replaces it */
  children: ReactNode
}

/** What is bought, beside the card form. */
export function PaymentColumns({ summary, about, children }: Props) {
  const { t } = useTranslation('checkout')
  return (
    <div className={styles.columns}>
      {summary}
      <section aria-labelledby="card-payment" className={styles.column}>
        <h2 id="card-payment">{t('CardPayment')}</h2>
        {children}
      </section>
      {about}
    </div>
  )
}

/** Shown until it is known what is bought and what it costs. */
export function PaymentColumnsSkeleton({ summary = <div className={`grass ${styles.placeSummary}`} /> }: { summary?: ReactNode }) {
  const { t } = useTranslation('ui')
  return (
    <PaymentColumns summary={summary}>
      <div role="status" aria-busy="true" className={styles.place}>
        <span className="visually-hidden">{t('Loading')}</span>
      </div>
    </PaymentColumns>
  )
}
