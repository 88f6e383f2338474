import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { OnlineOnlyButton } from '#app/api/online-only-button.tsx'
import { useSettings } from '#app/api/use-settings.ts'
import { costOf } from '#app/parts/assessment/price.tsx'
import type { Assessment } from '#contract/assessments.ts'
import { plainName } from '#contract/rules/assessment-name.ts'
import { formatPrice } from '#contract/rules/pricing.ts'
import { AssessmentCard } from '#app/parts/dashboard/assessment-card.tsx'
import { LoadError, Panel } from '#app/parts/dashboard/panel.tsx'
import { StartButton } from './start-button.tsx'

interface Props {
  hasFailed: boolean
  /** why loading failed */
  error: unknown
  onTryAgain: () => void
  assessments: readonly Assessment[]
  /** highlights the first one as the player's next step */
  isNext?: boolean
  /** for a player: where a purchase starts. A coach sees no price and cannot buy a single assessment (HOME-5) */
  purchasePathOf?: (assessmentId: string) => string
  /** whether the player has it open or done: then it is shown as one line that unfolds */
  takenOf?: (assessmentId: string) => 'open' | 'done' | undefined
  /** for a coach: starts giving one to a player */
  onBook?: (assessmentId: string) => void
}

/** The assessments on offer, for players and for coaches. HOME-4 */
export function AvailableAssessments({
  hasFailed,
  error,
  onTryAgain,
  assessments,
  isNext = false,
  purchasePathOf,
  takenOf,
  onBook,
}: Props) {
  const { t } = useTranslation('home')
  const settings = useSettings()
  return (
    <Panel isOffer title={t(purchasePathOf ? 'AvailableAssessmentsTitle' : 'AvailableAssessmentsTitleCoach')}>
      {hasFailed ? (
        <LoadError error={error} onTryAgain={onTryAgain} />
      ) : assessments.length === 0 ? (
        <p className="nothing">{t('NoAssessmentsAvailable')}</p>
      ) : (
        <ul className="dashboard-list">
          {assessments.map((assessment, at) => {
            const taken = takenOf?.(assessment.assessmentId)
            const card = (
              <AssessmentCard assessment={assessment} learnMore={settings?.links.learnMore} hasPrice={purchasePathOf !== undefined}>
                {purchasePathOf && (
                  <StartButton
                    assessment={assessment}
                    path={purchasePathOf(assessment.assessmentId)}
                    isNext={isNext && at === 0}
                    hasOneOpen={taken === 'open'}
                  />
                )}
                {onBook && <BookButton assessment={assessment} onBook={onBook} />}
              </AssessmentCard>
            )
            return (
              <li key={assessment.assessmentId}>
                {taken ? (
                  <OfferAgain assessment={assessment} taken={taken}>
                    {card}
                  </OfferAgain>
                ) : (
                  card
                )}
              </li>
            )
          })}
        </ul>
      )}
    </Panel>
  )
}

/** For a player who already has it open or done: one line with name and price, which unfolds to the card. */
function OfferAgain({ assessment, taken, children }: { assessment: Assessment; taken: 'open' | 'done'; children: ReactNode }) {
  const { t } = useTranslation('home')
  const cost = costOf(assessment)
  return (
    <details className="card home-again">
      <summary>
        <span>
          {t(taken === 'open' ? 'BuyAnother' : 'TakeAgain')} <span className="visually-hidden">{plainName(assessment.name)}</span>
        </span>
        {cost && <span className="home-again-price">{formatPrice(cost.amount, cost.currency)}</span>}
      </summary>
      {children}
    </details>
  )
}

function BookButton({ assessment, onBook }: { assessment: Assessment; onBook: (assessmentId: string) => void }) {
  const { t } = useTranslation('home')
  return (
    <div>
      <OnlineOnlyButton
        isWide
        aria-label={t('BookAssessmentForPlayerOf', { name: plainName(assessment.name) })}
        onClick={() => onBook(assessment.assessmentId)}
      >
        {t('BookAssessmentForPlayer')}
      </OnlineOnlyButton>
    </div>
  )
}
