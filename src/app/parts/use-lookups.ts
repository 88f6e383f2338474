import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useMemo } from 'react'
import { useCall } from '#app/api/use-call.ts'
import { fuzzyFilter } from '#app/ui/fuzzy.ts'
import { api } from '#contract/api.ts'
import { POSITION_FALLBACK, SPORT } from '#contract/constants.ts'
import { type CityListError, fetchCities } from './cities.ts'
import type { Choice } from './form-controls.tsx'

/** What the forms offer to choose from. §3 Lookups, §7 */

const none: readonly never[] = []

/** Country names are ids (§3); `codeOf` gives the two letters for the reader's own name of it, `fileOf` its city list. */
export function useCountries() {
  const call = useCall(api.reference.countries)
  const countries = call.data?.countries
  return useMemo(() => {
    const files = new Map(countries?.map((country) => [country.countryName, country.cityFile]))
    return { names: [...files.keys()], files, isLoading: call.isPending, isFailed: call.isError, retry: call.refetch }
  }, [countries, call.isPending, call.isError, call.refetch])
}

/** The cities of a country's file, by population. A failure is logged and the list is empty. §8 Cities */
export function useCities(cityFile: string | undefined) {
  const query = useQuery<readonly string[], CityListError>({
    queryKey: ['City', cityFile],
    queryFn: async ({ signal }) => {
      const names = await fetchCities(cityFile ?? '', signal).catch((error: unknown) => {
        if (!signal.aborted) console.error(error)
        throw error
      })
      // A first search makes the list ready for those that are waited for
      setTimeout(() => fuzzyFilter(names, 'any'))
      return names
    },
    enabled: cityFile !== undefined,
    // The worker may know the list without a network
    networkMode: 'always',
    retry: false,
  })
  return { names: query.data ?? none, isLoading: query.isFetching, error: query.error, retry: query.refetch }
}

/** `defence-left` → `DefenceLeft`. */
export function pascal(value: string): string {
  return value.replace(/(?:^|[-\s])(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** The lookups speak English; a choice that the words know by its value reads in the reader's language. */
function useLabel(): (key: string, choice: Choice) => Choice {
  const { t, i18n } = useTranslation('parts')
  return (key, { value, label }) => ({ value, label: i18n.exists(key, { ns: 'parts' }) ? t(key) : label })
}

export function usePositions(): readonly Choice[] {
  const call = useCall(api.reference.positions, { params: { sportId: SPORT.id } })
  const labelled = useLabel()
  const positions = call.data?.positions
  const offered = positions === undefined || positions.length === 0 ? [POSITION_FALLBACK] : positions
  return offered.map(({ id, name }) => labelled(`Position${pascal(id)}`, { value: id, label: name }))
}

/** Label → value: lower case, spaces turned to hyphens (club type) or kept (the others). §3 Lookups */
export function teamChoices(labels: readonly string[], hasHyphens: boolean): Choice[] {
  return labels.map((label) => ({ value: hasHyphens ? label.toLowerCase().replaceAll(' ', '-') : label.toLowerCase(), label }))
}

export function useTeamOptions() {
  const { data } = useCall(api.reference.teamOptions)
  const labelled = useLabel()
  return {
    clubType: teamChoices(data?.clubType ?? none, true).map((choice) => labelled(`ClubType${pascal(choice.value)}`, choice)),
    teamGender: teamChoices(data?.teamGender ?? none, false).map((choice) => labelled(`TeamGender${pascal(choice.value)}`, choice)),
    ageGroup: teamChoices(data?.ageGroup ?? none, false).map((choice) => labelled(`AgeGroup${pascal(choice.value)}`, choice)),
  }
}

/** A country's own name in the reader's language; as the server spells it when the platform knows none. */
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
