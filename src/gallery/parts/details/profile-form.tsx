import * as z from 'zod/mini'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { TextControl } from '#app/parts/details/form-controls.tsx'
import { ProfileForm } from '#app/parts/details/profile-form.tsx'
import { requiredText } from '#contract/rules/fields.ts'
import { Reads } from '../../reads.tsx'
import { SOMEBODY } from '../../samples.ts'
import type { States } from '../../states.ts'

const name = z.object({ firstName: requiredText('FirstNameRequired') })

function FirstName() {
  const { t } = useTranslation('details')
  return (
    <ProfileForm
      profile={SOMEBODY}
      name="gallery-profile"
      schema={name}
      valuesOf={({ firstName }) => ({ firstName: firstName ?? '' })}
      bodyOf={(given) => given}
      notSaved="ProfileNotSaved"
      onSaved={() => undefined}
    >
      <TextControl name="firstName" label={t('FirstName')} isMandatory />
    </ProfileForm>
  )
}

export const states: States = {
  Default: () => (
    <Reads>
      <FirstName />
    </Reads>
  ),
}
