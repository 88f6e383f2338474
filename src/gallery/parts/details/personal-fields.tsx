import { useTranslation } from '#app/i18n/use-translation.ts'
import { PersonalSection } from '#app/parts/details/personal-fields.tsx'
import { personalValuesOf } from '#app/parts/details/player-details.ts'
import { Form } from '../../form.tsx'
import { LONG_EMAIL, LONG_NAME, SOMEBODY } from '../../samples.ts'
import type { States } from '../../states.ts'

function Personal({ isEmailFixed = true }) {
  const { t } = useTranslation('details')
  return <PersonalSection isEmailFixed={isEmailFixed} emailHint={t('EmailFixed')} />
}

const NOTHING = { firstName: '', lastName: '', email: '', countryId: '', cityId: '' }

export const states: States = {
  Default: () => (
    <Form values={personalValuesOf(SOMEBODY)}>
      <Personal />
    </Form>
  ),
  Error: () => (
    <Form values={NOTHING} errors={{ firstName: 'FirstNameRequired', lastName: 'LastNameRequired', email: 'EmailInvalid' }}>
      <Personal isEmailFixed={false} />
    </Form>
  ),
  LongWords: () => (
    <Form values={personalValuesOf({ ...SOMEBODY, lastName: LONG_NAME, email: LONG_EMAIL })}>
      <Personal />
    </Form>
  ),
}
