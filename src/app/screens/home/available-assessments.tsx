import { useTranslation } from '#app/i18n/use-translation.ts'
import { OnlineOnlyButton } from '#app/api/online-only-button.tsx'
import { useCall } from '#app/api/use-call.ts'
import type { Assessment } from '#contract/assessments.ts'
import { plainName } from '#contract/rules/assessment-name.ts'
import { settings as settingsCalls } from '#contract/settings.ts'
import { AssessmentCard } from './assessment-card.tsx'
import { LoadError, Panel } from './panel.tsx'
import { StartButton } from './start-button.tsx'

interface Props {
  hasFailed: boolean
  onTryAgain: () => void
  assessments: readonly Assessment[]
  /** nothing else is to be done first */
  isNext?: boolean
  /** where a player's purchase starts; a coach has no price and no purchase of one assessment (§2) */
  purchasePathOf?: (assessmentId: string) => string
  /** gives one to a player: the coach's */
  onBook?: (assessmentId: string) => void
}

/** What can be taken: the player's view, and the coach's. §2 Available assessments */
export function AvailableAssessments({ hasFailed, onTryAgain, assessments, isNext = false, purchasePathOf, onBook }: Props) {
  const { t } = useTranslation('home')
  const settings = useCall(settingsCalls.get)
  return (
    <Panel isOffer title={t(purchasePathOf ? 'AvailableAssessmentsTitle' : 'AvailableAssessmentsTitleCoach')}>
      {hasFailed ? (
        <LoadError onTryAgain={onTryAgain} />
      ) : assessments.length === 0 ? (
        <p className="nothing">{t('NoAssessmentsAvailable')}</p>
      ) : (
        <ul className="home-list">
          {assessments.map((assessment, at) => (
            <li key={assessment.assessmentId}>
              <AssessmentCard assessment={assessment} learnMore={settings.data?.links.learnMore} hasPrice={purchasePathOf !== undefined}>
                {purchasePathOf && (
                  <StartButton name={assessment.name} path={purchasePathOf(assessment.assessmentId)} isNext={isNext && at === 0} />
                )}
                {onBook && (
                  <div>
                    <OnlineOnlyButton
                      isWide
                      aria-label={t('BookAssessmentForPlayerOf', { name: plainName(assessment.name) })}
                      onClick={() => onBook(assessment.assessmentId)}
                    >
                      {t('BookAssessmentForPlayer')}
                    </OnlineOnlyButton>
                  </div>
                )}
              </AssessmentCard>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
