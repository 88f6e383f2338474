import { BirthDateFields } from '#app/parts/details/birth-date-fields.tsx'
import { Form } from '../../form.tsx'
import type { States } from '../../states.ts'

const MINIMUM_AGE = 13

export const states: States = {
  Default: () => (
    <Form values={{ birth: { month: '', year: '' } }}>
      <BirthDateFields minimumAge={MINIMUM_AGE} />
    </Form>
  ),
  Filled: () => (
    <Form values={{ birth: { month: '03', year: '2006' } }}>
      <BirthDateFields minimumAge={MINIMUM_AGE} />
    </Form>
  ),
  Error: () => (
    <Form values={{ birth: { month: '', year: '' } }} errors={{ 'birth.month': 'BirthDateRequired' }}>
      <BirthDateFields minimumAge={MINIMUM_AGE} />
    </Form>
  ),
}
