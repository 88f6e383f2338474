import * as z from 'zod/mini'
import { mediaUrl } from '#app/api/base-url.ts'
import { fuzzyFilter, fuzzyScore } from '#app/ui/forms/fuzzy.ts'
import { cityList } from '#contract/reference.ts'

/** City lists from the media host. PROFILE-30; failures PROFILE-29 */

/** Worded as in PROFILE-29; `key` and `status` let the screen say it in the reader's language. */
export class CityListError extends Error {
  readonly key: 'CityListFailed' | 'CityListInvalid' | 'CityListUnreachable'
  readonly status: number | undefined
  constructor(key: CityListError['key'], message: string, status?: number) {
    super(message)
    this.name = 'CityListError'
    this.key = key
    this.status = status
  }
}

/** An addition of ours: a file without other names, or with some that cannot be read, is still a list (PROFILE-27). */
const withOtherNames = z.object({
  otherNames: z.array(z.object({ city: z.string(), fr: z.optional(z.string()), also: z.array(z.string()) })),
})

/** The other names of a list's cities. */
const besides = new WeakMap<readonly string[], z.infer<typeof withOtherNames>['otherNames']>()

/** The names of one file (`FR.json`), in its own order: by population. Throws CityListError. */
export async function fetchCities(cityFile: string, signal?: AbortSignal): Promise<readonly string[]> {
  const response = await fetch(`${mediaUrl}cities/${encodeURIComponent(cityFile)}`, signal ? { signal } : {}).catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    throw new CityListError('CityListUnreachable', `Failed to fetch city list: ${String(cause)}`)
  })
  if (!response.ok) throw new CityListError('CityListFailed', `Failed to fetch city list: ${response.status}`, response.status)
  const file: unknown = await response.json().catch(() => undefined)
  const list = cityList.safeParse(file)
  if (!list.success) throw new CityListError('CityListInvalid', 'Invalid city data format: cities array not found')
  const { cities } = list.data
  besides.set(cities, withOtherNames.safeParse(file).data?.otherNames ?? [])
  return cities
}

const mostShown = 50 // PROFILE-24

/**
 * The options of a list. A city is shown in the reader's language, like its country. Found by another name, it shows that too:
 * “Brussels (Bruxelles)”; found by the list's own, that alone, so that typing it in full chooses it. Every name scores like the
 * city's own (PROFILE-23). `cityOf` gives the list's name, which is stored.
 */
export function cityOptions(cities: readonly string[], language: string) {
  const others = new Map(besides.get(cities)?.map((names) => [names.city, names]))
  const places = new Map(others.size === 0 ? [] : cities.map((city, place) => [city, place]))
  const textOf = (city: string) => (language === 'fr' ? others.get(city)?.fr : undefined) ?? city
  const namesOf = (city: string) => {
    const { fr = city, also = [] } = others.get(city) ?? {}
    return [city, fr, ...also].map((name) => ({ name, text: name === city ? city : `${textOf(city)} (${name})` }))
  }
  const citiesByText = new Map<string, string>()
  for (const city of others.keys()) for (const text of [textOf(city), ...namesOf(city).map((one) => one.text)]) citiesByText.set(text, city)

  const best = (city: string, typed: string) => {
    const plain = textOf(city)
    let found = { text: plain, score: fuzzyScore(typed, plain) }
    const isSeen = found.score >= 80 // the typed text is visible in it: no other name needs to be shown
    for (const { name, text } of namesOf(city)) {
      const score = fuzzyScore(typed, name)
      if (score > found.score) found = { text: isSeen ? plain : text, score }
    }
    return found
  }

  const search = (typed: string): readonly string[] => {
    const listed = fuzzyFilter(cities, typed)
    if (others.size === 0 || typed.normalize('NFC').trim().length <= 2) return listed.map(textOf)
    return [...new Set([...others.keys(), ...listed])]
      .map((city) => ({ ...best(city, typed), place: places.get(city) ?? 0 }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score || a.place - b.place)
      .slice(0, mostShown)
      .map(({ text }) => text)
  }

  return { options: cities.map(textOf), search, textOf, cityOf: (text: string) => citiesByText.get(text) ?? text }
}
