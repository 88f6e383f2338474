import { cityListHas, isCityListEmpty } from './city-lists.ts'
import countries from './countries.json' with { type: 'json' }

/** Countries and cities as the forms send them: an id equals its name (PROFILE-12). */

export function countryNamed(name: string): { countryName: string; cityFile: string } | undefined {
  return countries.find((country) => country.countryName === name)
}

/** A country whose list is empty is its own only place: the details need a city (PROFILE-28). */
export async function isCityOf(countryName: string, city: string, directory?: string): Promise<boolean> {
  const country = countryNamed(countryName)
  if (!country) return false
  if (await cityListHas(country.cityFile, city, directory)) return true
  return city === country.countryName && (await isCityListEmpty(country.cityFile, directory))
}

/** The part of a place that the lists know. */
export async function placeOf(country: string | null, city: string | null): Promise<{ countryId: string | null; cityId: string | null }> {
  const known = country === null ? undefined : countryNamed(country)
  if (!known) return { countryId: null, cityId: null }
  const hasCity = city !== null && (await isCityOf(known.countryName, city))
  return { countryId: known.countryName, cityId: hasCity ? city : null }
}
