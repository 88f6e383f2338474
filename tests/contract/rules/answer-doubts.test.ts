import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answeredGroups, leaningOf } from '#sandbox/demo-accounts/leaning.ts'
import { doubtsOf, isTooFast, sheetOf, type AnswerSheet } from '#contract/rules/answer-doubts.ts'
import { itemIdsOf } from '#contract/rules/questionnaire.ts'
import { contentVersions, definitionOf, sectionsOf } from '#server/content/content.ts'
import { AXES, FACETS, MODES, statementIds } from '#server/content/definition.ts'
import { definition } from '#server/content/touchline-profile-1/definition.ts'
import { score } from '#server/instances/scoring.ts'
import { Random } from '#tools/instrument/random.ts'

const VERSION = 'touchline-profile-1'
const { groups, pairs, statements } = definition
const sections = sectionsOf(VERSION, 'en')

const PEOPLE = 20_000
/** Fewer than 1 in 1,000. */
const FLAGGED_AT_MOST = PEOPLE / 1000 - 1

interface Person {
  sheet: AnswerSheet
  /** ms between two pairs */
  gaps: number[]
}

/** Somebody who reads: preferences from none to strong, likes one place of the options a little, and tends to agree or to disagree. */
function honest(random: Random): Person {
  const strength = random.next() * 3
  const modes = byKey(MODES, () => random.normal() * strength)
  const places = [0, 0, 0, 0].map(() => random.normal() * 0.4)
  const axes = byKey(
    AXES.map(({ axis }) => axis),
    () => random.normal() * 1.5,
  )
  const side = random.normal() * 0.35
  const facets = byKey(FACETS, () => 0.5 + random.normal() * 0.9)
  const width = 0.5 + random.next()
  const agreeing = random.normal() * 0.5
  const pace = 5000 * Math.exp(random.normal() * 0.3)
  return {
    sheet: {
      rankings: groups.map(({ modes: keyed }) => {
        const liking = keyed.map((mode, place) => modes[mode] + (places[place] ?? 0) - Math.log(-Math.log(random.next())))
        return liking.map((own) => String(liking.filter((other) => other <= own).length))
      }),
      pairs: pairs.map(({ axis, A }) => {
        const leaning = (axis.startsWith(A) ? 1 : -1) * axes[axis] + side
        return random.next() < 1 / (1 + Math.exp(-leaning)) ? 'A' : 'B'
      }),
      agreements: statements.map(({ facet, reversed }) => {
        const felt = 3 + (reversed ? -1 : 1) * facets[facet] * width + agreeing + random.normal() * 0.9
        return String(Math.min(5, Math.max(1, Math.round(felt))))
      }),
    },
    gaps: pairs.map(() => pace * Math.exp(random.normal() * 0.6)),
  }
}

function byKey<Key extends string>(keys: readonly Key[], of: () => number): Record<Key, number> {
  return Object.fromEntries(keys.map((key) => [key, of()])) as Record<Key, number> // of all keys
}

function answersOf({ rankings, pairs: chosen, agreements }: AnswerSheet): Record<string, string> {
  return Object.fromEntries([
    ...groups.flatMap(({ id }, at) => statementIds(id).map((statement, place) => [statement, rankings[at]?.[place] ?? ''])),
    ...pairs.map(({ id }, at) => [id, chosen[at] ?? '']),
    ...statements.map(({ id }, at) => [id, agreements[at] ?? '']),
  ])
}

/** ms by pair; undefined for one of which nothing is known */
const timesOf = (gaps: readonly (number | undefined)[]) =>
  new Map(pairs.flatMap(({ id }, at) => (gaps[at] === undefined ? [] : [[id, gaps[at]] as const])))

const repeated = <Value>(value: Value, times: number): Value[] => Array.from({ length: times }, () => value)
const someone = honest(new Random(1)).sheet

