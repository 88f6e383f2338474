import { useTranslation } from '#app/i18n/use-translation.ts'
import { CountryCityFields } from '#app/parts/details/country-city-fields.tsx'
import { Form } from '../../form.tsx'
import type { States } from '../../states.ts'

interface Props {
  values?: { country: string; city: string }
  errors?: Record<string, string>
}

function Place({ values = { country: '', city: '' }, errors = {} }: Props) {
  const { t } = useTranslation('details')
  return (
    <Form values={values} errors={errors}>
      <CountryCityFields countryName="country" cityName="city" countryLabel={t('Country')} cityLabel={t('City')} />
    </Form>
  )
}

export const states: States = {
  Default: () => <Place />,
  Filled: () => <Place values={{ country: 'France', city: 'Lyon' }} />,
  Error: () => <Place errors={{ country: 'CountryRequired', city: 'CityRequired' }} />,
}
