import { letterOf, stylesOf } from '#contract/rules/what-stands.ts'
import { AXES, type Definition, FACETS, type LearningStyle, MODES, type Mode, STYLE_BY_POLES } from '#server/content/definition.ts'
import type { Score } from '#server/instances/scoring.ts'
import type { Sheet } from './players.ts'

/** What a sheet gives, of the same rules as `score()` but without ids, which is ten times as fast. `tests/tools/instrument` compares the two. */
export interface Result {
  /** choices for the first pole of each axis, of 11 */
  counts: number[]
  /** idea − experience, do − watch */
  plane: [number, number]
  nearestLetters: string[]
  /** null: between the two */
  letters: (string | null)[]
  nearestStyle: LearningStyle
  /** those it fits: one if the style stands */
  styles: string[]
  /** means, 1–5 */
  facets: number[]
}

const PAIRS_EACH = 11
const STATEMENTS_EACH = 4
const [EXPERIENCE, WATCH, IDEA, DO] = (['experience', 'watch', 'idea', 'do'] as const).map((mode: Mode) => MODES.indexOf(mode)) as [
  number,
  number,
  number,
  number,
]

export function resultsOf(definition: Definition): (sheet: Sheet) => Result {
  const pairAxes = definition.pairs.map((pair) => AXES.findIndex(({ axis }) => axis === pair.axis))
  const statementFacets = definition.statements.map(({ facet }) => FACETS.indexOf(facet))
  const lettersByCount = AXES.map(({ first, second }) =>
    Array.from({ length: PAIRS_EACH + 1 }, (_, firstCount) => {
      const secondCount = PAIRS_EACH - firstCount
      return { nearest: firstCount > secondCount ? first : second, standing: letterOf({ first, second, firstCount, secondCount }) }
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
    const plane: [number, number] = [sumOf(sheet, IDEA) - sumOf(sheet, EXPERIENCE), sumOf(sheet, DO) - sumOf(sheet, WATCH)]
    const nearestStyle = nearestStyleOf(sheet, plane)
    return {
      counts,
      plane,
      nearestLetters: counts.map((count, axis) => lettersByCount[axis]?.[count]?.nearest ?? ''),
      letters: counts.map((count, axis) => lettersByCount[axis]?.[count]?.standing ?? null),
      nearestStyle,
      styles: stylesAt(nearestStyle, plane),
      facets,
    }
  }
}

/** What `score()` gave, in the same form. */
export function resultOfScore({ Section1, section2, section3 }: Score): Result {
  return {
    counts: section2.axes.map(({ firstCount }) => firstCount),
    plane: [Section1.axes.ideaExperience, Section1.axes.doWatch],
    nearestLetters: [...section2.value],
    letters: section2.axes.map(({ letter }) => letter),
    nearestStyle: Section1.value,
    styles: Section1.styles,
    facets: section3.facets.map(({ mean }) => mean),
  }
}

function nearestStyleOf(sheet: Sheet, [ideaExperience, doWatch]: [number, number]): LearningStyle {
  const idea = ideaExperience || moreOf(sheet, IDEA, EXPERIENCE) || -1
  const act = doWatch || moreOf(sheet, DO, WATCH) || 1
  return STYLE_BY_POLES[idea > 0 ? 'idea' : 'experience'][act > 0 ? 'do' : 'watch']
}

/** For a tie: more 4s, then more 3s. SCORING-4 */
function moreOf(sheet: Sheet, one: number, other: number): number {
  const count = (mode: number, rating: number) => sheet.ratings.filter((group) => group[mode] === rating).length
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

function sumOf({ ratings }: Sheet, mode: number): number {
  let sum = 0
  for (const group of ratings) sum += group[mode] ?? 0
  return sum
}
