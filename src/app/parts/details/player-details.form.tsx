import { useMemo } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { useSettings } from '#app/api/use-settings.ts'
import { BirthDateFields } from './birth-date-fields.tsx'
import { SelectControl } from './form-controls.tsx'
import { PersonalSection } from './personal-fields.tsx'
import { playerBodyOf, playerDetails, playerValuesOf } from './player-details.ts'
import { ProfileForm, type ProfileFormProps } from './profile-form.tsx'
import { TeamFields } from './team-fields.tsx'
import { usePositions } from './use-lookups.ts'

/** A player's details: /profile, the checkout's details step, and before an instance's brief. PROFILE-3, BUY-1, BRIEF-1 */
export function PlayerDetailsForm(props: ProfileFormProps) {
  const { t } = useTranslation('details')
  const positions = usePositions()
  const minimumAge = useSettings()?.minimumAge
  const schema = useMemo(() => playerDetails(minimumAge), [minimumAge])

  return (
    <ProfileForm
      {...props}
      name="player-details"
      schema={schema}
      valuesOf={playerValuesOf}
      bodyOf={playerBodyOf}
      alwaysSaved={['sport']}
      notSaved="ProfileNotSaved"
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
    </ProfileForm>
  )
}
