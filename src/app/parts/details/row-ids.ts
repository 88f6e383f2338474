import { CITY_FIELDS, isObject, isSame } from './same-values.ts'

/** Which rows of a list are which rows of an earlier state of it: they are stored without ids. */

/** `id` is the row's place in the base, undefined if it was added since. */
export interface RowWithId {
  id: number | undefined
  row: unknown
}

/** A row of the base, and its place among the rows of now. */
interface Pair {
  id: number
  place: number
}

/** The share of its fields that an edited row must have kept; with fewer it counts as another row. */
const SAME_ROW_FROM = 0.6

/** The rows, each with its id: that of the same row of the base, or of the one that it was before it was edited. */
export function withIds(rows: readonly unknown[], base: readonly unknown[]): RowWithId[] {
  const unchanged = unchangedPairs(base, rows)
  const pairs = [...unchanged, ...editedPairs(base, rows, unchanged)]
  return rows.map((row, at) => ({ id: pairs.find(({ place }) => place === at)?.id, row }))
}

function unchangedPairs(base: readonly unknown[], rows: readonly unknown[]): Pair[] {
  const pairs: Pair[] = []
  for (const [id, row] of base.entries()) {
    const place = rows.findIndex((other, at) => isSame(row, other) && !pairs.some((pair) => pair.place === at))
    if (place !== -1) pairs.push({ id, place })
  }
  return pairs
}

/** Pairs of the other rows that are alike and have the same unchanged rows before and after them. */
function editedPairs(base: readonly unknown[], rows: readonly unknown[], unchanged: readonly Pair[]): Pair[] {
  const isPossible = ({ id, place }: Pair) =>
    unchanged.every((pair) => (pair.id < id && pair.place < place) || (pair.id > id && pair.place > place))
  const possible = base.flatMap((row, id) =>
    rows.flatMap((other, place) => (isPossible({ id, place }) ? [{ id, place, likeness: likeness(row, other) }] : [])),
  )
  // each is the other's best, or it might be another row that was edited
  return possible.filter((pair) => {
    const rivals = possible.filter((other) => other !== pair && (other.id === pair.id || other.place === pair.place))
    return pair.likeness >= SAME_ROW_FROM && rivals.every((rival) => rival.likeness < pair.likeness)
  })
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
