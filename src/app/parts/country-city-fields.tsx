import { useMemo } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Button } from '#app/ui/button.tsx'
import { fuzzyFilter, fuzzyScore } from '#app/ui/fuzzy.ts'
import { SearchControl } from './form-controls.tsx'
import styles from './parts.module.css'
import { useCities, useCountries, useCountryLabel } from './use-lookups.ts'

/** More than 100 entries are cut to the first 50 until a search is typed. §9 */
const SHOWN_AT_ONCE = 100

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
  const { setValue, getFieldState, formState } = useFormContext()
  const countries = useCountries()
  const labelOf = useCountryLabel(countries.files)
  const chosenCountry = useWatch<Record<string, string>>({ name: countryName }) ?? ''
  const cities = useCities(countries.files.get(chosenCountry))
  const searchCountries = useMemo(() => rankBy(countries.names, labelOf, i18n.language), [countries.names, labelOf, i18n.language])

  const searchCities = useMemo(() => lastOnly((typed) => fuzzyFilter(cities.names, typed)), [cities.names])

  const clearCity = () => {
    const { isTouched } = getFieldState(cityName, formState)
    setValue(cityName, '', { shouldDirty: true, shouldValidate: isTouched && formState.isSubmitted })
  }

  const cityHint = () => {
    if (chosenCountry === '') return t('CityNeedsCountry')
    return cities.names.length > SHOWN_AT_ONCE ? t('CitySearch') : undefined
  }

  return (
    <>
      <SearchControl
        name={countryName}
        label={countryLabel}
        hint={t('CountrySearch')}
        options={countries.names}
        search={searchCountries}
        labelOf={labelOf}
        onChosen={clearCity}
        isMandatory
        isLoading={countries.isLoading}
        {...(isOwn ? { autoComplete: 'country-name' } : {})}
      >
        {countries.isFailed ? <Failed text={t('ListFailed')} onRetry={() => void countries.retry()} /> : null}
      </SearchControl>
      <SearchControl
        name={cityName}
        label={cityLabel}
        hint={cityHint()}
        options={cities.names}
        search={searchCities}
        isMandatory
        isDisabled={chosenCountry === ''}
        isLoading={cities.isLoading}
        {...(isOwn ? { autoComplete: 'address-level2' } : {})}
      >
        {cities.error ? <Failed text={t(cities.error.key, { status: cities.error.status })} onRetry={() => void cities.retry()} /> : null}
      </SearchControl>
    </>
  )
}

function Failed({ text, onRetry }: { text: string; onRetry: () => void }) {
  const { t } = useTranslation('parts')
  return (
    <p className={styles.below} role="status">
      {text}
      <Button look="quiet" onClick={onRetry}>
        {t('TryAgain')}
      </Button>
    </p>
  )
}

/** The combobox asks several times for one letter typed; 17,000 names are gone through once. */
export function lastOnly<Result>(search: (typed: string) => Result): (typed: string) => Result {
  let last: { typed: string; result: Result } | undefined
  return (typed) => {
    if (last?.typed !== typed) last = { typed, result: search(typed) }
    return last.result
  }
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
