import { AXES, type Definition, FACETS, MODES, type Mode, statementIds } from '#server/content/definition.ts'
import type { Random } from './random.ts'

/**
 * Invented players who fill in the questionnaire. Each trait is continuous: N(0, 1), one for each axis and facet, independent of each
 * other. A choice is a logit of the trait (2PL): `strength` times the distance between the player's trait and the question's middle.
 */

/** Logits per SD of the trait. With 0 the answers are those of a coin. */
export interface Strengths {
  pairs: number
  rankings: number
  agreement: number
}

/** Of the questions' middles, in SDs of the trait: how uneven they are. */
const UNEVEN = 0.6

/** In logits: where "disagree" becomes "rather disagree" and so on. A player in the middle gives the five answers in 12, 20, 36, 20 and 12 %. */
const AGREEMENT_STEPS = [-2, -0.75, 0.75, 2]

export interface Player {
  letters: number[]
  /** idea − experience, do − watch */
  plane: [number, number]
  facets: number[]
}

/** An answer sheet, by question and pole: without the ids and the places on the page, which `answersOf` adds. */
export interface Sheet {
  /** 1 where the first pole of the pair's axis was chosen */
  pairs: number[]
  /** of each group, in the order of MODES */
  ratings: number[][]
  /** 1–5, more is more of the facet */
  agreement: number[]
}

export class Questionnaire {
  readonly #definition: Definition
  readonly #strengths: Strengths
  readonly #random: Random
  readonly #pairAxes: number[]
  readonly #statementFacets: number[]
  readonly #pairMiddles: number[]
  readonly #statementAppeals: number[][]
  readonly #agreementMiddles: number[]

  /** With middles of its own: a figure should not hang on one draw of them. */
  constructor(definition: Definition, strengths: Strengths, random: Random) {
    this.#definition = definition
    this.#strengths = strengths
    this.#random = random
    this.#pairAxes = definition.pairs.map((pair) => AXES.findIndex(({ axis }) => axis === pair.axis))
    this.#statementFacets = definition.statements.map(({ facet }) => FACETS.indexOf(facet))
    this.#pairMiddles = definition.pairs.map(() => UNEVEN * random.normal())
    // so large that the difference of two statements is as uneven as a pair
    this.#statementAppeals = definition.groups.map(() => MODES.map(() => (UNEVEN * strengths.rankings * random.normal()) / Math.SQRT2))
    this.#agreementMiddles = definition.statements.map(() => UNEVEN * random.normal())
  }

  player(): Player {
    const normal = () => this.#random.normal()
    return { letters: AXES.map(normal), plane: [normal(), normal()], facets: FACETS.map(normal) }
  }

  /** @param swing how far the traits are off on the day, in SDs */
  fillIn(player: Player, swing: number): Sheet {
    const random = this.#random
    const today = (trait: number) => (swing === 0 ? trait : trait + swing * random.normal())
    const letters = player.letters.map(today)
    const [idea, act] = [today(player.plane[0]), today(player.plane[1])]
    const facets = player.facets.map(today)
    const { pairs, rankings, agreement } = this.#strengths
    const [pairMiddles, agreementMiddles] = [this.#pairMiddles, this.#agreementMiddles]
    const pulls: Record<Mode, number> = { experience: -idea, watch: -act, idea, do: act }
    // half for each side of an axis, so that `rankings` is the whole difference
    const likings = MODES.map((mode) => (rankings * pulls[mode]) / 2)
    return {
      pairs: this.#pairAxes.map((axis, at) => (pairs * ((letters[axis] ?? 0) - (pairMiddles[at] ?? 0)) + random.logistic() > 0 ? 1 : 0)),
      ratings: this.#statementAppeals.map((appeals) =>
        ranksOf(appeals.map((appeal, mode) => appeal + (likings[mode] ?? 0) + random.gumbel())),
      ),
      agreement: this.#statementFacets.map((facet, at) =>
        stepOf(agreement * ((facets[facet] ?? 0) - (agreementMiddles[at] ?? 0)) + random.logistic()),
      ),
    }
  }

  /** The sheet as a player's answers: statement, pair and item ids with what is stored. */
  answersOf(sheet: Sheet): Record<string, string> {
    const { groups, pairs, statements } = this.#definition
    return Object.fromEntries([
      ...groups.flatMap(({ id, modes }, group) =>
        statementIds(id).map((statement, at) => [statement, String(sheet.ratings[group]?.[MODES.indexOf(modes[at] ?? 'do')])]),
      ),
      ...pairs.map((pair, at) => {
        const axis = AXES[this.#pairAxes[at] ?? 0]
        return [pair.id, pair.A === (sheet.pairs[at] === 1 ? axis?.first : axis?.second) ? 'A' : 'B']
      }),
      ...statements.map(({ id, reversed }, at) => [id, String(reversed ? 6 - (sheet.agreement[at] ?? 0) : sheet.agreement[at])]),
    ])
  }
}

/** From 1, disagree, to 5, agree. */
function stepOf(felt: number): number {
  let step = 1
  for (const begin of AGREEMENT_STEPS) if (felt > begin) step += 1
  return step
}

/** 1 for the least, 4 for the most. */
function ranksOf(likings: number[]): number[] {
  const ranks = likings.map(() => 0)
  for (let one = 0; one < likings.length; one += 1)
    for (let other = 0; other < likings.length; other += 1)
      if ((likings[other] ?? 0) <= (likings[one] ?? 0)) ranks[one] = (ranks[one] ?? 0) + 1
  return ranks
}
