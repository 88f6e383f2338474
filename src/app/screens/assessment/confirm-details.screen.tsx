/** /assessment/{assessmentInstanceId}/confirm-details: the player's details before the brief, or before Submit. BRIEF-1, QUESTIONS-19 */
import { useEffect } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Redirect, useParams, useSearchParams } from 'wouter'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { onSynced } from '#app/device/sending/sync-events.ts'
import { isSameInstance } from '#app/device/store/stored.ts'
import { paths } from '#app/paths.ts'
import { ConfirmDetails } from '#app/parts/details/confirm-details.tsx'
import { PlayerDetailsForm } from '#app/parts/details/player-details.form.tsx'
import { RoleGate } from '#app/parts/steps/role-gate.tsx'
import { StepLine } from '#app/parts/steps/step-line.tsx'
import { isSubmitted, submit } from '#app/questionnaire/submit.ts'
import { useLateNavigate } from '#app/ui/browser/use-late-navigate.ts'
import { Reclaimed } from './reclaimed.tsx'
import { useInstanceSummary } from './use-instance-summary.ts'

export default function ConfirmDetailsScreen() {
  return (
    <RoleGate of="player">
      <OwnDetails />
    </RoleGate>
  )
}

function OwnDetails() {
  const { t } = useTranslation('details')
  const { assessmentInstanceId: instanceId } = useParams<{ assessmentInstanceId: string }>()
  const [search] = useSearchParams()
  const navigate = useLateNavigate()
  // answering may begin offline with an incomplete profile; it must be complete before Submit (QUESTIONS-19)
  const isBeforeSubmit = search.get('then') === 'submit'
  const userId = useReaderId() ?? ''
  const isReclaimed = useInstanceSummary(userId || undefined, instanceId).state === 'reclaimed'

  // Submit is sent even if this tab was closed after saving. Once it is stored, the questionnaire shows its progress.
  useEffect(() => {
    if (!isBeforeSubmit) return
    const leaveIfSubmitted = async () => {
      if (await isSubmitted({ userId, instanceId })) navigate(paths.test(instanceId), { replace: true })
    }
    return onSynced((changed) => {
      if (isSameInstance(changed, { userId, instanceId })) void leaveIfSubmitted()
    })
  }, [isBeforeSubmit, userId, instanceId, navigate])

  function submitAnswers() {
    // nothing is lost if neither the device nor the server could store the Submit: the player can press it again
    const backToQuestions = () => navigate(paths.test(instanceId), { replace: true })
    submit({ userId, instanceId }).then(
      (outcome) => ['not-submitted', 'unsure', 'part-lost'].includes(outcome) && backToQuestions(),
      (error: unknown) => {
        console.error(error)
        backToQuestions()
      },
    )
  }

  if (isReclaimed) {
    // the questionnaire asks what to do with unsent answers
    return isBeforeSubmit ? <Redirect to={paths.test(instanceId)} replace /> : <Reclaimed title={t('ConfirmDetailsTitle')} />
  }
  return (
    <ConfirmDetails
      form={PlayerDetailsForm}
      intro={isBeforeSubmit ? t('ConfirmDetailsSubmit') : t('ConfirmDetailsBrief')}
      step={!isBeforeSubmit && <StepLine way="given" step="StepDetails" />}
      onSaved={() => {
        if (isBeforeSubmit) submitAnswers()
        else navigate(paths.brief(instanceId))
      }}
    />
  )
}
