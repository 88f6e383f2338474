import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { useMemo } from 'react'
import { useCall } from '#app/api/use-call.ts'
import { fuzzyFilter } from '#app/ui/forms/fuzzy.ts'
import { reference } from '#contract/reference.ts'
import { POSITION_FALLBACK, SPORT } from '#contract/constants.ts'
import { type CityListError, fetchCities } from './cities.ts'
import type { Choice } from './form-controls.tsx'

/** The choices of the forms' selects. PROFILE-30 to PROFILE-32 */

const none: readonly never[] = []

/** The country names, which are also their ids (PROFILE-30); `files` maps each to its city file, as 'France' → 'FR.json'. */
export function useCountries() {
  const call = useCall(reference.countries)
  const countries = call.data?.countries
  return useMemo(() => {
    const files = new Map(countries?.map((country) => [country.countryName, country.cityFile]))
    return { names: [...files.keys()], files, isLoading: call.isPending, isFailed: call.isError, retry: call.refetch }
  }, [countries, call.isPending, call.isError, call.refetch])
}

/** The cities of a country, largest population first. A failure is logged and the list is empty. PROFILE-29 */
export function useCities(cityFile: string | undefined) {
  const query = useQuery<readonly string[], CityListError>({
    queryKey: ['City', cityFile],
    queryFn: async ({ signal }) => {
      const names = await fetchCities(cityFile ?? '', signal).catch((error: unknown) => {
        if (!signal.aborted) console.error(error)
        throw error
      })
      // the first search indexes the list: do it before anybody types
      setTimeout(() => fuzzyFilter(names, 'any'))
      return names
    },
    enabled: cityFile !== undefined,
    retry: false,
  })
  return {
    names: query.data ?? none,
    isEmpty: query.data?.length === 0,
    isLoading: query.isFetching,
    error: query.error,
    retry: query.refetch,
  }
}

/** `defence-left` → `DefenceLeft`. */
export function pascal(value: string): string {
  return value.replace(/(?:^|[-\s])(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** Props of a SelectControl: `labelOf` is for a stored value that is not among the choices, or not yet loaded. */
interface Lookup {
  choices: readonly Choice[]
  labelOf: (value: string) => string
}

/** The API's labels are in English; a value that has a translation is shown in the reader's language. */
function useLookup(): (keyOf: (value: string) => string, offered: readonly Choice[]) => Lookup {
  const { t, i18n } = useTranslation(['details', 'parts'])
  return (keyOf, offered) => {
    const labelOf = (value: string, label = value) => (i18n.exists(keyOf(value), { ns: 'details' }) ? t(keyOf(value)) : label)
    return { choices: offered.map(({ value, label }) => ({ value, label: labelOf(value, label) })), labelOf: (value) => labelOf(value) }
  }
}

/** Falls back to 'Defence - Left' if the API has none. PROFILE-31 */
export function usePositions(): Lookup {
  const call = useCall(reference.positions, { params: { sportId: SPORT.id } })
  const lookup = useLookup()
  const positions = call.data?.positions
  const offered = positions === undefined || positions.length === 0 ? [POSITION_FALLBACK] : positions
  return lookup(
    (value) => `parts:Position${pascal(value)}`,
    offered.map(({ id, name }) => ({ value: id, label: name })),
  )
}

/** A value is its label in lower case; a club type's has hyphens for spaces. PROFILE-32 */
export function lookupChoices(labels: readonly string[], hasHyphens: boolean): Choice[] {
  return labels.map((label) => ({ value: hasHyphens ? label.toLowerCase().replaceAll(' ', '-') : label.toLowerCase(), label }))
}

export function useTeamOptions() {
  const { data } = useCall(reference.teamOptions)
  const lookup = useLookup()
  return {
    clubType: lookup((value) => `ClubType${pascal(value)}`, lookupChoices(data?.clubType ?? none, true)),
    teamGender: lookup((value) => `TeamGender${pascal(value)}`, lookupChoices(data?.teamGender ?? none, false)),
    ageGroup: lookup((value) => `AgeGroup${pascal(value)}`, lookupChoices(data?.ageGroup ?? none, false)),
  }
}

/** A country's name in the reader's language; the server's spelling if the browser knows none. The file's name is the country's code. */
export function useCountryLabel(files: ReadonlyMap<string, string>): (country: string) => string {
  const { i18n } = useTranslation()
  return useMemo(() => {
    const names = new Intl.DisplayNames([i18n.language], { type: 'region', fallback: 'none' })
    return (country) => {
      const code = files.get(country)?.slice(0, 2)
      return (code === undefined ? undefined : names.of(code)) ?? country
    }
  }, [i18n.language, files])
}