describe('honest players', () => {
  const random = new Random(20261123)
  const people = Array.from({ length: PEOPLE }, () => honest(random))

  it('are doubted in fewer than 1 of 1,000 cases, by all rules together', () => {
    const doubted = people.filter(
      ({ sheet, gaps }) => score(VERSION, answersOf(sheet)).doubts.length > 0 || isTooFast(sections, timesOf(gaps)),
    )
    expect(doubted.length).toBeLessThanOrEqual(FLAGGED_AT_MOST)
  })

  it('are not doubted for preferring the same letters and the same way of learning every time', () => {
    for (const first of [true, false]) {
      const sheet: AnswerSheet = {
        rankings: groups.map(({ modes }) => modes.map((mode) => String(MODES.indexOf(mode) + 1))),
        pairs: pairs.map(({ axis, A }) => (axis.startsWith(A) === first ? 'A' : 'B')),
        agreements: statements.map(({ reversed }) => (reversed === first ? '1' : '5')),
      }
      expect(score(VERSION, answersOf(sheet)).doubts).toEqual([])
    }
  })

  it.each(contentVersions())('the players of the demo are not doubted (%s)', (version) => {
    for (let seed = 0; seed < 50; seed += 1) {
      const answers = Object.assign({}, ...answeredGroups(version, 1, leaningOf(seed)).map(({ value }) => value))
      expect(score(version, answers as Record<string, string>).doubts, `seed ${seed}`).toEqual([])
    }
  })
})

describe('players who answer in a straight line', () => {
  const order = fc.shuffledSubarray(['1', '2', '3', '4'], { minLength: 4, maxLength: 4 })
  /** so many positions, where they answer otherwise */
  const places = (length: number, maxLength: number) => fc.uniqueArray(fc.nat(length - 1), { maxLength })

  it('are noticed in the rankings, even if they vary four of them', () => {
    fc.assert(
      fc.property(order, order, places(12, 4), (usual, other, varied) => {
        const rankings = repeated(usual, 12).map((one, at) => (varied.includes(at) ? other : one))
        expect(doubtsOf({ ...someone, rankings })).toContain('same-ranking')
      }),
    )
  })

  it('are noticed in the pairs, even if they vary four of them', () => {
    fc.assert(
      fc.property(fc.boolean(), places(44, 4), (isA, varied) => {
        const chosen = repeated('', 44).map((_, at) => (isA === varied.includes(at) ? 'B' : 'A'))
        expect(doubtsOf({ ...someone, pairs: chosen })).toEqual(['same-side'])
      }),
    )
  })

  it('are noticed in the agreements, even if they vary one of them', () => {
    const value = fc.constantFrom('1', '2', '3', '4', '5')
    fc.assert(
      fc.property(value, value, places(20, 1), (usual, other, varied) => {
        const agreements = repeated(usual, 20).map((one, at) => (varied.includes(at) ? other : one))
        expect(doubtsOf({ ...someone, agreements })).toEqual(['same-agreement'])
        expect(score(VERSION, answersOf({ ...someone, agreements })).doubts).toEqual(['same-agreement'])
      }),
    )
  })

  it('are noticed if they agree, or disagree, with statements and with their opposites, even if they vary one of them', () => {
    const values = fc.constantFrom(['1', '2'], ['4', '5']).map(([one = '', other = '']) => ({ one, other }))
    fc.assert(
      fc.property(values, fc.array(fc.boolean(), { minLength: 16, maxLength: 16 }), places(20, 1), ({ one, other }, picks, varied) => {
        const alike = [...picks.map((pick) => (pick ? one : other)), one, one, other, other]
        const agreements = alike.map((given, at) => (varied.includes(at) ? '3' : given))
        expect(doubtsOf({ ...someone, agreements })).toEqual(['opposites-alike'])
      }),
    )
  })

  it('half of the statements say the opposite of the others, in each version', () => {
    for (const version of contentVersions()) {
      const { statements: all } = definitionOf(version)
      expect(
        all.filter(({ reversed }) => reversed),
        version,
      ).toHaveLength(all.length / 2)
    }
  })
})

