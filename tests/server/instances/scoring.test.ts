import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { currentVersionOf, definitionOf } from '#server/content/content.ts'
import { AXES, FACETS, MODES, type Mode, statementIds, STYLE_BY_POLES } from '#server/content/definition.ts'
import { score, scoringVersion } from '#server/instances/scoring.ts'
import { Random } from '#tools/instrument/random.ts'

const VERSION = currentVersionOf('touchline-profile')
const { groups, pairs, statements } = definitionOf(VERSION)
type Ranking = Record<Mode, number>
type Answers = Record<string, string>

const TYPES = ['E', 'I'].flatMap((a) => ['S', 'N'].flatMap((b) => ['T', 'F'].flatMap((c) => ['J', 'P'].map((d) => a + b + c + d))))
const STYLES = (['experience', 'idea'] as const).flatMap((grasp) =>
  (['watch', 'do'] as const).map((act) => ({ grasp, act, style: STYLE_BY_POLES[grasp][act] })),
)

function rankingOf(first: Mode, second: Mode, third: Mode, fourth: Mode, ratings = [4, 3, 2, 1]): Ranking {
  const ranking = { experience: 0, watch: 0, idea: 0, do: 0 }
  for (const [at, mode] of [first, second, third, fourth].entries()) ranking[mode] = ratings[at] ?? 0
  return ranking
}
function ranked(ranking: (group: number) => Ranking): Answers {
  return Object.fromEntries(
    groups.flatMap(({ id, modes }, group) =>
      statementIds(id).map((statement, position) => [statement, String(ranking(group)[modes[position] ?? 'do'])]),
    ),
  )
}
const chosen = (type: string): Answers => Object.fromEntries(pairs.map(({ id, A }) => [id, type.includes(A) ? 'A' : 'B']))
const agreed = (value: (facet: string, reversed: boolean) => number): Answers =>
  Object.fromEntries(statements.map(({ id, facet, reversed }) => [id, String(value(facet, reversed))]))

const even = (group: number): Ranking =>
  group % 2 === 0 ? { experience: 4, idea: 3, do: 2, watch: 1 } : { experience: 3, idea: 4, do: 1, watch: 2 }
const anyAnswers: Answers = { ...ranked(even), ...chosen('ENFP'), ...agreed(() => 3) }

const complete: fc.Arbitrary<Answers> = fc
  .tuple(
    fc.array(fc.shuffledSubarray(['1', '2', '3', '4'], { minLength: 4, maxLength: 4 }), { minLength: 12, maxLength: 12 }),
    fc.array(fc.constantFrom('A', 'B'), { minLength: 44, maxLength: 44 }),
    fc.array(fc.constantFrom('1', '2', '3', '4', '5'), { minLength: 20, maxLength: 20 }),
  )
  .map(([ratings, choices, agreement]) => ({
    ...Object.fromEntries(groups.flatMap(({ id }, g) => statementIds(id).map((statement, at) => [statement, ratings[g]?.[at] ?? '']))),
    ...Object.fromEntries(pairs.map(({ id }, at) => [id, choices[at] ?? ''])),
    ...Object.fromEntries(statements.map(({ id }, at) => [id, agreement[at] ?? ''])),
  }))

