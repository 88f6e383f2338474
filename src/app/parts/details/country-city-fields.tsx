import { useMemo } from 'react'
import { useController, useFormContext, useWatch } from 'react-hook-form'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { fuzzyScore } from '#app/ui/forms/fuzzy.ts'
import { SearchableSelect, type SearchableSelectProps } from '#app/ui/forms/searchable-select.tsx'
import { cityOptions } from './cities.ts'
import { SearchControl, useFieldMessage } from './form-controls.tsx'
import styles from '#app/parts/parts.module.css'
import { useCities, useCountries, useCountryLabel } from './use-lookups.ts'

interface Props {
  /** paths in the form's values */
  countryName: string
  cityName: string
  countryLabel: string
  cityLabel: string
  /** the person's own address: lets the browser fill it in (WCAG 1.3.5) */
  isOwn?: boolean
}

/**
 * Country and city. The city field is disabled until a country is chosen; another country clears the city and loads its cities.
 * If a country has no cities, its name is the only choice. PROFILE-22 to PROFILE-28
 */
export function CountryCityFields({ countryName, cityName, countryLabel, cityLabel, isOwn = false }: Props) {
  const { t, i18n } = useTranslation(['details', 'parts'])
  const { setValue, getFieldState, formState } = useFormContext()
  const countries = useCountries()
  const labelOf = useCountryLabel(countries.files)
  const chosenCountry = useWatch<Record<string, string>>({ name: countryName }) ?? ''
  const cities = useCities(countries.files.get(chosenCountry))
  const searchCountries = useMemo(() => rankBy(countries.names, labelOf, i18n.language), [countries.names, labelOf, i18n.language])

  const clearCity = () => {
    const { isTouched } = getFieldState(cityName, formState)
    setValue(cityName, '', { shouldDirty: true, shouldValidate: isTouched && formState.isSubmitted })
  }

  const city = { name: cityName, label: cityLabel, isMandatory: true, ...(isOwn ? { autoComplete: 'address-level2' } : {}) }

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
      {cities.isEmpty ? (
        <SearchControl {...city} hint={t('CityNoneListed')} options={[chosenCountry]} search={() => [chosenCountry]} labelOf={labelOf} />
      ) : (
        <CityControl
          {...city}
          hint={chosenCountry === '' ? t('CityNeedsCountry') : t('CitySearch')}
          cities={cities.names}
          isDisabled={chosenCountry === ''}
          isLoading={cities.isLoading}
        >
          {cities.error ? <Failed text={t(cities.error.key, { status: cities.error.status })} onRetry={() => void cities.retry()} /> : null}
        </CityControl>
      )}
    </>
  )
}

interface CityControlProps extends Pick<
  SearchableSelectProps,
  'label' | 'hint' | 'isMandatory' | 'isDisabled' | 'isLoading' | 'autoComplete' | 'children'
> {
  name: string
  cities: readonly string[]
}

/** Like SearchControl, but a city may have several names; the list's own is stored. */
function CityControl({ name, cities, ...rest }: CityControlProps) {
  const { i18n } = useTranslation(['details', 'parts'])
  const { field, fieldState } = useController<Record<string, string>>({ name })
  const messageOf = useFieldMessage()
  const offered = useMemo(() => cityOptions(cities, i18n.language), [cities, i18n.language])
  const search = useMemo(() => lastOnly(offered.search), [offered])
  return (
    <SearchableSelect
      {...rest}
      {...field}
      value={offered.textOf(field.value ?? '')}
      options={offered.options}
      search={search}
      onChange={(text) => {
        const city = offered.cityOf(text)
        if (city !== field.value) field.onChange(city)
      }}
      error={messageOf(fieldState.error?.message)}
    />
  )
}

function Failed({ text, onRetry }: { text: string; onRetry: () => void }) {
  const { t } = useTranslation(['details', 'parts'])
  return (
    <p className={styles.below} role="status">
      {text}
      <Button variant="quiet" onClick={onRetry}>
        {t('parts:TryAgain')}
      </Button>
    </p>
  )
}

/** Remembers the last result: the combobox searches several times per keystroke, among up to 17,000 names. */
export function lastOnly<Result>(search: (typed: string) => Result): (typed: string) => Result {
  let last: { typed: string; result: Result } | undefined
  return (typed) => {
    if (last?.typed !== typed) last = { typed, result: search(typed) }
    return last.result
  }
}

/** Ranks countries from the first letter typed, by their name in the reader's language or in English; all of them without a text. */
export function rankBy(
  names: readonly string[],
  labelOf: (name: string) => string,
  language: string,
): (typed: string) => readonly string[] {
  const collator = new Intl.Collator(language)
  const inOrder = names.toSorted((a, b) => collator.compare(labelOf(a), labelOf(b)))
  return (typed) => {
    if (typed.trim() === '') return inOrder
    const minimum = typed.trim().length > 2 ? 60 : 80
    return inOrder
      .map((name) => ({ name, score: Math.max(fuzzyScore(typed, labelOf(name)), fuzzyScore(typed, name)) }))
      .filter(({ score }) => score >= minimum)
      .toSorted((a, b) => b.score - a.score)
      .map(({ name }) => name)
  }
}
