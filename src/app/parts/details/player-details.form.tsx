import { useTranslation } from '#app/i18n/use-translation.ts'
import { useMemo } from 'react'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { useSettings } from '#app/api/use-settings.ts'
import { useSaveProfile } from '#app/parts/person/use-save-profile.ts'
import type { Profile } from '#contract/users.ts'
import { BirthDateFields } from './birth-date-fields.tsx'
import { DetailsForm } from './details-form.tsx'
import { SelectControl } from './form-controls.tsx'
import { PersonalSection } from './personal-fields.tsx'
import { fieldOnScreen, playerBodyOf, playerDetails, playerValuesOf, profileEdits } from './player-details.ts'
import { TeamFields } from './team-fields.tsx'
import { usePositions } from './use-lookups.ts'

interface Props {
  profile: Profile
  /** by default Save */
  submitLabel?: string
  /** @param isAll false: something was typed since */
  onSaved: (isAll: boolean) => void
}

const storedOf = (profile: Profile) => ({ values: playerValuesOf(profile), version: profile.version })

/** A player's details: /profile, the checkout's details step, and before an instance's brief. PROFILE-3, BUY-1, BRIEF-1 */
export function PlayerDetailsForm({ profile, submitLabel, onSaved }: Props) {
  const { t } = useTranslation('details')
  const userId = useReaderId()
  const saveProfile = useSaveProfile()
  const positions = usePositions()
  const minimumAge = useSettings()?.minimumAge
  const schema = useMemo(() => playerDetails(minimumAge), [minimumAge])

  return (
    <DetailsForm
      schema={schema}
      start={storedOf(profile)}
      draft={{ form: 'player-details', owner: profile.userId }}
      submitLabel={submitLabel ?? t('Save')}
      busyLabel={t('Saving')}
      offlineReason={t('SaveNeedsConnection')}
      failure="details:UserNotAuthenticated"
      headline={userId === undefined ? undefined : t('ProfileNotSaved')}
      fieldOnScreen={fieldOnScreen}
      onSend={async (details, edited) => {
        const { fields, version } = profileEdits(edited)
        const { profile: stored, isSaved } = await saveProfile(playerBodyOf(details), { fields: ['sport', ...fields], version })
        return { stored: storedOf(stored), isSaved }
      }}
      onSent={onSaved}
    >
      <PersonalSection isEmailFixed emailHint={t('EmailFixed')}>
        <BirthDateFields minimumAge={minimumAge} />
        <SelectControl
          name="gender"
          label={t('Gender')}
          isMandatory
          autoComplete="sex"
          choices={[
            { value: 'male', label: t('GenderMale') },
            { value: 'female', label: t('GenderFemale') },
          ]}
        />
        <SelectControl name="preferredPositionId" label={t('BestPosition')} isMandatory {...positions} />
      </PersonalSection>
      <TeamFields title={t('TeamsPlayed')} />
    </DetailsForm>
  )
}
