/** A form's values that were changed in two places: typed here, and saved from another tab or device. */

type Values = Record<string, unknown>

const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value)
// the server stores texts without the blanks around them
const canonicalText = (value: unknown) => JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? part.trim() : part))

/** Whether both are stored alike. */
export const isSame = (one: unknown, other: unknown) => canonicalText(one) === canonicalText(other)

/** A city is one of its country: who has changed one of them has chosen both. */
export const COUNTRY_AND_CITY: readonly string[] = ['countryId', 'cityId']
const CITY_FIELDS = [COUNTRY_AND_CITY, ['country', 'location']]
const isOfChangedCity = (name: string, values: Values, before: Values) =>
  CITY_FIELDS.some((both) => both.includes(name) && both.some((one) => !isSame(values[one], before[one])))

/** Those of `values` that differ from `saved`; of an object within them its parts. */
export function changedParts<Form extends object>(values: Form, saved: Form): Partial<Form> {
  const [here, before] = [values as Values, saved as Values]
  const parts = Object.entries(here).flatMap(([name, value]): [string, unknown][] => {
    if (isSame(value, before[name]) && !isOfChangedCity(name, here, before)) return []
    return [[name, isObject(value) && isObject(before[name]) ? changedParts(value, before[name]) : value]]
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
    isOfChangedCity(name, here, before) ? value : mergedValue(before[name], value, elsewhere[name]),
  ])
  return Object.fromEntries(parts) as Form // the same fields
}

/** Values that were sent, and those from which they had been edited. */
export interface Sent<Form> {
  values: Form
  base: Form
}

/** Whether `saved` has all that was edited in what was sent. */
export const includesEdits = <Form extends object>(saved: Form, { values, base }: Sent<Form>) =>
  Object.entries(merged(base, values, saved)).every(([name, value]) => isSameInAnyOrder(value, (saved as Values)[name]))

/** A list's order depends on who has merged it. */
function isSameInAnyOrder(one: unknown, other: unknown): boolean {
  const inOneOrder = (value: unknown) => (Array.isArray(value) ? value.map(canonicalText).toSorted() : value)
  return isSame(inOneOrder(one), inOneOrder(other))
}

/** Those of `values` that `names` has, too. */
export function pick<Values extends object>(values: Values, names: object): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in names)) as Partial<Values> // some of them
}

/** Those of `values` that `names` has not. */
export function leaveOut<Values extends object>(values: Partial<Values>, names: object): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !(name in names))) as Partial<Values> // some of them
}

/** Those of `values`, each as a whole and a city with its country, that are not as in `others`; the order of a list does not count. */
export function changedFields<Form extends object>(values: Form, others: Form): Partial<Form> {
  const differs = (name: string) => !isSameInAnyOrder((values as Values)[name], (others as Values)[name])
  const isMeant = (name: string) => differs(name) || (COUNTRY_AND_CITY.includes(name) && COUNTRY_AND_CITY.some(differs))
  return Object.fromEntries(Object.entries(values).filter(([name]) => isMeant(name))) as Partial<Form> // some of them
}

/** The values that the edits started from: of each field, and each part of one, the value that was sent before, once that is saved. */
export function editedFrom<Form extends object>(before: Form, sends: readonly Sent<Form>[], saved: Form): Form {
  const parts = Object.entries(before).map(([name, value]: [string, unknown]) => {
    const ofField = sends.map(({ values, base }) => ({ values: (values as Values)[name], base: (base as Values)[name] }))
    const stored = (saved as Values)[name]
    const isOfParts = (one: Sent<unknown>): one is Sent<Values> => isObject(one.values) && isObject(one.base)
    if (isObject(value) && isObject(stored)) return [name, editedFrom(value, ofField.filter(isOfParts), stored)]
    const done = ofField.findLast(
      (one) => !isSame(one.values, one.base) && isSameInAnyOrder(mergedValue(one.base, one.values, stored), stored),
    )
    return [name, done ? done.values : value]
  })
  return Object.fromEntries(parts) as Form // the same fields
}

function mergedValue(base: unknown, typed: unknown, saved: unknown): unknown {
  if (isSame(typed, base)) return saved
  if (Array.isArray(base) && Array.isArray(typed) && Array.isArray(saved)) return mergedRows(base, typed, saved)
  return isObject(base) && isObject(typed) && isObject(saved) ? merged(base, typed, saved) : typed
}

