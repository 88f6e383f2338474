import { useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { fuzzyFilter } from '#app/ui/forms/fuzzy.ts'
import { SearchableSelect, type SearchableSelectProps } from '#app/ui/forms/searchable-select.tsx'
import { LONG_NAME } from '../../samples.ts'
import type { States } from '../../states.ts'

const OPTIONS = ['Amiens', 'Brest', 'Grenoble', 'Lille', 'Lyon', 'Marseille', LONG_NAME]

function City({ value: start = '', options = OPTIONS, ...rest }: Partial<SearchableSelectProps>) {
  const { t } = useTranslation('details')
  const [value, setValue] = useState(start)
  return (
    <SearchableSelect
      {...rest}
      name="city"
      label={t('City')}
      value={value}
      options={options}
      search={(typed) => (typed === '' ? options : fuzzyFilter(options, typed))}
      onChange={setValue}
    />
  )
}

export const states: States = {
  Default: function Default() {
    const { t } = useTranslation('details')
    return <City hint={t('CountrySearch')} isMandatory />
  },
  Filled: () => <City value="Lyon" />,
  Disabled: function Disabled() {
    const { t } = useTranslation('details')
    return <City hint={t('CityNeedsCountry')} isDisabled />
  },
  Loading: () => <City options={[]} isLoading />,
  Empty: () => <City options={[]} />,
  Error: function Broken() {
    const { t } = useTranslation('fields')
    return <City error={t('CityRequired')} />
  },
  LongWords: () => <City value={LONG_NAME} />,
}
