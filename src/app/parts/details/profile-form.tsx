import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { useTranslation } from '#app/i18n/use-translation.ts'
import type * as z from 'zod/mini'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { useSaveProfile } from '#app/parts/person/use-save-profile.ts'
import type { Profile, ProfileChange, ProfileField } from '#contract/users.ts'
import { DetailsForm } from './details-form.tsx'
import { fieldOnScreen, profileEdits } from './player-details.ts'

/** What each form of a profile is given. */
export interface ProfileFormProps {
  profile: Profile
  /** by default Save */
  submitLabel?: string
  /** @param isAll false: something was typed since */
  onSaved: (isAll: boolean) => void
}

interface Props<Values extends FieldValues, Output> extends ProfileFormProps {
  /** of the stored draft */
  name: string
  schema: z.ZodMiniType<Output, Values>
  valuesOf: (profile: Profile) => Values
  bodyOf: (details: Output) => ProfileChange
  /** that no field of the form shows, but each save sets */
  alwaysSaved?: readonly ProfileField[]
  /** key of what is said of a save that failed */
  notSaved: 'ProfileNotSaved' | 'CoachProfileNotSaved'
  children: ReactNode
}

/** A details form that saves the profile of the person who is signed in. */
export function ProfileForm<Values extends FieldValues, Output>(props: Props<Values, Output>) {
  const { profile, submitLabel, onSaved, name, schema, valuesOf, bodyOf, alwaysSaved = [], notSaved, children } = props
  const { t } = useTranslation('details')
  const userId = useReaderId()
  const saveProfile = useSaveProfile()
  const storedOf = (one: Profile) => ({ values: valuesOf(one), version: one.version })

  return (
    <DetailsForm
      schema={schema}
      start={storedOf(profile)}
      draftPlace={{ form: name, owner: profile.userId }}
      submitLabel={submitLabel ?? t('Save')}
      busyLabel={t('Saving')}
      offlineReason={t('SaveNeedsConnection')}
      failure="details:UserNotAuthenticated"
      headline={userId === undefined ? undefined : t(notSaved)}
      fieldOnScreen={fieldOnScreen}
      onSend={async (details, edited) => {
        const { fields, version } = profileEdits(edited)
        const { profile: stored, isSaved } = await saveProfile(bodyOf(details), { fields: [...alwaysSaved, ...fields], version })
        return { stored: storedOf(stored), isSaved }
      }}
      onSent={onSaved}
    >
      {children}
    </DetailsForm>
  )
}
