import Button from '@mui/material/Button'
import { useId, useMemo } from 'react'
import { useController, useFormContext } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { fuzzyFilter, fuzzyScore } from '#app/ui/fuzzy.ts'
import { SearchableSelect } from '#app/ui/searchable-select.tsx'
import { useFieldMessage } from './form-controls.tsx'
import { useCities, useCountries, useCountryLabel } from './use-lookups.ts'

interface Props {
  /** paths in the form's values */
  countryName: string
  cityName: string
  countryLabel: string
  cityLabel: string
  /** tell the browser that these are the person's own (WCAG 1.3.5) */
  isOwn?: boolean
}

/** Country and city: the city waits for a country, and a change of country clears it and loads its list. §4 Other, §5 */
export function CountryCityFields({ countryName, cityName, countryLabel, cityLabel, isOwn = false }: Props) {
  const { t, i18n } = useTranslation('parts')
  const messageOf = useFieldMessage()
  const { setValue, getFieldState, formState } = useFormContext()
  const country = useController({ name: countryName })
  const city = useController({ name: cityName })
  const countryId = useId()
  const cityId = useId()

  const countries = useCountries()
  const labelOf = useCountryLabel(countries.files)
  const chosenCountry = String(country.field.value)
  const cities = useCities(countries.files.get(chosenCountry))
  const searchCountries = useMemo(() => rankBy(countries.names, labelOf, i18n.language), [countries.names, labelOf, i18n.language])

  const chooseCountry = (chosen: string) => {
    if (chosen === chosenCountry) return
    country.field.onChange(chosen)
    const { isTouched } = getFieldState(cityName, formState)
    setValue(cityName, '', { shouldDirty: true, shouldValidate: isTouched && formState.isSubmitted })
  }

  const cityHint = () => {
    if (chosenCountry === '') return t('CityNeedsCountry')
    if (cities.error) return <Failed text={t(cities.error.key, { status: cities.error.status })} onRetry={() => void cities.retry()} />
    return cities.names.length > 50 ? t('CitySearch') : undefined
  }

  return (
    <>
      <SearchableSelect
        id={countryId}
        name={countryName}
        label={countryLabel}
        value={chosenCountry}
        options={countries.names}
        search={searchCountries}
        labelOf={labelOf}
        onChange={chooseCountry}
        onBlur={country.field.onBlur}
        inputRef={country.field.ref}
        required
        error={country.fieldState.invalid}
        helperText={
          messageOf(country.fieldState.error?.message) ??
          (countries.isFailed ? <Failed text={t('ListFailed')} onRetry={() => void countries.retry()} /> : undefined)
        }
        isLoading={countries.isLoading}
        {...(isOwn ? { autoComplete: 'country-name' } : {})}
      />
      <SearchableSelect
        id={cityId}
        name={cityName}
        label={cityLabel}
        value={String(city.field.value)}
        options={cities.names}
        search={(typed) => fuzzyFilter(cities.names, typed)}
        onChange={city.field.onChange}
        onBlur={city.field.onBlur}
        inputRef={city.field.ref}
        required
        disabled={chosenCountry === ''}
        error={city.fieldState.invalid}
        helperText={messageOf(city.fieldState.error?.message) ?? cityHint()}
        isLoading={cities.isLoading}
        {...(isOwn ? { autoComplete: 'address-level2' } : {})}
      />
    </>
  )
}

function Failed({ text, onRetry }: { text: string; onRetry: () => void }) {
  const { t } = useTranslation('parts')
  return (
    <>
      {text}{' '}
      <Button size="small" onClick={onRetry}>
        {t('TryAgain')}
      </Button>
    </>
  )
}

/** Countries match from the first letter, by the reader's name of them or the English one; all of them otherwise. */
export function rankBy(
  names: readonly string[],
  labelOf: (name: string) => string,
  language: string,
): (typed: string) => readonly string[] {
  const collator = new Intl.Collator(language)
  const inOrder = names.toSorted((a, b) => collator.compare(labelOf(a), labelOf(b)))
  return (typed) => {
    if (typed.trim() === '') return inOrder
    const least = typed.trim().length > 2 ? 60 : 80
    return inOrder
      .map((name) => ({ name, score: Math.max(fuzzyScore(typed, labelOf(name)), fuzzyScore(typed, name)) }))
      .filter(({ score }) => score >= least)
      .toSorted((a, b) => b.score - a.score)
      .map(({ name }) => name)
  }
}
