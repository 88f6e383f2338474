import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { mediaUrl } from '#app/api/base-url.ts'
import { AssessmentName, plainName } from '#app/parts/assessment-name.tsx'
import { costOf, Price } from '#app/parts/price.tsx'
import type { Assessment } from '#contract/assessments.ts'
import styles from './home.module.css'

interface Props {
  assessment: Assessment
  /** the marketing site; absent until the settings are known */
  learnMore: string | undefined
  /** hidden in the coach's view */
  hasPrice: boolean
  /** the primary button */
  children?: ReactNode
}

/** One assessment on offer. §2 Available assessments */
export function AssessmentCard({ assessment, learnMore, hasPrice, children }: Props) {
  const { t } = useTranslation('home')
  const cost = hasPrice ? costOf(assessment) : undefined
  const sample = `${mediaUrl}sample/${encodeURIComponent(assessment.sampleReportFilename)}`
  return (
    <article className={`card ${styles.offer}`}>
      <div className={styles.about}>
        <h3>
          <AssessmentName name={assessment.name} />
        </h3>
        <p className={styles.tagline}>{assessment.tagline}</p>
        <p>{assessment.description}</p>
        <p className="soft">{t('EstimatedMinutes', { count: assessment.estimatedTimeMinutes })}</p>
        <div className={styles.actions}>
          <OutsideLink href={sample} about={assessment.name}>
            {t('SampleReport')}
          </OutsideLink>
          {learnMore && (
            <OutsideLink href={learnMore} about={assessment.name}>
              {t('LearnMore')}
            </OutsideLink>
          )}
        </div>
      </div>
      {(cost || children) && (
        <div className={styles.buy}>
          {cost && (
            <p className={styles.price}>
              <Price cost={cost} />
            </p>
          )}
          {children}
        </div>
      )}
    </article>
  )
}

function OutsideLink({ href, about, children }: { href: string; about: string; children: ReactNode }) {
  const { t } = useTranslation('home')
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={styles.link}>
      {children}
      <span className="visually-hidden">
        {' '}
        {plainName(about)} ({t('OpensInNewTab')})
      </span>
    </a>
  )
}
