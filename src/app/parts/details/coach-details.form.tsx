import { useTranslation } from '#app/i18n/use-translation.ts'
import { coachBodyOf, coachDetails, coachReview, coachReviewBodyOf, coachValuesOf } from './coach-details.ts'
import { PersonalSection } from './personal-fields.tsx'
import { personalValuesOf } from './player-details.ts'
import { ProfileForm, type ProfileFormProps } from './profile-form.tsx'
import { TeamFields } from './team-fields.tsx'

/** A coach's details on /profile. PROFILE-2, PROFILE-9, PROFILE-15 */
export function CoachDetailsForm(props: ProfileFormProps) {
  const { t } = useTranslation('details')
  return (
    <ProfileForm
      {...props}
      name="coach-details"
      schema={coachDetails}
      valuesOf={coachValuesOf}
      bodyOf={coachBodyOf}
      notSaved="CoachProfileNotSaved"
    >
      <PersonalSection isEmailFixed emailHint={t('EmailFixed')} />
      <TeamFields title={t('TeamsCoached')} />
    </ProfileForm>
  )
}

/** The checkout's profile review: asks for no teams and leaves existing ones as they are. PROFILE-9 */
export function CoachReviewForm(props: ProfileFormProps) {
  const { t } = useTranslation('details')
  return (
    <ProfileForm
      {...props}
      name="coach-review"
      schema={coachReview}
      valuesOf={personalValuesOf}
      bodyOf={coachReviewBodyOf}
      notSaved="CoachProfileNotSaved"
    >
      <PersonalSection isEmailFixed emailHint={t('EmailFixed')} />
    </ProfileForm>
  )
}
