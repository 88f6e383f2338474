import { letterOf, stylesOf } from '#contract/rules/clear-results.ts'
import type { InstanceRow } from './store.ts'

/** What is clear in stored results, by one rule for all scoring versions: version 1 did not store it (SCORING-8). */

export type StoredResults = NonNullable<InstanceRow['instance']['results']>

/** The styles a result fits, the nearest first; one if it is clear. */
export function fittingStyles({ value, axes, styles }: StoredResults['Section1']): string[] {
  return styles ?? stylesOf(value, axes)
}

/** The clear letter of an axis; null between the two. */
export function clearLetter(axis: StoredResults['section2']['axes'][number]): string | null {
  return axis.letter === undefined ? letterOf(axis) : axis.letter
}

/** The types a result fits, the nearest first: one if all four letters are clear, else all that differ only on axes between two letters. */
export function fittingTypes({ value, axes }: StoredResults['section2']): string[] {
  return axes.reduce(
    (types, axis, at) => {
      if (clearLetter(axis) !== null) return types
      const across = value[at] === axis.first ? axis.second : axis.first
      return [...types, ...types.map((type) => type.slice(0, at) + across + type.slice(at + 1))]
    },
    [value],
  )
}