describe('learning modes', () => {
  it.each(STYLES)('give the style $style for a preference for $grasp and $act', ({ grasp, act, style }) => {
    const other = { experience: 'idea', idea: 'experience', watch: 'do', do: 'watch' } as const
    const ranking = rankingOf(grasp, act, other[grasp], other[act])
    const { Section1 } = score(VERSION, { ...anyAnswers, ...ranked(() => ranking) })
    expect(Section1).toMatchObject({ value: style, styles: [style], closeCalls: [] })
    expect(Section1.modes[grasp]).toBe(48)
    expect(Math.abs(Section1.axes.ideaExperience)).toBe(24)
    expect(Math.abs(Section1.axes.doWatch)).toBe(24)
  })

  it('show no preference if the ratings follow the position only', () => {
    const straight = Object.fromEntries(groups.flatMap(({ id }) => statementIds(id).map((statement, at) => [statement, String(at + 1)])))
    expect(score(VERSION, { ...anyAnswers, ...straight }).Section1.modes).toEqual({ experience: 30, watch: 30, idea: 30, do: 30 })
  })

  it('are a close call within 3 points of the middle of an axis', () => {
    const lead = (points: number) => {
      const swap = (group: number): Ranking => (group < points ? { ...even(group), experience: 3, idea: 4 } : even(group))
      return score(VERSION, { ...anyAnswers, ...ranked(swap) }).Section1
    }
    expect(lead(3)).toMatchObject({ axes: { ideaExperience: 4 }, closeCalls: ['doWatch'] })
    expect(lead(2)).toMatchObject({ axes: { ideaExperience: 2 }, closeCalls: ['ideaExperience', 'doWatch'] })
  })
})

describe('a tied axis', () => {
  const cases = [
    { one: 'idea', other: 'experience', rest: ['do', 'watch'], axis: 'ideaExperience' },
    { one: 'experience', other: 'idea', rest: ['do', 'watch'], axis: 'ideaExperience' },
    { one: 'do', other: 'watch', rest: ['idea', 'experience'], axis: 'doWatch' },
    { one: 'watch', other: 'do', rest: ['idea', 'experience'], axis: 'doWatch' },
  ] as const

  /** `opening` has the ratings of the first two groups (one, other, then the rest); the other groups cancel out. */
  function tied({ one, other, rest }: (typeof cases)[number], opening: number[][]) {
    const { Section1 } = score(VERSION, {
      ...anyAnswers,
      ...ranked((group) => rankingOf(one, other, rest[0], rest[1], opening[group] ?? (group % 2 === 0 ? [4, 3, 2, 1] : [3, 4, 2, 1]))),
    })
    return Section1
  }
  const poles = (style: string) => STYLES.filter((one) => one.style === style).flatMap(({ grasp, act }): string[] => [grasp, act])

  it.each(cases)('goes to $one when it has more 4s than $other', (one) => {
    const { value, axes } = tied(one, [
      [4, 2, 3, 1],
      [1, 3, 4, 2],
    ])
    expect(axes[one.axis]).toBe(0)
    expect(poles(value)).toContain(one.one)
  })

  it.each(cases)('goes to $one when it has as many 4s and more 3s than $other', (one) => {
    const { value, axes } = tied(one, [
      [3, 2, 4, 1],
      [1, 2, 4, 3],
    ])
    expect(axes[one.axis]).toBe(0)
    expect(poles(value)).toContain(one.one)
  })

  it.each(cases)('goes by the fixed order if all counts are equal ($one, $other)', (one) => {
    const { value, axes, closeCalls } = tied(one, [])
    expect(axes[one.axis]).toBe(0)
    expect(closeCalls).toContain(one.axis)
    expect(poles(value)).toContain(one.axis === 'doWatch' ? 'do' : 'experience')
  })
})

describe('types', () => {
  it.each(TYPES)('are found with strong preferences if the choices all point to %s', (type) => {
    const { section2 } = score(VERSION, { ...anyAnswers, ...chosen(type) })
    expect(section2.value).toBe(type)
    for (const axis of section2.axes) expect(axis).toMatchObject({ strength: 'strong', closeCall: false })
  })

  it('get each preference’s strength from the larger count, with a close call at 6–5', () => {
    const seen = [6, 7, 8, 9, 10, 11].map((count) => {
      const answers = { ...anyAnswers, ...chosen('ENFP') }
      for (const { id, A } of pairs.filter(({ axis }) => axis === 'EI').slice(count)) answers[id] = A === 'I' ? 'A' : 'B'
      return score(VERSION, answers).section2.axes[0]
    })
    expect(seen.map((axis) => axis?.letter)).toEqual([null, null, 'E', 'E', 'E', 'E'])
    expect(seen.map((axis) => [axis?.firstCount, axis?.secondCount, axis?.strength, axis?.closeCall])).toEqual([
      [6, 5, 'slight', true],
      [7, 4, 'slight', false],
      [8, 3, 'clear', false],
      [9, 2, 'clear', false],
      [10, 1, 'strong', false],
      [11, 0, 'strong', false],
    ])
  })
})