it('what scoring stores is what was found before Submit, for answers with and without care', () => {
  const random = new Random(7)
  const side = fc.constantFrom('1', '2', '4', '5')
  fc.assert(
    fc.property(fc.constantFrom('A', 'B', ''), fc.array(side, { minLength: 20, maxLength: 20 }), (column, agreements) => {
      const { sheet } = honest(random)
      const careless = { ...sheet, agreements, pairs: column === '' ? sheet.pairs : repeated(column, 44) }
      for (const one of [sheet, careless]) {
        const answers = answersOf(one)
        const shown = Object.fromEntries(
          sections.flatMap(({ questions }) =>
            questions.map((question) => [question.id, Object.fromEntries(itemIdsOf(question).map((id) => [id, answers[id] ?? null]))]),
          ),
        )
        expect(score(VERSION, answers).doubts).toEqual(doubtsOf(sheetOf(sections, shown)))
      }
    }),
  )
})

describe('a limit', () => {
  it.each([
    { rule: 'rankings', at: 8, doubt: 'same-ranking' },
    { rule: 'pairs', at: 40, doubt: 'same-side' },
    { rule: 'agreements', at: 19, doubt: 'same-agreement' },
    { rule: 'sides', at: 19, doubt: 'opposites-alike' },
  ] as const)('of $rule is reached with $at and not with one less', ({ rule, at, doubt }) => {
    const found = (alike: number) => {
      const different = { rankings: [['4', '3', '2', '1']], pairs: ['B'], agreements: ['5'], sides: ['3'] }
      const same = { rankings: [['1', '2', '3', '4']], pairs: ['A'], agreements: ['1'], sides: ['1', '2'] }
      const part = rule === 'sides' ? 'agreements' : rule
      const size = someone[part].length
      const filled = [
        ...Array.from({ length: alike }, (_, at) => same[rule][at % same[rule].length]),
        ...Array.from({ length: size - alike }, () => different[rule][0]),
      ]
      return doubtsOf({ ...someone, [part]: filled })
    }
    expect(found(at)).toContain(doubt)
    expect(found(at - 1)).not.toContain(doubt)
  })

  it('says nothing of a section that is shorter than ours, or not answered', () => {
    expect(doubtsOf({ rankings: repeated(['1', '2', '3', '4'], 11), pairs: repeated('A', 43), agreements: repeated('3', 19) })).toEqual([])
    expect(doubtsOf(sheetOf(sections, {}))).toEqual([])
  })
})

describe('the pairs', () => {
  it('are too fast if more than half came within a second and a half of the answer before', () => {
    expect(isTooFast(sections, timesOf(repeated(1499, 44)))).toBe(true)
    expect(isTooFast(sections, timesOf(repeated(1500, 44)))).toBe(false)
    expect(isTooFast(sections, timesOf([...repeated(300, 22), ...repeated(6000, 22)]))).toBe(false)
    expect(isTooFast(sections, timesOf([...repeated(300, 23), ...repeated(6000, 21)]))).toBe(true)
  })

  it('are judged in several sittings, and also where a few were answered on another device', () => {
    const sittings = [...repeated(undefined, 1), ...repeated(400, 20), undefined, ...repeated(400, 9), 86_400_000, ...repeated(400, 12)]
    expect(isTooFast(sections, timesOf(sittings))).toBe(true)
    expect(isTooFast(sections, timesOf(sittings.map((ms) => ms && ms * 10)))).toBe(false)
    expect(isTooFast(sections, timesOf([...repeated(400, 22), ...repeated(undefined, 22)]))).toBe(false)
  })
})

it('a sheet has the answers in the order shown, and an empty text for a missing one', () => {
  const answers = Object.fromEntries(answeredGroups(VERSION, 1).map(({ questionId, value }) => [questionId, value]))
  const sheet = sheetOf(sections, answers)
  expect(answersOf(sheet)).toEqual(Object.assign({}, ...Object.values(answers)))
  const [first] = pairs
  expect(sheetOf(sections, { ...answers, [first?.id ?? '']: {} }).pairs[0]).toBe('')
})
