import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { useSaveProfile } from '#app/parts/person/use-save-profile.ts'
import type { Profile, ProfileChange } from '#contract/users.ts'
import type * as z from 'zod/mini'
import { coachBodyOf, coachDetails, coachReview, coachReviewBodyOf, coachValuesOf } from './coach-details.ts'
import { DetailsForm } from './details-form.tsx'
import { PersonalSection } from './personal-fields.tsx'
import { fieldOnScreen, personalValuesOf, profileEdits } from './player-details.ts'
import { TeamFields } from './team-fields.tsx'

interface Props {
  profile: Profile
  /** by default Save */
  submitLabel?: string
  /** @param isAll false: something was typed since */
  onSaved: (isAll: boolean) => void
}

/** A coach's details on /profile. PROFILE-2, PROFILE-9, PROFILE-15 */
export function CoachDetailsForm(props: Props) {
  const { t } = useTranslation('details')
  return (
    <CoachForm {...props} name="coach-details" schema={coachDetails} valuesOf={coachValuesOf} bodyOf={coachBodyOf}>
      <TeamFields title={t('TeamsCoached')} />
    </CoachForm>
  )
}

/** The checkout's profile review: asks for no teams and leaves existing ones as they are. PROFILE-9 */
export function CoachReviewForm(props: Props) {
  return <CoachForm {...props} name="coach-review" schema={coachReview} valuesOf={personalValuesOf} bodyOf={coachReviewBodyOf} />
}

interface FormProps<Values extends FieldValues, Output> extends Props {
  /** of the stored draft */
  name: string
  schema: z.ZodMiniType<Output, Values>
  valuesOf: (profile: Profile) => Values
  bodyOf: (details: Output) => ProfileChange
  children?: ReactNode
}

function CoachForm<Values extends FieldValues, Output>(props: FormProps<Values, Output>) {
  const { profile, submitLabel, onSaved, name, schema, valuesOf, bodyOf, children } = props
  const { t } = useTranslation('details')
  const userId = useReaderId()
  const saveProfile = useSaveProfile()
  const storedOf = (one: Profile) => ({ values: valuesOf(one), version: one.version })

  return (
    <DetailsForm
      schema={schema}
      start={storedOf(profile)}
      draft={{ form: name, owner: profile.userId }}
      submitLabel={submitLabel ?? t('Save')}
      busyLabel={t('Saving')}
      offlineReason={t('SaveNeedsConnection')}
      failure="details:UserNotAuthenticated"
      headline={userId === undefined ? undefined : t('CoachProfileNotSaved')}
      fieldOnScreen={fieldOnScreen}
      onSend={async (details, edited) => {
        const { profile: stored, isSaved } = await saveProfile(bodyOf(details), profileEdits(edited))
        return { stored: storedOf(stored), isSaved }
      }}
      onSent={onSaved}
    >
      <PersonalSection isEmailFixed emailHint={t('EmailFixed')} />
      {children}
    </DetailsForm>
  )
}