describe('facets', () => {
  it('count reverse-keyed statements in reverse', () => {
    const keen = agreed((facet, reversed) => (facet === 'focus' ? (reversed ? 1 : 5) : reversed ? 5 : 1))
    const { facets } = score(VERSION, { ...anyAnswers, ...keen }).section3
    expect(facets).toEqual(FACETS.map((id) => ({ id, mean: id === 'focus' ? 5 : 1 })))
  })

  it('are all in the middle if the player agrees with everything', () => {
    const { facets } = score(VERSION, { ...anyAnswers, ...agreed(() => 5) }).section3
    expect(facets.every(({ mean }) => mean === 3)).toBe(true)
  })
})

describe('any complete answers', () => {
  it('sum to 120, stay in range and are consistent', () => {
    fc.assert(
      fc.property(complete, (answers) => {
        const { Section1, section2, section3 } = score(VERSION, answers)
        const { experience, watch, idea, do: act } = Section1.modes
        expect(experience + watch + idea + act).toBe(120)
        for (const mode of MODES) expect(Section1.modes[mode] >= 12 && Section1.modes[mode] <= 48).toBe(true)
        expect(Section1.axes).toEqual({ ideaExperience: idea - experience, doWatch: act - watch })
        for (const axis of ['ideaExperience', 'doWatch'] as const)
          expect(Section1.closeCalls.includes(axis)).toBe(Math.abs(Section1.axes[axis]) <= 3)
        if (idea !== experience && act !== watch)
          expect(Section1.value).toBe(STYLE_BY_POLES[idea > experience ? 'idea' : 'experience'][act > watch ? 'do' : 'watch'])
        for (const [at, { axis, first, second, firstCount, secondCount }] of section2.axes.entries()) {
          expect({ axis, first, second }).toEqual(AXES[at])
          expect(firstCount + secondCount).toBe(11)
          expect(section2.value[at]).toBe(firstCount > secondCount ? first : second)
        }
        for (const { mean } of section3.facets) expect(mean >= 1 && mean <= 5 && Number.isInteger(mean * 4)).toBe(true)
      }),
    )
  })

  it('score the same in any order and with unknown ids, and are not modified', () => {
    fc.assert(
      fc.property(complete, (answers) => {
        const before = structuredClone(answers)
        const shuffled = { ...Object.fromEntries(Object.entries(answers).reverse()), 's9-q01': '7' }
        expect(score(VERSION, shuffled)).toEqual(score(VERSION, answers))
        expect(answers).toEqual(before)
      }),
    )
  })

  it('score the opposite if each answer is reversed', () => {
    const opposite = (id: string, value: string) =>
      id.startsWith('s2') ? (value === 'A' ? 'B' : 'A') : String((id.startsWith('s1') ? 5 : 6) - Number(value))
    fc.assert(
      fc.property(complete, (answers) => {
        const here = score(VERSION, answers)
        const there = score(VERSION, Object.fromEntries(Object.entries(answers).map(([id, value]) => [id, opposite(id, value)])))
        for (const mode of MODES) expect(there.Section1.modes[mode]).toBe(60 - here.Section1.modes[mode])
        expect([...there.section2.value].some((letter) => here.section2.value.includes(letter))).toBe(false)
        for (const [at, { mean }] of here.section3.facets.entries()) expect(there.section3.facets[at]?.mean).toBe(6 - mean)
      }),
    )
  })

  it('throw if one is missing, blank or invalid', () => {
    fc.assert(
      fc.property(
        complete,
        fc.constantFrom(...Object.keys(anyAnswers)),
        fc.constantFrom('', ' ', '0', '6', 'C', '4.0'),
        (answers, id, wrong) => {
          const { [id]: _, ...missing } = answers
          expect(() => score(VERSION, missing)).toThrow(id)
          expect(() => score(VERSION, { ...answers, [id]: wrong })).toThrow(id)
        },
      ),
    )
  })

  it('throw if a rating is used twice in a group, and for an unknown version', () => {
    expect(() => score(VERSION, { ...anyAnswers, 's1-q01-a': '4', 's1-q01-b': '4' })).toThrow('share a rating')
    expect(() => score('touchline-profile-0', anyAnswers)).toThrow('No such content')
    expect(score(VERSION, anyAnswers).scoringVersion).toBe(scoringVersion)
  })
})

