import { letterOf, stylesOf } from '#contract/rules/what-stands.ts'
import type { InstanceRow } from './store.ts'

/** What stands of stored results, by one rule for all scoring versions: version 1 did not store it (SCORING-8). */

export type StoredResults = NonNullable<InstanceRow['instance']['results']>

/** The styles a result fits, the nearest first; one if it stands. */
export function fittingStyles({ value, axes, styles }: StoredResults['Section1']): string[] {
  return styles ?? stylesOf(value, axes)
}

/** The letter that stands on an axis; null between the two. */
export function standingLetter(axis: StoredResults['section2']['axes'][number]): string | null {
  return axis.letter === undefined ? letterOf(axis) : axis.letter
}

/** The types a result fits, the nearest first: one if all four letters stand, else all that differ only on axes between two letters. */
export function fittingTypes({ value, axes }: StoredResults['section2']): string[] {
  return axes.reduce(
    (types, axis, at) => {
      if (standingLetter(axis) !== null) return types
      const across = value[at] === axis.first ? axis.second : axis.first
      return [...types, ...types.map((type) => type.slice(0, at) + across + type.slice(at + 1))]
    },
    [value],
  )
}
