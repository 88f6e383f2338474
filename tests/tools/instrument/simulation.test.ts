import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LETTER_CHANGE_ERROR, STYLE_CHANGE_ERROR } from '#contract/rules/what-changed.ts'
import { currentVersionOf, definitionOf } from '#server/content/content.ts'
import { score, type Score } from '#server/instances/scoring.ts'
import { storedFigures } from '#tools/instrument/figures.ts'
import { manualFile, writtenPart } from '#tools/instrument/manual.ts'
import { Questionnaire } from '#tools/instrument/players.ts'
import { Random } from '#tools/instrument/random.ts'
import { resultsOf, type Result } from '#tools/instrument/result.ts'
import { simulate } from '#tools/instrument/simulate.ts'
import { straightLines } from '#tools/instrument/straight-lines.ts'
import { tablesOf } from '#tools/instrument/tables.ts'

const VERSION = currentVersionOf('touchline-profile')
const definition = definitionOf(VERSION)
const stored = storedFigures()

/** What `score()` gave, in the form of `resultsOf`. */
function resultOfScore({ Section1, section2, section3 }: Score): Result {
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

describe('the simulation', () => {
  it('scores 2,000 sheets as score() does', () => {
    const questionnaire = new Questionnaire(definition, stored.scenarios.low.strengths, new Random(3))
    const resultOf = resultsOf(definition)
    for (let player = 0; player < 2000; player += 1) {
      const sheet = questionnaire.fillIn(questionnaire.player(), 0)
      expect(resultOf(sheet)).toEqual(resultOfScore(score(VERSION, questionnaire.answersOf(sheet))))
    }
  })

  // a twentieth of the people, others than those of the stored figures: to about 1 % of what `npm run instrument` finds
  it.each(['assumed', 'swing', 'coin'] as const)('finds the stored figures again (%s)', (name) => {
    const { strengths, swing, figures } = stored.scenarios[name]
    const again = simulate(definition, { strengths, swing }, 10_000, 4).figures
    for (const figure of ['same', 'fourSame', 'trueSide', 'contradicted', 'anyTurned', 'anyClear', 'retest'] as const)
      expect(Math.abs(again.letters[figure] - figures.letters[figure]), figure).toBeLessThan(0.03)
    for (const figure of ['same', 'clear', 'contradicted', 'retest'] as const)
      expect(Math.abs(again.style[figure] - figures.style[figure]), figure).toBeLessThan(0.03)
    expect(Math.abs(again.facets.retest - figures.facets.retest)).toBeLessThan(0.03)
  })

  it('lets coins show letters as often as the binomial distribution says', () => {
    const oneAxis = (2 * (165 + 55 + 11 + 1)) / 2 ** 11 // 8 to 11 of 11, on either side
    expect(stored.scenarios.coin.figures.letters.anyClear).toBeCloseTo(1 - (1 - oneAxis) ** 4, 2)
  })

  it('has the sheets of people who do not read as they are scored', () => {
    expect(straightLines(VERSION)).toEqual(stored.straightLines)
  })
})

describe('what rests on it', () => {
  it('the manual’s tables are those of the stored figures', () => {
    expect(writtenPart(readFileSync(manualFile, 'utf8'))).toBe(tablesOf(stored))
  })

  it('one column gives no clear letter, and is noticed; of people who read fewer than 1 in 1,000 are', () => {
    const [first, second] = stored.straightLines
    for (const line of [first, second])
      expect(line).toMatchObject({ clear: 'between 4 styles; no letter', noticed: expect.stringContaining('same side') })
    expect(Math.max(stored.unread.assumed, stored.unread.best)).toBeLessThan(0.001)
  })

  it('the bands of a change are those that were found, and tell at most 5 % of unchanged people of one', () => {
    expect(stored.change).toMatchObject({ choices: LETTER_CHANGE_ERROR, points: STYLE_CHANGE_ERROR })
    const { low, assumed, swing, good, best } = stored.scenarios
    for (const { toldChanged } of [low, assumed, swing, good, best]) expect(toldChanged).toBeLessThanOrEqual(0.05)
  })
})
