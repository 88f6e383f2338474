/** /checkout/{assessmentId}: the player's details before paying. §2 Checkout area, §4 Payment states */
import { useTranslation } from 'react-i18next'
import { useLocation, useParams } from 'wouter'
import { useCall } from '#app/api/use-call.ts'
import { ConfirmDetails } from '#app/parts/confirm-details.tsx'
import { useKept } from '#app/parts/use-kept.ts'
import { paths } from '#app/paths.ts'
import { PageSkeleton } from '#app/ui/skeletons.tsx'
import { api } from '#contract/api.ts'
import { AssessmentNotFound } from './assessment-not-found.tsx'

export default function CheckoutScreen() {
  const { t } = useTranslation('checkout')
  const { assessmentId } = useParams<{ assessmentId: string }>()
  const [, navigate] = useLocation()
  const assessment = useCall(api.assessments.get, { params: { id: assessmentId } })
  const known = useKept(assessment.data)

  if (known) {
    return (
      <ConfirmDetails
        intro={t('DetailsIntro')}
        breadcrumbs={[{ label: t('Home'), href: paths.home() }, { label: t('PurchaseAssessment') }]}
        onSaved={() => {
          navigate(paths.payment(assessmentId))
        }}
      />
    )
  }
  return assessment.isError ? <AssessmentNotFound onRetry={() => void assessment.refetch()} /> : <PageSkeleton />
}
