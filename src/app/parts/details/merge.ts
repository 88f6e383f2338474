/** A form's values that were changed in two places: typed here, and saved from another tab or device. */

type Values = Record<string, unknown>

const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value)
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** A city is one of its country: who has changed one of them has chosen both. */
export const PLACE: readonly string[] = ['countryId', 'cityId']
const isPlaceOf = (name: string, values: Values, before: Values) =>
  PLACE.includes(name) && PLACE.some((one) => !isSame(values[one], before[one]))

/** Those of `values` that differ from `saved`; of an object within them its parts. */
export function changed<Form extends object>(values: Form, saved: Form): Partial<Form> {
  const [here, before] = [values as Values, saved as Values]
  const parts = Object.entries(here).flatMap(([name, value]): [string, unknown][] => {
    if (isSame(value, before[name]) && !isPlaceOf(name, here, before)) return []
    return [[name, isObject(value) && isObject(before[name]) ? changed(value, before[name]) : value]]
  })
  return Object.fromEntries(parts) as Partial<Form> // parts of it
}

/**
 * What was typed in a form, with what was saved elsewhere: a field that both have changed is as it was typed, and a list has the rows that
 * either has added.
 * @param base the saved values from which the form began
 */
export function merged<Form extends object>(base: Form, typed: Form, saved: Form): Form {
  const [before, here, elsewhere] = [base as Values, typed as Values, saved as Values]
  const parts = Object.entries(here).map(([name, value]) => [
    name,
    isPlaceOf(name, here, before) ? value : mergedValue(before[name], value, elsewhere[name]),
  ])
  return Object.fromEntries(parts) as Form // the same fields
}

function mergedValue(base: unknown, typed: unknown, saved: unknown): unknown {
  if (isSame(typed, base)) return saved
  if (Array.isArray(base) && Array.isArray(typed) && Array.isArray(saved)) return mergedRows(base, typed, saved)
  return isObject(base) && isObject(typed) && isObject(saved) ? merged(base, typed, saved) : typed
}

/** Where both have edited the same row it is as it was typed; if both have added or removed some, edited ones come last. */
function mergedRows(base: readonly unknown[], typed: readonly unknown[], saved: readonly unknown[]): unknown[] {
  const [wasThere, isTyped, isSaved] = [base, typed, saved].map(isIn) as [IsIn, IsIn, IsIn] // of each
  if (saved.length === base.length) return withEdits(typed, base, saved)
  if (typed.length === base.length) {
    const lost = typed.filter((row, place) => !wasThere(row) && !isSaved(base[place]))
    return [...withEdits(saved, base, typed), ...lost]
  }
  return [...typed.filter((row) => isSaved(row) || !wasThere(row)), ...saved.filter((row) => !wasThere(row) && !isTyped(row))]
}

type IsIn = (row: unknown) => boolean

function isIn(rows: readonly unknown[]): IsIn {
  const texts = new Set(rows.map((row) => JSON.stringify(row)))
  return (row) => texts.has(JSON.stringify(row))
}

/** The rows, of which those that are still as in `before` are as in `after`. */
function withEdits(rows: readonly unknown[], before: readonly unknown[], after: readonly unknown[]): unknown[] {
  const places = new Map(before.map((row, place) => [JSON.stringify(row), place]))
  return rows.map((row) => {
    const place = places.get(JSON.stringify(row))
    return place === undefined ? row : after[place]
  })
}
