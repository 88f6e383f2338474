import { useId } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { AssessmentName } from '#app/parts/assessment/assessment-name.tsx'
import '#app/parts/grass.css'
import { costOf, Price } from '#app/parts/assessment/price.tsx'
import type { Assessment } from '#contract/assessments.ts'
import styles from './payment.module.css'

/** What is being bought, and for how much. BUY-2, BUY-4 */
export function PriceSummary({ assessment }: { assessment: Assessment }) {
  const headingId = useId()
  const cost = costOf(assessment)
  return (
    <section aria-labelledby={headingId} className={`grass ${styles.summary}`}>
      <h2 id={headingId}>
        <AssessmentName name={assessment.name} />
      </h2>
      {cost && (
        <p className={styles.total}>
          <Price cost={cost} />
        </p>
      )}
    </section>
  )
}

/** More about what is being bought; on a phone below the card form. */
export function PurchaseDetails({ assessment }: { assessment: Assessment }) {
  const { t } = useTranslation('checkout')
  return (
    <div className={styles.about}>
      <p className={styles.tagline}>{assessment.tagline}</p>
      <p>{assessment.description}</p>
      <p className="soft">{t('EstimatedMinutes', { count: assessment.estimatedTimeMinutes })}</p>
    </div>
  )
}
