import { useTranslation } from '#app/i18n/use-translation.ts'
import { SearchControl, SelectControl, TextControl } from '#app/parts/details/form-controls.tsx'
import { fuzzyFilter } from '#app/ui/forms/fuzzy.ts'
import { Form } from '../../form.tsx'
import { LONG_NAME, SOMEBODY } from '../../samples.ts'
import type { States } from '../../states.ts'

const CITIES = ['Lille', 'Lyon']

function Controls({ isReadOnly = false }) {
  const { t } = useTranslation('details')
  const choices = [
    { value: 'male', label: t('GenderMale') },
    { value: 'female', label: t('GenderFemale') },
  ]
  return (
    <>
      <TextControl name="firstName" label={t('FirstName')} isMandatory isReadOnly={isReadOnly} />
      <SelectControl name="gender" label={t('Gender')} isMandatory choices={choices} />
      <SearchControl name="city" label={t('City')} isMandatory options={CITIES} search={(typed) => fuzzyFilter(CITIES, typed)} />
    </>
  )
}

const NOTHING = { firstName: '', gender: '', city: '' }
const FILLED = { firstName: SOMEBODY.firstName, gender: 'female', city: 'Lyon' }

export const states: States = {
  Default: () => (
    <Form values={NOTHING}>
      <Controls />
    </Form>
  ),
  Filled: () => (
    <Form values={FILLED}>
      <Controls />
    </Form>
  ),
  ReadOnly: () => (
    <Form values={FILLED}>
      <Controls isReadOnly />
    </Form>
  ),
  Error: () => (
    <Form values={NOTHING} errors={{ firstName: 'FirstNameRequired', gender: 'GenderRequired', city: 'CityRequired' }}>
      <Controls />
    </Form>
  ),
  // a stored value that is not among the choices
  LongWords: () => (
    <Form values={{ firstName: LONG_NAME, gender: LONG_NAME, city: LONG_NAME }}>
      <Controls />
    </Form>
  ),
}
