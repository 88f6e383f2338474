/** A form's values that were changed in two places: typed here, and saved from another tab or device. */

type Values = Record<string, unknown>

const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value)
// the server stores texts without the blanks around them
const textOf = (value: unknown) => JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? part.trim() : part))

/** Whether both are stored alike. */
export const isSame = (one: unknown, other: unknown) => textOf(one) === textOf(other)

/** A city is one of its country: who has changed one of them has chosen both. */
export const PLACE: readonly string[] = ['countryId', 'cityId']
const PLACES = [PLACE, ['country', 'location']]
const isInChangedPlace = (name: string, values: Values, before: Values) =>
  PLACES.some((place) => place.includes(name) && place.some((one) => !isSame(values[one], before[one])))

/** Those of `values` that differ from `saved`; of an object within them its parts. */
export function changed<Form extends object>(values: Form, saved: Form): Partial<Form> {
  const [here, before] = [values as Values, saved as Values]
  const parts = Object.entries(here).flatMap(([name, value]): [string, unknown][] => {
    if (isSame(value, before[name]) && !isInChangedPlace(name, here, before)) return []
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
    isInChangedPlace(name, here, before) ? value : mergedValue(before[name], value, elsewhere[name]),
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
  const inOneOrder = (value: unknown) => (Array.isArray(value) ? value.map(textOf).toSorted() : value)
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
export function differing<Form extends object>(values: Form, others: Form): Partial<Form> {
  const differs = (name: string) => !isSameInAnyOrder((values as Values)[name], (others as Values)[name])
  const isMeant = (name: string) => differs(name) || (PLACE.includes(name) && PLACE.some(differs))
  return Object.fromEntries(Object.entries(values).filter(([name]) => isMeant(name))) as Partial<Form> // some of them
}

/** The values from which what is typed was edited: of each field, and part of one, what was sent before, once it is saved. */
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
  /** Those of the base up to a place that were removed here and edited elsewhere, and are not in the result yet. */
  const keptUpTo = (place: number) => {
    const places = base.slice(next, place).map((_, at) => next + at)
    next = Math.max(next, place)
    return places.flatMap((at) =>
      here[at] === undefined && elsewhere[at] !== undefined && !isSame(elsewhere[at], base[at]) ? [elsewhere[at]] : [],
    )
  }
  const rows = typed.flatMap((row) => {
    const place = here.indexOf(row)
    if (place === NOWHERE) {
      const same = added.findIndex((one) => isSame(one, row))
      return [...keptUpTo(base.length), ...(same === NOWHERE ? [row] : added.splice(same, 1))]
    }
    const other = elsewhere[place]
    const kept = keptUpTo(place)
    if (other === undefined) return isSame(row, base[place]) ? kept : [...kept, row]
    return [...kept, mergedValue(base[place], row, other)]
  })
  return [...rows, ...keptUpTo(base.length), ...added]
}

/** For each row of a list what has become of it in another: the same one, else a new one in its place that is like no other row. */
function versionsOf(base: readonly unknown[], rows: readonly unknown[]): unknown[] {
  const taken = new Set<number>()
  const same = base.map((row) => {
    const found = rows.findIndex((other, place) => !taken.has(place) && isSame(row, other))
    taken.add(found)
    return found
  })
  const likenesses = base.map((row, place) => {
    const after = Math.max(NOWHERE, ...same.slice(0, place))
    const before = Math.min(rows.length, ...same.slice(place + 1).filter((one) => one !== NOWHERE))
    const isFree = (at: number) => same[place] === NOWHERE && at > after && at < before && !taken.has(at)
    return rows.map((other, at) => (isFree(at) ? likeness(row, other) : 0))
  })
  return same.map((found, place) => {
    if (found !== NOWHERE) return rows[found]
    const ofRow = likenesses[place] ?? []
    const at = placeOfMost(ofRow)
    const ofOther = likenesses.map((one) => one[at] ?? 0)
    // each is the other's best, or it might be another row that was edited
    return at !== NOWHERE && (ofRow[at] ?? 0) >= SAME_ROW_FROM && placeOfMost(ofOther) === place ? rows[at] : undefined
  })
}

/** what `findIndex` returns if it finds nothing */
const NOWHERE = -1
/** Of an edited row at least so much is the same; with less it is another row. */
const SAME_ROW_FROM = 0.6

/** NOWHERE if two are equal. */
function placeOfMost(numbers: readonly number[]): number {
  const most = Math.max(...numbers)
  const place = numbers.indexOf(most)
  return numbers.lastIndexOf(most) === place ? place : NOWHERE
}

/** 0 to 1: how many fields are the same, of two places one, and of a text that was edited its beginning. */
function likeness(one: unknown, other: unknown): number {
  if (!isObject(one) || !isObject(other)) return 0
  const names = Object.keys(one)
  const fields = names.filter((name) => !PLACES.some(([, ...within]) => within.includes(name)))
  const same = fields.map((name) => {
    const place = PLACES.find((parts) => parts.includes(name)) ?? [name]
    return place.every((part) => isSame(one[part], other[part])) ? 1 : sameBeginning(one[name], other[name])
  })
  return same.reduce((sum, share) => sum + share, 0) / fields.length
}

function sameBeginning(one: unknown, other: unknown): number {
  if (typeof one !== 'string' || typeof other !== 'string') return 0
  const length = Math.max(one.length, other.length)
  const differs = Array.from({ length }, (_, at) => at).find((at) => one[at] !== other[at]) ?? length
  return differs / (length + 1)
}