/** Rows keep their places, and what was added elsewhere comes last. One that was removed in one place and edited in the other stays. */
function mergedRows(base: readonly unknown[], typed: readonly unknown[], saved: readonly unknown[]): unknown[] {
  const [here, elsewhere] = [versionsOf(base, typed), versionsOf(base, saved)]
  const added = saved.filter((row) => !elsewhere.includes(row))
  let next = 0
  /** The rows of the base before this one that were removed here and edited elsewhere, and are not in the result yet. */
  const keptBefore = (index: number) => {
    const passed = base.slice(next, index).map((_, at) => next + at)
    next = Math.max(next, index)
    return passed.flatMap((at) =>
      here[at] === undefined && elsewhere[at] !== undefined && !isSame(elsewhere[at], base[at]) ? [elsewhere[at]] : [],
    )
  }
  const rows = typed.flatMap((row) => {
    const index = here.indexOf(row)
    if (index === NOT_FOUND) {
      const same = added.findIndex((one) => isSame(one, row))
      return [...keptBefore(base.length), ...(same === NOT_FOUND ? [row] : added.splice(same, 1))]
    }
    const other = elsewhere[index]
    const kept = keptBefore(index)
    if (other === undefined) return isSame(row, base[index]) ? kept : [...kept, row]
    return [...kept, mergedValue(base[index], row, other)]
  })
  return [...rows, ...keptBefore(base.length), ...added]
}

/** For each row of `base` its counterpart in `rows`: the same one, else a new one in between that is like no other row, or undefined. */
function versionsOf(base: readonly unknown[], rows: readonly unknown[]): unknown[] {
  const taken = new Set<number>()
  const same = base.map((row) => {
    const found = rows.findIndex((other, at) => !taken.has(at) && isSame(row, other))
    taken.add(found)
    return found
  })
  const likenesses = base.map((row, index) => {
    const after = Math.max(NOT_FOUND, ...same.slice(0, index))
    const before = Math.min(rows.length, ...same.slice(index + 1).filter((one) => one !== NOT_FOUND))
    const isFree = (at: number) => same[index] === NOT_FOUND && at > after && at < before && !taken.has(at)
    return rows.map((other, at) => (isFree(at) ? likeness(row, other) : 0))
  })
  return same.map((found, index) => {
    if (found !== NOT_FOUND) return rows[found]
    const ofRow = likenesses[index] ?? []
    const at = indexOfMaximum(ofRow)
    const ofOther = likenesses.map((one) => one[at] ?? 0)
    // each is the other's best, or it might be another row that was edited
    return at !== NOT_FOUND && (ofRow[at] ?? 0) >= SAME_ROW_FROM && indexOfMaximum(ofOther) === index ? rows[at] : undefined
  })
}

/** what `findIndex` returns if it finds nothing */
const NOT_FOUND = -1
/** Of an edited row at least so much is the same; with less it is another row. */
const SAME_ROW_FROM = 0.6

/** NOT_FOUND if two are the largest. */
function indexOfMaximum(numbers: readonly number[]): number {
  const most = Math.max(...numbers)
  const index = numbers.indexOf(most)
  return numbers.lastIndexOf(most) === index ? index : NOT_FOUND
}

/** 0 to 1: the share of the fields that are the same; a country with its city is one field, and an edited text counts by its beginning. */
function likeness(one: unknown, other: unknown): number {
  if (!isObject(one) || !isObject(other)) return 0
  const names = Object.keys(one)
  const fields = names.filter((name) => !CITY_FIELDS.some(([, ...within]) => within.includes(name)))
  const same = fields.map((name) => {
    const together = CITY_FIELDS.find((both) => both.includes(name)) ?? [name]
    return together.every((part) => isSame(one[part], other[part])) ? 1 : sameBeginning(one[name], other[name])
  })
  return same.reduce((sum, share) => sum + share, 0) / fields.length
}

function sameBeginning(one: unknown, other: unknown): number {
  if (typeof one !== 'string' || typeof other !== 'string') return 0
  const length = Math.max(one.length, other.length)
  const differs = Array.from({ length }, (_, at) => at).find((at) => one[at] !== other[at]) ?? length
  return differs / (length + 1)
}
