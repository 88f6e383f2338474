import { AXES, type Definition, FACETS } from '#server/content/definition.ts'
import { strengthOf } from '#server/instances/scoring.ts'
import { Questionnaire, type Player, type Strengths } from './players.ts'
import { Random } from './random.ts'
import { PAIRS_EACH, type Result, resultsOf } from './result.ts'
import { Retest } from './retest.ts'

/** The same players fill in the questionnaire twice: what of their result is the same, and what contradicts the first. */

interface Assumptions {
  strengths: Strengths
  /** how far a trait is off on one day, in SDs */
  swing: number
}

/** Shares are of 1. */
export interface Figures {
  letters: {
    retest: number
    sd: number
    sem: number
    /** nearest letters */
    same: number
    trueSide: number
    fourSame: number
    threeSame: number
    /** people with at least one nearest letter turned round: what a result that prints every letter would say */
    anyTurned: number
    /** people by how many of their letters are clear */
    clear: { none: number; one: number; two: number; three: number; four: number }
    clearMean: number
    /** clear letters: again the same · between this time · the opposite is clear */
    clearAgain: number
    clearThenBetween: number
    clearThenOpposite: number
    clearTrueSide: number
    /** people with at least one letter that was clear and whose opposite is clear now */
    contradicted: number
    /** people with at least one clear letter */
    anyClear: number
  }
  /** axes by the larger count of 11 */
  labels: { label: string; share: number; sameAgain: number; trueSide: number }[]
  style: {
    retest: number
    sd: number
    sem: number
    same: number
    trueSide: number
    clear: number
    ofTwo: number
    ofFour: number
    /** of clear styles */
    clearAgain: number
    clearTrueSide: number
    /** people whose style was clear and of whom another is clear now */
    contradicted: number
  }
  /** style and four letters, the nearest: the same text of the report */
  sameText: number
  facets: {
    retest: number
    sem: number
    /** of facets, those with a sentence in the report */
    said: number
    saidAgain: number
    /** of facets said at the first sitting, those of which the opposite is said at the second */
    contradicted: number
  }
}

export interface Simulation {
  figures: Figures
  /** how far the second sitting is from the first: four axes of letters in choices, two of the plane in points */
  differences: number[][]
}

const PLAYERS_EACH = 1000
/** Mean agreement from which, and down to which, a facet is mentioned (overview.ts). */
const [HIGH, LOW] = [4, 2]

export function simulate(definition: Definition, { strengths, swing }: Assumptions, people: number, seed: number): Simulation {
  const random = new Random(seed)
  const resultOf = resultsOf(definition)
  const tally = new Tally()
  for (let done = 0; done < people; done += PLAYERS_EACH) {
    const questionnaire = new Questionnaire(definition, strengths, random)
    for (let player = 0; player < PLAYERS_EACH; player += 1) {
      const person = questionnaire.player()
      tally.add(person, resultOf(questionnaire.fillIn(person, swing)), resultOf(questionnaire.fillIn(person, swing)))
    }
    tally.endQuestionnaire()
  }
  return { figures: tally.figures(), differences: tally.differences }
}

const LABELS = ['slight 6–5', 'slight 7–4', 'clear 8–9', 'strong 10–11']

function labelOf(larger: number): number {
  const strength = strengthOf(larger)
  if (strength === 'slight') return larger === 6 ? 0 : 1
  return strength === 'clear' ? 2 : 3
}

class Tally {
  readonly differences: number[][] = []
  readonly #retests = { letters: new Retest(), style: new Retest(), facets: new Retest() }
  readonly #counts = new Map<string, number>()
  #people = 0

  add(person: Player, first: Result, second: Result): void {
    this.#people += 1
    this.#addLetters(person, first, second)
    this.#addStyle(person, first, second)
    this.#addFacets(first, second)
    this.differences.push([
      ...second.counts.map((count, axis) => count - (first.counts[axis] ?? 0)),
      ...second.plane.map((points, axis) => points - (first.plane[axis] ?? 0)),
    ])
  }

  endQuestionnaire(): void {
    for (const retest of Object.values(this.#retests)) retest.endQuestionnaire()
  }

  #count(name: string, isSo = true): void {
    if (isSo) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
  }

  #share(name: string, of = this.#people): number {
    return of === 0 ? 0 : (this.#counts.get(name) ?? 0) / of
  }

  #addLetters(person: Player, first: Result, second: Result): void {
    let [same, clear, opposite] = [0, 0, 0]
    for (let axis = 0; axis < AXES.length; axis += 1) {
      const count = first.counts[axis] ?? 0
      this.#retests.letters.add(count, second.counts[axis] ?? 0)
      const isSame = first.nearestLetters[axis] === second.nearestLetters[axis]
      const isTrue = first.nearestLetters[axis] === trueLetter(person, axis)
      const label = labelOf(Math.max(count, PAIRS_EACH - count))
      this.#count(`label ${label}`)
      this.#count(`label ${label} same`, isSame)
      this.#count(`label ${label} true`, isTrue)
      this.#count('letter same', isSame)
      this.#count('letter true', isTrue)
      same += Number(isSame)
      const [letter, again] = [first.letters[axis], second.letters[axis]]
      if (letter === null) continue
      clear += 1
      this.#count('clear')
      this.#count('clear again', again === letter)
      this.#count('clear between', again === null)
      this.#count('clear true', isTrue)
      opposite += Number(again !== null && again !== letter)
      this.#count('clear opposite', again !== null && again !== letter)
    }
    this.#count(`same letters ${same}`)
    this.#count(`clear ${clear}`)
    this.#count('contradicted', opposite > 0)
    this.#count('same text', same === AXES.length && first.nearestStyle === second.nearestStyle)
  }

