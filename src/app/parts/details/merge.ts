import { withIds, type RowWithId } from './row-ids.ts'
import { CITY_FIELDS, COUNTRY_AND_CITY, isObject, isSame, isSameInAnyOrder, type Values } from './same-values.ts'

/** A form's values that were changed in two places: typed here, and saved from another tab or device. */

const isOfChangedCity = (name: string, values: Values, before: Values) =>
  CITY_FIELDS.some((both) => both.includes(name) && both.some((one) => !isSame(values[one], before[one])))

/** The fields of `values` that differ from `saved`; of an object within them its parts. */
export function changedParts<Form extends object>(values: Form, saved: Form): Partial<Form> {
  const here = values as Values
  const before = saved as Values
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
  const before = base as Values
  const here = typed as Values
  const elsewhere = saved as Values
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

/** The fields of `values` that `names` has, too. */
export function pick<Values extends object>(values: Values, names: object): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in names)) as Partial<Values> // some of them
}

/** The fields of `values` that `names` has not. */
export function leaveOut<Values extends object>(values: Partial<Values>, names: object): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !(name in names))) as Partial<Values> // some of them
}

/** The fields of `values`, each as a whole and a city with its country, that are not as in `others`; the order of a list does not count. */
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

/**
 * Rows keep the places that they have here; one that was removed here and edited elsewhere is back where it was in the base, and what was
 * added elsewhere comes last.
 */
function mergedRows(base: readonly unknown[], typed: readonly unknown[], saved: readonly unknown[]): unknown[] {
  const here = withIds(typed, base)
  const elsewhere = withIds(saved, base)
  const addedElsewhere = elsewhere.flatMap(({ id, row }) => (id === undefined ? [row] : []))
  const rows = withRemoved(here, base.length).flatMap(({ id, row }) => {
    if (id !== undefined) return mergedRow(base[id], rowOf(here, id), rowOf(elsewhere, id))
    const same = addedElsewhere.findIndex((one) => isSame(one, row))
    return same === -1 ? [row] : addedElsewhere.splice(same, 1)
  })
  return [...rows, ...addedElsewhere]
}

const rowOf = (rows: readonly RowWithId[], wanted: number) => rows.find(({ id }) => id === wanted)?.row

/** One row of the base, if it is still one; undefined where it was removed. What was removed in one place and edited in the other stays. */
function mergedRow(before: unknown, typed: unknown, saved: unknown): unknown[] {
  if (typed !== undefined && saved !== undefined) return [mergedValue(before, typed, saved)]
  const left = typed ?? saved
  return left === undefined || isSame(left, before) ? [] : [left]
}

/** The rows, and those of the base that are missing among them: each before the first row that comes later in the base or was added. */
function withRemoved(rows: readonly RowWithId[], baseLength: number): RowWithId[] {
  const all = [...rows]
  for (let id = 0; id < baseLength; id += 1) {
    if (rows.some((one) => one.id === id)) continue
    const next = all.findIndex((one) => one.id === undefined || one.id > id)
    all.splice(next === -1 ? all.length : next, 0, { id, row: undefined })
  }
  return all
}
