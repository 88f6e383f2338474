import * as z from 'zod/mini'
import { mediaUrl } from '#app/api/base-url.ts'
import { fuzzyFilter, fuzzyScore } from '#app/ui/forms/fuzzy.ts'
import { cityList } from '#contract/reference.ts'

/** City lists from the media host (PROFILE-30) and their failures (PROFILE-29). */

/** `message` is worded as in PROFILE-29; `key` and `status` are for a text in the reader's language. */
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

/** Optional: a file whose other names are missing or malformed is still a valid list (PROFILE-27). */
const otherNamesFile = z.object({
  otherNames: z.array(z.object({ city: z.string(), fr: z.optional(z.string()), also: z.array(z.string()) })),
})

/** City list → the other names of its cities. */
const otherNamesOf = new WeakMap<readonly string[], z.infer<typeof otherNamesFile>['otherNames']>()

/** The city names of a file such as `FR.json`, largest population first. Throws CityListError. */
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
  otherNamesOf.set(cities, otherNamesFile.safeParse(file).data?.otherNames ?? [])
  return cities
}

const mostShown = 50 // PROFILE-24

/**
 * The options of a city list. A city is shown in the reader's language, like its country. If another name matches better, the
 * option shows both, as “Brussels (Bruxelles)”; a match on the list's own name shows that alone, so that typing it in full chooses
 * it. All names score by the same rules (PROFILE-23). `cityOf` turns an option back into the list's name, which is what is stored.
 */
export function cityOptions(cities: readonly string[], language: string) {
  const others = new Map(otherNamesOf.get(cities)?.map((names) => [names.city, names]))
  const places = new Map(others.size === 0 ? [] : cities.map((city, place) => [city, place]))
  const textOf = (city: string) => (language === 'fr' ? others.get(city)?.fr : undefined) ?? city
  const namesOf = (city: string) => {
    const { fr = city, also = [] } = others.get(city) ?? {}
    return [city, fr, ...also].map((name) => ({ name, text: name === city ? city : `${textOf(city)} (${name})` }))
  }
  const citiesByText = new Map<string, string>()
  for (const city of others.keys()) for (const text of [textOf(city), ...namesOf(city).map((one) => one.text)]) citiesByText.set(text, city)

  const bestMatch = (city: string, typed: string) => {
    const plain = textOf(city)
    let best = { text: plain, score: fuzzyScore(typed, plain) }
    const isVisible = best.score >= 80 // the option already shows what was typed: no need to add the other name
    for (const { name, text } of namesOf(city)) {
      const score = fuzzyScore(typed, name)
      if (score > best.score) best = { text: isVisible ? plain : text, score }
    }
    return best
  }

  const search = (typed: string): readonly string[] => {
    const listed = fuzzyFilter(cities, typed)
    if (others.size === 0 || typed.normalize('NFC').trim().length <= 2) return listed.map(textOf)
    return [...new Set([...others.keys(), ...listed])]
      .map((city) => ({ ...bestMatch(city, typed), place: places.get(city) ?? 0 }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score || a.place - b.place)
      .slice(0, mostShown)
      .map(({ text }) => text)
  }

  return { options: cities.map(textOf), search, textOf, cityOf: (text: string) => citiesByText.get(text) ?? text }
}
