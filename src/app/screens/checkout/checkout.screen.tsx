/** /checkout/{assessmentId}: the player confirms their details before paying. BUY-1, BUY-16 */
import { useTranslation } from '#app/i18n/use-translation.ts'
import { useLocation, useParams } from 'wouter'
import { useCall } from '#app/api/use-call.ts'
import { ConfirmDetails } from '#app/parts/details/confirm-details.tsx'
import { PlayerDetailsForm } from '#app/parts/details/player-details.form.tsx'
import { RoleGate } from '#app/parts/steps/role-gate.tsx'
import { StepLine } from '#app/parts/steps/step-line.tsx'
import { useLastDefined } from '#app/parts/use-last-defined.ts'
import { paths } from '#app/paths.ts'
import { PageSkeleton } from '#app/ui/layout/skeletons.tsx'
import { assessments } from '#contract/assessments.ts'
import { AssessmentNotFound } from './assessment-not-found.tsx'

export default function CheckoutScreen() {
  return (
    <RoleGate of="player">
      <PlayerDetails />
    </RoleGate>
  )
}

function PlayerDetails() {
  const { t } = useTranslation('checkout')
  const { assessmentId } = useParams<{ assessmentId: string }>()
  const [, navigate] = useLocation()
  const assessment = useCall(assessments.get, { params: { id: assessmentId } })
  const known = useLastDefined(assessment.data)

  if (known) {
    return (
      <ConfirmDetails
        form={PlayerDetailsForm}
        intro={t('DetailsIntro')}
        breadcrumbs={[{ label: t('Home'), href: paths.home() }, { label: t('PurchaseAssessment') }]}
        step={<StepLine way="bought" step="StepDetails" />}
        onSaved={() => {
          navigate(paths.payment(assessmentId))
        }}
      />
    )
  }
  return assessment.isError ? <AssessmentNotFound error={assessment.error} onRetry={() => void assessment.refetch()} /> : <PageSkeleton />
}