describe('simulated players', () => {
  /**
   * @param pull strength of each preference in logits: 0 is chance, 1.4 chooses its pole in about 80 % of pairs.
   * @param uneven SD of how attractive a statement's wording is to all players alike
   */
  function simulate(seed: number, pull: number, playersEach: number, uneven = 0.4) {
    const random = new Random(seed)
    const gumbel = () => -Math.log(-Math.log(1 - random.next()))
    const appeal = Object.fromEntries(Object.keys(anyAnswers).map((id) => [id, uneven * random.normal()]))
    const taste = (id: string) => appeal[id] ?? 0
    const tally = { players: 0, style: 0, type: 0, letters: 0, tiedAxes: 0, styles: new Map<string, number>() }
    for (const { grasp, act, style } of STYLES)
      for (const type of TYPES)
        for (let player = 0; player < playersEach; player += 1) {
          const answers = { ...anyAnswers }
          for (const { id, modes } of groups) {
            const liked = statementIds(id).map((statement, at) => ({
              statement,
              liking: taste(statement) + gumbel() + (modes[at] === grasp || modes[at] === act ? pull : 0),
            }))
            for (const [rank, { statement }] of liked.sort((a, b) => a.liking - b.liking).entries()) answers[statement] = String(rank + 1)
          }
          for (const { id, A } of pairs) {
            const logit = taste(id) + (type.includes(A) ? pull : -pull)
            answers[id] = random.next() < 1 / (1 + Math.exp(-logit)) ? 'A' : 'B'
          }
          const { Section1, section2 } = score(VERSION, answers)
          tally.players += 1
          tally.style += Number(Section1.value === style)
          tally.type += Number(section2.value === type)
          tally.letters += [...type].filter((letter) => section2.value.includes(letter)).length
          tally.tiedAxes += Object.values(Section1.axes).filter((axis) => axis === 0).length
          tally.styles.set(Section1.value, (tally.styles.get(Section1.value) ?? 0) + 1)
        }
    return tally
  }

  it('mostly get their own style and type although their answers are noisy', async ({ annotate }) => {
    const { players, style, type, letters } = simulate(2026, 1.4, 40)
    const share = { style: style / players, type: type / players, letter: letters / (4 * players) }
    await annotate(`recovered of ${players}: ${JSON.stringify(share)}`)
    expect(share.style).toBeGreaterThan(0.95)
    expect(share.type).toBeGreaterThan(0.9)
    expect(share.letter).toBeGreaterThan(0.97)
  })

  it('get their own style and type more often if their preferences are stronger', () => {
    const shares = [0, 0.5, 1, 2].map((pull) => {
      const { players, style, type } = simulate(7, pull, 12)
      return { style: style / players, type: type / players }
    })
    for (const [at, share] of shares.entries()) {
      const before = shares[at - 1] ?? { style: 0, type: 0 }
      expect(share.style).toBeGreaterThan(before.style)
      expect(share.type).toBeGreaterThan(before.type)
    }
  })

  it('who answer at random get each style equally often, and tie as often as expected', () => {
    const { players, styles, tiedAxes } = simulate(11, 0, 60, 0)
    for (const { style } of STYLES) expect(Math.abs((styles.get(style) ?? 0) / players - 0.25)).toBeLessThan(0.03)
    // 6.2 % of axes tie (SCORING-4)
    expect(Math.abs(tiedAxes / (2 * players) - 0.062)).toBeLessThan(0.015)
  })
})
