import { useId, useState } from 'react'
import { useFormState } from 'react-hook-form'
import { serverNow } from '#app/api/server-clock.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { birthYears } from '#contract/rules/profile.ts'
import { SelectControl, useFieldMessage } from './form-controls.tsx'
import styles from '#app/parts/parts.module.css'

/** Values '01' to '12', labelled with the names of the months. PROFILE-18 */
export function monthChoices(language: string) {
  const name = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })
  return Array.from({ length: 12 }, (_, month) => ({
    value: String(month + 1).padStart(2, '0'),
    label: name.format(Date.UTC(2000, month, 1)),
  }))
}

/** Month and year of birth, with one error for both; the day is always 1. PROFILE-18 */
export function BirthDateFields({ minimumAge }: { minimumAge: number | undefined }) {
  const [thisYear] = useState(() => new Date(serverNow()).getFullYear())
  const { t, i18n } = useTranslation('details')
  const { errors } = useFormState({ name: ['birth.month', 'birth.year'] })
  const birth = errors['birth'] as Record<'month' | 'year', { message?: string } | undefined> | undefined // as the schema nests them
  const error = useFieldMessage({ age: minimumAge })(birth?.month?.message ?? birth?.year?.message)
  const errorId = useId()
  const describedBy = error === undefined ? undefined : errorId
  return (
    <div className={styles.pair}>
      <SelectControl
        name="birth.month"
        label={t('BirthMonth')}
        isMandatory
        describedBy={describedBy}
        autoComplete="bday-month"
        choices={monthChoices(i18n.language)}
      />
      <SelectControl
        name="birth.year"
        label={t('BirthYear')}
        isMandatory
        describedBy={describedBy}
        autoComplete="bday-year"
        choices={birthYears(thisYear).map((year) => ({ value: String(year), label: String(year) }))}
      />
      {error && (
        <p id={errorId} role="alert" className="field-error">
          {error}
        </p>
      )}
    </div>
  )
}
