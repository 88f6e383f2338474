import { useTranslation } from 'react-i18next'
import { useReaderId } from '#app/api/use-call.ts'
import { useSend } from '#app/api/use-send.ts'
import { api } from '#contract/api.ts'
import type { Profile } from '#contract/users.ts'
import { coachBodyOf, coachDetails, coachValuesOf, type CoachDetails } from './coach-details.ts'
import { DetailsForm } from './details-form.tsx'
import { PersonalSection } from './personal-fields.tsx'
import { fieldOnScreen } from './player-details.ts'
import { TeamFields } from './team-fields.tsx'

interface Props {
  profile: Profile
  /** Save unless told */
  submitLabel?: string
  /** the checkout asks for no teams; those there are stay */
  hasTeams?: boolean
  onSaved: () => void
}

/** A coach's details: /profile and the checkout's profile review. §2, §5, §7 Update user */
export function CoachDetailsForm({ profile, submitLabel, hasTeams = true, onSaved }: Props) {
  const { t } = useTranslation('parts')
  const userId = useReaderId()
  const { send } = useSend(api.users.update)

  const save = async (details: CoachDetails) => {
    if (userId === undefined) throw new Error('User not authenticated.')
    return coachValuesOf(await send({ params: { id: userId }, body: coachBodyOf(details) }))
  }

  return (
    <DetailsForm
      schema={coachDetails}
      start={coachValuesOf(profile)}
      draft={{ form: 'coach-details', owner: profile.userId }}
      submitLabel={submitLabel ?? t('Save')}
      busyLabel={t('Saving')}
      offlineReason={t('SaveNeedsConnection')}
      failure={userId === undefined ? 'parts:UserNotAuthenticated' : 'parts:CoachProfileNotSaved'}
      fieldOnScreen={fieldOnScreen}
      onSend={save}
      onSent={onSaved}
    >
      <PersonalSection isEmailFixed emailHint={t('EmailFixed')} />
      {hasTeams && <TeamFields title={t('TeamsCoached')} />}
    </DetailsForm>
  )
}
