/** /checkout/coach/confirm-details: a coach reviews their profile before buying tokens. TOKENS-1, PROFILE-9 */
import { useTranslation } from '#app/i18n/use-translation.ts'
import { useLocation } from 'wouter'
import { CoachReviewForm } from '#app/parts/details/coach-details.form.tsx'
import { ConfirmDetails } from '#app/parts/details/confirm-details.tsx'
import { RoleGate } from '#app/parts/steps/role-gate.tsx'
import { paths } from '#app/paths.ts'

export default function CoachConfirmDetailsScreen() {
  const { t } = useTranslation('checkout')
  const [, navigate] = useLocation()
  return (
    <RoleGate of="coach">
      <ConfirmDetails
        form={CoachReviewForm}
        title={t('ProfileReview')}
        intro={t('ProfileReviewIntro')}
        breadcrumbs={[{ label: t('Dashboard'), href: paths.home() }, { label: t('ProfileReview') }]}
        onSaved={() => {
          navigate(paths.purchaseToken())
        }}
      />
    </RoleGate>
  )
}
