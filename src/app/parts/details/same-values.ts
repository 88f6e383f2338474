/** When two values of a form are stored alike, and which fields go together. */

export type Values = Record<string, unknown>

export const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value)
// the server stores texts without the blanks around them
const canonicalText = (value: unknown) => JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? part.trim() : part))

/** Whether both are stored alike. */
export const isSame = (one: unknown, other: unknown) => canonicalText(one) === canonicalText(other)

/** A list's order depends on who has merged it. */
export function isSameInAnyOrder(one: unknown, other: unknown): boolean {
  const inOneOrder = (value: unknown) => (Array.isArray(value) ? value.map(canonicalText).toSorted() : value)
  return isSame(inOneOrder(one), inOneOrder(other))
}

/** A city is one of its country: who has changed one of them has chosen both. */
export const COUNTRY_AND_CITY: readonly string[] = ['countryId', 'cityId']
export const CITY_FIELDS = [COUNTRY_AND_CITY, ['country', 'location']]
