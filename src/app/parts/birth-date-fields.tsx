import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { birthYears } from '#contract/rules/profile.ts'
import { SelectControl } from './form-controls.tsx'

/** '01'–'12' with the months' names. §4 Other, §9 */
export function monthChoices(language: string) {
  const name = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })
  return Array.from({ length: 12 }, (_, month) => ({
    value: String(month + 1).padStart(2, '0'),
    label: name.format(Date.UTC(2000, month, 1)),
  }))
}

/** Month and year of birth; the day is always 1. §4 Other, §9 */
export function BirthDateFields() {
  const [thisYear] = useState(() => new Date().getFullYear())
  const { t, i18n } = useTranslation('parts')
  return (
    <>
      <SelectControl name="birth.month" label={t('BirthMonth')} isMandatory choices={monthChoices(i18n.language)} />
      <SelectControl
        name="birth.year"
        label={t('BirthYear')}
        isMandatory
        choices={birthYears(thisYear).map((year) => ({ value: String(year), label: String(year) }))}
      />
    </>
  )
}
