import { useTranslation } from 'react-i18next'
import { useCall } from '#app/api/use-call.ts'
import type { Assessment } from '#contract/assessments.ts'
import { settings as settingsCalls } from '#contract/settings.ts'
import { AssessmentCard } from './assessment-card.tsx'
import styles from './home.module.css'
import { LoadError, Panel } from './panel.tsx'
import { StartButton } from './start-button.tsx'

interface Props {
  hasFailed: boolean
  onTryAgain: () => void
  assessments: readonly Assessment[]
  /** where a player's purchase starts; a coach has no price and no purchase of one assessment (§2) */
  purchasePathOf?: (assessmentId: string) => string
}

/** What can be taken: the player's view, and the coach's. §2 Available assessments */
export function AvailableAssessments({ hasFailed, onTryAgain, assessments, purchasePathOf }: Props) {
  const { t } = useTranslation('home')
  const settings = useCall(settingsCalls.get)
  return (
    <Panel title={t(purchasePathOf ? 'AvailableAssessmentsTitle' : 'AvailableAssessmentsTitleCoach')}>
      {hasFailed ? (
        <LoadError onTryAgain={onTryAgain} />
      ) : assessments.length === 0 ? (
        <p className="soft">{t('NoAssessmentsAvailable')}</p>
      ) : (
        <ul className={styles.offers}>
          {assessments.map((assessment) => (
            <li key={assessment.assessmentId}>
              <AssessmentCard assessment={assessment} learnMore={settings.data?.links.learnMore} hasPrice={purchasePathOf !== undefined}>
                {purchasePathOf && <StartButton name={assessment.name} path={purchasePathOf(assessment.assessmentId)} />}
              </AssessmentCard>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