  #addStyle(person: Player, first: Result, second: Result): void {
    for (const axis of [0, 1] as const) this.#retests.style.add(first.plane[axis], second.plane[axis])
    const isTrue = first.nearestStyle === trueStyle(person)
    this.#count('style same', first.nearestStyle === second.nearestStyle)
    this.#count('style true', isTrue)
    this.#count(`styles ${first.styles.length}`)
    if (first.styles.length !== 1) return
    this.#count('style clear again', second.styles.length === 1 && second.nearestStyle === first.nearestStyle)
    this.#count('style clear true', isTrue)
    this.#count('style contradicted', second.styles.length === 1 && second.nearestStyle !== first.nearestStyle)
  }

  #addFacets(first: Result, second: Result): void {
    for (let facet = 0; facet < FACETS.length; facet += 1) {
      const [here, again] = [first.facets[facet] ?? 0, second.facets[facet] ?? 0]
      this.#retests.facets.add(here, again)
      const [said, saidAgain] = [saidOf(here), saidOf(again)]
      if (said === 0) continue
      this.#count('facet said')
      this.#count('facet said again', said === saidAgain)
      this.#count('facet contradicted', said === -saidAgain)
    }
  }

  figures(): Figures {
    const axes = this.#people * AXES.length
    const clear = this.#counts.get('clear') ?? 0
    const styles = this.#counts.get('styles 1') ?? 0
    const said = this.#counts.get('facet said') ?? 0
    const [letters, style, facets] = [this.#retests.letters.figures(), this.#retests.style.figures(), this.#retests.facets.figures()]
    return {
      letters: {
        retest: letters.r,
        sd: letters.sd,
        sem: letters.sem,
        same: this.#share('letter same', axes),
        trueSide: this.#share('letter true', axes),
        fourSame: this.#share('same letters 4'),
        threeSame: this.#share('same letters 3'),
        anyTurned: 1 - this.#share('same letters 4'),
        clear: {
          none: this.#share('clear 0'),
          one: this.#share('clear 1'),
          two: this.#share('clear 2'),
          three: this.#share('clear 3'),
          four: this.#share('clear 4'),
        },
        clearMean: clear / this.#people,
        clearAgain: this.#share('clear again', clear),
        clearThenBetween: this.#share('clear between', clear),
        clearThenOpposite: this.#share('clear opposite', clear),
        clearTrueSide: this.#share('clear true', clear),
        contradicted: this.#share('contradicted'),
        anyClear: 1 - this.#share('clear 0'),
      },
      labels: LABELS.map((label, at) => {
        const ofLabel = this.#counts.get(`label ${at}`) ?? 0
        return {
          label,
          share: ofLabel / axes,
          sameAgain: this.#share(`label ${at} same`, ofLabel),
          trueSide: this.#share(`label ${at} true`, ofLabel),
        }
      }),
      style: {
        retest: style.r,
        sd: style.sd,
        sem: style.sem,
        same: this.#share('style same'),
        trueSide: this.#share('style true'),
        clear: this.#share('styles 1'),
        ofTwo: this.#share('styles 2'),
        ofFour: this.#share('styles 4'),
        clearAgain: this.#share('style clear again', styles),
        clearTrueSide: this.#share('style clear true', styles),
        contradicted: this.#share('style contradicted'),
      },
      sameText: this.#share('same text'),
      facets: {
        retest: facets.r,
        sem: facets.sem,
        said: said / (this.#people * FACETS.length),
        saidAgain: this.#share('facet said again', said),
        contradicted: this.#share('facet contradicted', said),
      },
    }
  }
}

function trueLetter(person: Player, axis: number): string | undefined {
  return (person.letters[axis] ?? 0) > 0 ? AXES[axis]?.first : AXES[axis]?.second
}

function trueStyle({ plane: [idea, act] }: Player): string {
  if (idea > 0) return act > 0 ? 'training' : 'plan'
  return act > 0 ? 'play' : 'view'
}

/** 1: said to be high, -1: said to be low, 0: not mentioned. */
function saidOf(mean: number): number {
  if (mean >= HIGH) return 1
  return mean <= LOW ? -1 : 0
}
