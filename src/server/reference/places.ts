import { cityListHas, isCityListEmpty } from './city-lists.ts'
import countries from './countries.json' with { type: 'json' }

/** Countries and cities as the forms send them: their ids are their names (PROFILE-12). */

export function findCountry(name: string): { countryName: string; cityFile: string } | undefined {
  return countries.find((country) => country.countryName === name)
}

/** A country without cities counts as its own only city, since the details require one (PROFILE-28). */
export async function isCityOf(countryName: string, city: string, directory?: string): Promise<boolean> {
  const country = findCountry(countryName)
  if (!country) return false
  if (await cityListHas(country.cityFile, city, directory)) return true
  return city === country.countryName && (await isCityListEmpty(country.cityFile, directory))
}

/** The country and the city, each null if it is not in the lists. */
export async function knownPlaceOf(
  country: string | null,
  city: string | null,
): Promise<{ countryId: string | null; cityId: string | null }> {
  const known = country === null ? undefined : findCountry(country)
  if (!known) return { countryId: null, cityId: null }
  const hasCity = city !== null && (await isCityOf(known.countryName, city))
  return { countryId: known.countryName, cityId: hasCity ? city : null }
}
