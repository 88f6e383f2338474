import './dashboard.css'
import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { AssessmentName } from '#app/parts/assessment/assessment-name.tsx'
import { costOf, Price } from '#app/parts/assessment/price.tsx'
import { ReportLink } from '#app/parts/assessment/report-link.tsx'
import { plainName } from '#contract/rules/assessment-name.ts'
import type { Assessment } from '#contract/assessments.ts'

interface Props {
  assessment: Assessment
  /** URL of the marketing site; undefined until the settings are known */
  learnMore: string | undefined
  /** false for a coach, who pays with tokens */
  hasPrice: boolean
  /** the primary button */
  children?: ReactNode
}

/** One assessment on offer. HOME-5 */
export function AssessmentCard({ assessment, learnMore, hasPrice, children }: Props) {
  const { t } = useTranslation('home')
  const cost = hasPrice ? costOf(assessment) : undefined
  return (
    <article className="card assessment-card">
      <div>
        <h3>
          <AssessmentName name={assessment.name} />
        </h3>
        <p className="assessment-tagline">{assessment.tagline}</p>
        <p>{assessment.description}</p>
        <p className="soft">{t('EstimatedMinutes', { count: assessment.estimatedTimeMinutes })}</p>
        <div className="card-actions">
          <ReportLink file={assessment.sampleReportFilename} about={plainName(assessment.name)}>
            {t('SampleReport')}
          </ReportLink>
          <OutsideLink href={learnMore} about={assessment.name}>
            {t('LearnMore')}
          </OutsideLink>
        </div>
      </div>
      {(cost || children) && (
        <div className="assessment-purchase">
          {cost && (
            <p className="assessment-price">
              <Price cost={cost} />
            </p>
          )}
          {children}
        </div>
      )}
    </article>
  )
}

/** Hidden but in the layout until its URL is known, so that nothing moves. */
function OutsideLink({ href, about, children }: { href: string | undefined; about: string; children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className="out-link" hidden={!href}>
      {children}
      <span className="visually-hidden">
        {' '}
        {plainName(about)} ({t('OpensInNewTab')})
      </span>
    </a>
  )
}
