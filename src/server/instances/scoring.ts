import { definitionOf } from '../content/content.ts'
import { doubtsOf, type Doubt } from '#contract/rules/answer-doubts.ts'
import { letterOf, stylesOf } from '#contract/rules/clear-results.ts'
import {
  AXES,
  type Definition,
  FACETS,
  type Facet,
  type LearningStyle,
  type Mode,
  type PersonalityType,
  type Pole,
  statementIds,
  STYLE_BY_POLES,
} from '../content/definition.ts'

/** From a player's answers to the scores; pure. Rules: SCORING-2 to SCORING-8, SCORING-14. */

/** Stored with every score; raised when a rule here changes, so that results can be computed again from the answers. */
export const scoringVersion = '2'

/** The names of a result are added by content.ts, in the caller's language. RESULTS-11 */
export interface Score {
  scoringVersion: string
  Section1: {
    /** the nearest style, whether or not it is clear */
    value: LearningStyle
    /** the styles it fits, the nearest first: one if it is clear */
    styles: string[]
    /** Sums of ratings, 12–48 each, 120 together: what is stronger within one player, never between players. */
    modes: Record<Mode, number>
    /** idea − experience and do − watch, −36…36. */
    axes: { ideaExperience: number; doWatch: number }
    /** Axes within 3 of the middle. */
    closeCalls: ('ideaExperience' | 'doWatch')[]
  }
  section2: {
    /** the nearest letter of each axis, whether or not it is clear */
    value: PersonalityType
    /** Choices for each pole, 11 together. `closeCall`: 6–5. `letter`: the clear one; null between the two. */
    axes: {
      axis: string
      first: string
      second: string
      firstCount: number
      secondCount: number
      strength: 'slight' | 'clear' | 'strong'
      closeCall: boolean
      letter: string | null
    }[]
  }
  /** Mean agreement, 1–5, with reverse-keyed statements reversed. */
  section3: { facets: { id: Facet; mean: number }[] }
  /** why the answers may not have been given with care; no score depends on it (SCORING-14) */
  doubts: Doubt[]
}

const CLOSE_CALL_AXIS = 3

/** Decides an axis that is tied by all other criteria. The order is arbitrary, but fixed. */
const TIE_ORDER: readonly Mode[] = ['experience', 'do', 'idea', 'watch']

/**
 * @param answers by statement id ('1'–'4', each once in a group), pair id ('A', 'B'), agreement item id ('1'–'5')
 * @throws on an answer that is missing or impossible: callers check completeness first, so it is a bug
 */
export function score(contentVersion: string, answers: Record<string, string>): Score {
  const definition = definitionOf(contentVersion)
  return {
    scoringVersion,
    Section1: scoreRankings(definition, answers),
    section2: scorePairs(definition, answers),
    section3: { facets: scoreAgreement(definition, answers) },
    doubts: findDoubts(definition, answers),
  }
}

type Ratings = Record<Mode, number[]>

function scoreRankings({ groups }: Definition, answers: Record<string, string>): Score['Section1'] {
  const ratings: Ratings = { experience: [], watch: [], idea: [], do: [] }
  for (const { id, modes } of groups) {
    const given = statementIds(id).map((statement) => answerTo(answers, statement, ['1', '2', '3', '4']))
    if (new Set(given).size !== given.length) throw new Error(`Two statements of ${id} share a rating`)
    for (const [position, mode] of modes.entries()) ratings[mode].push(Number(given[position]))
  }
  const modes = { experience: sum(ratings.experience), watch: sum(ratings.watch), idea: sum(ratings.idea), do: sum(ratings.do) }
  const axes = { ideaExperience: modes.idea - modes.experience, doWatch: modes.do - modes.watch }
  const value = STYLE_BY_POLES[stronger(ratings, 'idea', 'experience')][stronger(ratings, 'do', 'watch')]
  return {
    value,
    styles: stylesOf(value, axes),
    modes,
    axes,
    closeCalls: (['ideaExperience', 'doWatch'] as const).filter((axis) => Math.abs(axes[axis]) <= CLOSE_CALL_AXIS),
  }
}

/** The higher sum; when equal, more 4s, then more 3s, then TIE_ORDER (SCORING-4). */
function stronger<One extends Mode, Other extends Mode>(ratings: Ratings, one: One, other: Other): One | Other {
  const difference =
    sum(ratings[one]) - sum(ratings[other]) ||
    count(ratings[one], 4) - count(ratings[other], 4) ||
    count(ratings[one], 3) - count(ratings[other], 3) ||
    TIE_ORDER.indexOf(other) - TIE_ORDER.indexOf(one)
  return difference > 0 ? one : other
}

function scorePairs({ pairs }: Definition, answers: Record<string, string>): Score['section2'] {
  const chosen: Pole[] = pairs.map((pair) => pair[answerTo(answers, pair.id, ['A', 'B'])])
  const axes = AXES.map(({ axis, first, second }) => {
    const firstCount = count(chosen, first)
    const secondCount = count(chosen, second)
    const larger = Math.max(firstCount, secondCount)
    const counts = { first, second, firstCount, secondCount }
    return { axis, ...counts, strength: strengthOf(larger), closeCall: isCloseCall(larger), letter: letterOf(counts) }
  })
  const letters = axes.map(({ first, second, firstCount, secondCount }) => (firstCount > secondCount ? first : second))
  return { value: letters.join('') as PersonalityType, axes } // one letter of each axis, in the order of AXES
}

/** Whether 11 choices are 6 to 5. */
function isCloseCall(larger: number): boolean {
  return larger === 6
}

/** How strong a preference is, by the larger side of 11 choices: slight 6–7, clear 8–9, strong 10–11. */
export function strengthOf(larger: number): 'slight' | 'clear' | 'strong' {
  if (larger >= 10) return 'strong'
  return larger >= 8 ? 'clear' : 'slight'
}

function scoreAgreement({ statements }: Definition, answers: Record<string, string>): Score['section3']['facets'] {
  return FACETS.map((id) => {
    const values = statements
      .filter(({ facet }) => facet === id)
      .map((statement) => {
        const agreement = Number(answerTo(answers, statement.id, ['1', '2', '3', '4', '5']))
        return statement.reversed ? 6 - agreement : agreement
      })
    return { id, mean: sum(values) / values.length }
  })
}

function findDoubts({ groups, pairs, statements }: Definition, answers: Record<string, string>): Doubt[] {
  const given = (id: string) => answers[id] ?? ''
  return doubtsOf({
    rankings: groups.map(({ id }) => statementIds(id).map(given)),
    pairs: pairs.map(({ id }) => given(id)),
    agreements: statements.map(({ id }) => given(id)),
  })
}

function answerTo<Value extends string>(answers: Record<string, string>, id: string, allowed: readonly Value[]): Value {
  const answer = allowed.find((value) => value === answers[id])
  if (answer === undefined) throw new Error(`No valid answer to ${id}`)
  return answer
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function count<Value>(values: readonly Value[], wanted: Value): number {
  return values.filter((value) => value === wanted).length
}
