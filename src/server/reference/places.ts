import { cityListHas } from './city-lists.ts'
import countries from './countries.json' with { type: 'json' }

/** Countries and cities as the forms send them: an id equals its name (§3 Team entry). */

export function countryNamed(name: string): { countryName: string; cityFile: string } | undefined {
  return countries.find((country) => country.countryName === name)
}

export async function isCityOf(countryName: string, city: string): Promise<boolean> {
  const country = countryNamed(countryName)
  return country !== undefined && (await cityListHas(country.cityFile, city))
}

/** The part of a place that the lists know. */
export async function placeOf(country: string | null, city: string | null): Promise<{ countryId: string | null; cityId: string | null }> {
  const known = country === null ? undefined : countryNamed(country)
  if (!known) return { countryId: null, cityId: null }
  const hasCity = city !== null && (await cityListHas(known.cityFile, city))
  return { countryId: known.countryName, cityId: hasCity ? city : null }
}
