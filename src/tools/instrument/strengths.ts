import { type Definition, MODES, type Mode } from '#server/content/definition.ts'
import { Questionnaire, type Sheet, type Strengths } from './players.ts'
import { Random } from './random.ts'

/** Which strength gives the mean correlation of two questions of a scale that a scenario assumes. */

const QUESTIONNAIRES = 100
const PLAYERS_EACH = 200
const STRONGEST = 3
/** halves of the range: to 0.006 */
const STEPS = 9
const SEED = 20_261

/** One scale of each part. By their symmetry the other scales of a part have the same strength. */
function scalesOf({ groups, pairs, statements, ...rest }: Definition): Record<keyof Strengths, Definition> {
  const none = { ...rest, groups: [], pairs: [], statements: [] }
  return {
    pairs: { ...none, pairs: pairs.filter(({ axis }) => axis === 'EI') },
    rankings: { ...none, groups },
    agreement: { ...none, statements: statements.filter(({ facet }) => facet === 'composure') },
  }
}

/** The values on a sheet that has one scale alone. Of a ranking: idea − experience. */
function valuesOf({ pairs, ratings, agreement }: Sheet): number[] {
  const ratingOf = (group: readonly number[], mode: Mode) => group[MODES.indexOf(mode)] ?? 0
  return [...pairs, ...ratings.map((group) => ratingOf(group, 'idea') - ratingOf(group, 'experience')), ...agreement]
}

/** The mean covariance of two questions of a scale by the mean variance of one. */
function meanCorrelation(scale: Definition, strength: number): number {
  const random = new Random(SEED)
  const strengths = { pairs: strength, rankings: strength, agreement: strength }
  let [ofTotals, ofQuestions, questions] = [0, 0, 0]
  for (let made = 0; made < QUESTIONNAIRES; made += 1) {
    const questionnaire = new Questionnaire(scale, strengths, random)
    const rows = Array.from({ length: PLAYERS_EACH }, () => valuesOf(questionnaire.fillIn(questionnaire.player(), 0)))
    questions = rows[0]?.length ?? 0
    ofTotals += variance(rows.map((row) => row.reduce((total, value) => total + value, 0)))
    for (let at = 0; at < questions; at += 1) ofQuestions += variance(rows.map((row) => row[at] ?? 0))
  }
  return (ofTotals - ofQuestions) / ((questions - 1) * ofQuestions)
}

export function strengthsFor(correlation: number, definition: Definition): Strengths {
  const scales = scalesOf(definition)
  const find = (part: keyof Strengths) => {
    let [low, high] = [0, STRONGEST]
    for (let step = 0; step < STEPS; step += 1) {
      const middle = (low + high) / 2
      if (meanCorrelation(scales[part], middle) < correlation) low = middle
      else high = middle
    }
    return Math.round(50 * (low + high)) / 100
  }
  return { pairs: find('pairs'), rankings: find('rankings'), agreement: find('agreement') }
}

function variance(values: readonly number[]): number {
  let [sum, squares] = [0, 0]
  for (const value of values) {
    sum += value
    squares += value * value
  }
  return (squares - (sum * sum) / values.length) / (values.length - 1)
}
