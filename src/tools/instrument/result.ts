import { letterOf, stylesOf } from '#contract/rules/clear-results.ts'
import { AXES, type Definition, FACETS, type LearningStyle, MODES, type Mode, STYLE_BY_POLES } from '#server/content/definition.ts'
import type { Sheet } from './players.ts'

/** What a sheet gives, by the rules of `score()`: without ids, which is ten times as fast. `tests/tools/instrument` compares the two. */
export interface Result {
  /** choices for the first pole of each axis, of 11 */
  counts: number[]
  /** idea − experience, do − watch */
  plane: [number, number]
  nearestLetters: string[]
  /** null: between the two */
  letters: (string | null)[]
  nearestStyle: LearningStyle
  /** those it fits: one if the style is clear */
  styles: string[]
  /** means, 1–5 */
  facets: number[]
}

/** Pairs of each axis. */
export const PAIRS_EACH = 11
const STATEMENTS_EACH = 4
export function resultsOf(definition: Definition): (sheet: Sheet) => Result {
  const pairAxes = definition.pairs.map((pair) => AXES.findIndex(({ axis }) => axis === pair.axis))
  const statementFacets = definition.statements.map(({ facet }) => FACETS.indexOf(facet))
  const lettersByCount = AXES.map(({ first, second }) =>
    Array.from({ length: PAIRS_EACH + 1 }, (_, firstCount) => {
      const secondCount = PAIRS_EACH - firstCount
      return { nearest: firstCount > secondCount ? first : second, clear: letterOf({ first, second, firstCount, secondCount }) }
    }),
  )
  const stylesByPlace = new Map<string, string[]>()
  const stylesAt = (nearest: LearningStyle, [ideaExperience, doWatch]: [number, number]) => {
    const place = `${nearest} ${ideaExperience} ${doWatch}`
    const styles = stylesByPlace.get(place) ?? stylesOf(nearest, { ideaExperience, doWatch })
    stylesByPlace.set(place, styles)
    return styles
  }
  return (sheet) => {
    const counts = totalsBy(pairAxes, sheet.pairs, AXES.length)
    const facets = totalsBy(statementFacets, sheet.agreement, FACETS.length).map((total) => total / STATEMENTS_EACH)
    const plane: [number, number] = [sumOf(sheet, 'idea') - sumOf(sheet, 'experience'), sumOf(sheet, 'do') - sumOf(sheet, 'watch')]
    const nearestStyle = nearestStyleOf(sheet, plane)
    return {
      counts,
      plane,
      nearestLetters: counts.map((count, axis) => lettersByCount[axis]?.[count]?.nearest ?? ''),
      letters: counts.map((count, axis) => lettersByCount[axis]?.[count]?.clear ?? null),
      nearestStyle,
      styles: stylesAt(nearestStyle, plane),
      facets,
    }
  }
}

/** What is still equal goes to experience and to do, by the fixed order of SCORING-4. */
function nearestStyleOf(sheet: Sheet, [ideaExperience, doWatch]: [number, number]): LearningStyle {
  const idea = ideaExperience || moreOf(sheet, 'idea', 'experience') || -1
  const act = doWatch || moreOf(sheet, 'do', 'watch') || 1
  return STYLE_BY_POLES[idea > 0 ? 'idea' : 'experience'][act > 0 ? 'do' : 'watch']
}

/** For a tie: more 4s, then more 3s. SCORING-4 */
function moreOf(sheet: Sheet, one: Mode, other: Mode): number {
  const count = (mode: Mode, rating: number) => sheet.ratings.filter((group) => group[MODES.indexOf(mode)] === rating).length
  return count(one, 4) - count(other, 4) || count(one, 3) - count(other, 3)
}

function totalsBy(scales: readonly number[], values: readonly number[], count: number): number[] {
  const totals = Array.from({ length: count }, () => 0)
  for (let at = 0; at < scales.length; at += 1) {
    const scale = scales[at] ?? 0
    totals[scale] = (totals[scale] ?? 0) + (values[at] ?? 0)
  }
  return totals
}

function sumOf({ ratings }: Sheet, mode: Mode): number {
  const place = MODES.indexOf(mode)
  let sum = 0
  for (const group of ratings) sum += group[place] ?? 0
  return sum
}
