import { useState } from 'react'
import { useSettings } from '#app/api/use-settings.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Skeleton } from '#app/ui/skeletons.tsx'
import type { Assessment } from '#contract/assessments.ts'
import { plainName } from '#contract/rules/assessment-name.ts'
import { AssessmentCard } from '#app/parts/dashboard/assessment-card.tsx'
import { PlayerStep } from './assign-token-player.tsx'
import { TokensWanting } from '#app/screens/tokens/buy-tokens.tsx'
import { LoadError } from '#app/parts/dashboard/panel.tsx'

/** The first page of what is on offer, 10 at most (ASSIGN-1). */
export interface Offer {
  /** undefined: not yet, or not to be had */
  assessments: readonly Assessment[] | undefined
  hasFailed: boolean
  /** why */
  error: unknown
  onTryAgain: () => void
}

interface Props {
  offer: Offer
  /** chosen on its card */
  preselected: string | undefined
  hasToken: boolean
  onClose: () => void
}

/** One token for one player: which assessment, then whose. It is made anew at each opening, so that closing resets it. ASSIGN-1, ASSIGN-2 */
export function AssignTokenDialog({ offer, preselected, hasToken, onClose }: Props) {
  const { t } = useTranslation('home')
  const assessments = offer.assessments ?? []
  const [chosenId, setChosenId] = useState(preselected)
  const [email, setEmail] = useState('')
  const [isSending, setIsSending] = useState(false)
  const only = preselected === undefined && assessments.length === 1 ? assessments[0] : undefined
  const chosen = assessments.find(({ assessmentId }) => assessmentId === chosenId) ?? only

  return (
    <Dialog isOpen title={t(chosen ? 'AssignmentDetails' : 'AssignAssessmentToken')} isBusy={isSending} onClose={onClose}>
      <div className="stack token-dialog">
        {!hasToken && <TokensWanting why={t('NoTokenLeft')} />}
        {chosen ? (
          <PlayerStep
            assessment={chosen}
            email={email}
            onEmail={setEmail}
            onChange={assessments.length > 1 ? () => setChosenId('') : undefined}
            onSending={setIsSending}
            onClose={onClose}
          />
        ) : (
          <ChooseStep offer={offer} hasReturned={chosenId === ''} onChoose={setChosenId} onClose={onClose} />
        )}
      </div>
    </Dialog>
  )
}

interface ChooseStepProps {
  offer: Offer
  /** from the next step, whose button is gone: the focus goes to the first one here */
  hasReturned: boolean
  onChoose: (assessmentId: string) => void
  onClose: () => void
}

function ChooseStep({ offer: { assessments, hasFailed, error, onTryAgain }, hasReturned, onChoose, onClose }: ChooseStepProps) {
  const { t } = useTranslation(['home', 'ui'])
  const settings = useSettings()
  return (
    <>
      {hasFailed && <LoadError error={error} onTryAgain={onTryAgain} />}
      {!hasFailed && !assessments && <Skeleton bars={[12]} />}
      {assessments?.length === 0 && <p className="nothing">{t('NoAssessmentsAvailable')}</p>}
      <ul className="home-list">
        {assessments?.map((assessment, at) => (
          <li key={assessment.assessmentId}>
            <AssessmentCard assessment={assessment} learnMore={settings?.links.learnMore} hasPrice={false}>
              <Button
                // eslint-disable-next-line jsx-a11y/no-autofocus -- see hasReturned
                autoFocus={hasReturned && at === 0}
                aria-label={t('SelectAssessmentOf', { name: plainName(assessment.name) })}
                onClick={() => onChoose(assessment.assessmentId)}
              >
                {t('SelectAssessment')}
              </Button>
            </AssessmentCard>
          </li>
        ))}
      </ul>
      <div className="token-dialog-actions">
        <Button onClick={onClose}>{t('ui:Cancel')}</Button>
      </div>
    </>
  )
}
