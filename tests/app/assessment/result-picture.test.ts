import { describe, expect, it } from 'vitest'
import { leadingModes, MODE_DIRECTIONS, modeShape, paragraphsOf, preferenceBars } from '#app/screens/assessment/results/result-picture.ts'
import { typePair } from '#app/parts/assessment/type-pair.ts'
import type { Results } from '#contract/instances.ts'

type Section1 = Results['Section1']
type Axis = Results['section2']['axes'][number]

function results(change: { section1?: Partial<Section1>; label?: string; axes?: Axis[] } = {}): Results {
  return {
    scoringVersion: '1',
    Section1: {
      value: 'scout',
      result: 'Scout',
      styles: [{ value: 'scout', result: 'Scout' }],
      modes: { experience: 30, watch: 30, idea: 30, do: 30 },
      axes: { ideaExperience: 0, doWatch: 0 },
      closeCalls: [],
      ...change.section1,
    },
    section2: { value: 'ENFP', label: change.label ?? 'ENFP', axes: change.axes ?? [] },
    section3: { facets: [] },
  }
}

const axis = (firstCount: number, secondCount: number): Axis => ({
  axis: 'EI',
  first: 'E',
  second: 'I',
  firstCount,
  secondCount,
  strength: 'slight',
  closeCall: false,
  letter: null,
})

describe('the type pair (RESULTS-3)', () => {
  it('joins Section1 result and section2 label by a space', () => {
    expect(typePair(results())).toBe('Scout ENFP')
  })

  it('is empty without a result, and one half where only that is there', () => {
    expect(typePair(null)).toBe('')
    expect(typePair(undefined)).toBe('')
    expect(typePair(results({ section1: { result: '' }, label: '' }))).toBe('')
    expect(typePair(results({ label: '' }))).toBe('Scout')
    expect(typePair(results({ section1: { result: '' } }))).toBe('ENFP')
  })
})

describe('preference bars', () => {
  const bar = (first: number, second: number) => preferenceBars(results({ axes: [axis(first, second)] }))[0]

  it('the two percentages of any split of eleven add up to 100, and the larger side leads', () => {
    for (let first = 0; first <= 11; first += 1) {
      const one = bar(first, 11 - first)
      expect((one?.firstPercent ?? 0) + (one?.secondPercent ?? 0)).toBe(100)
      expect(one?.leading).toBe(first > 5 ? 'E' : 'I')
      expect((one?.firstPercent ?? 0) > 50).toBe(first > 5)
    }
  })

  it('rounds to whole percent', () => {
    expect(bar(7, 4)).toMatchObject({ firstPercent: 64, secondPercent: 36 })
    expect(bar(6, 5)).toMatchObject({ firstPercent: 55, secondPercent: 45 })
    expect(bar(11, 0)).toMatchObject({ firstPercent: 100, secondPercent: 0 })
  })

  it('no side leads when nothing is counted or both sides are equal', () => {
    expect(bar(0, 0)).toMatchObject({ firstPercent: 50, secondPercent: 50, leading: undefined })
    expect(bar(4, 4)).toMatchObject({ firstPercent: 50, leading: undefined })
  })
})

describe('the shape on the pitch', () => {
  const shape = (section1: Partial<Section1>) => modeShape(results({ section1 }).Section1, 100)
  const cornerOf = (mode: string, drawn: ReturnType<typeof modeShape>) =>
    drawn.corners[MODE_DIRECTIONS.findIndex((direction) => direction.mode === mode)]

  it('four equal modes are drawn halfway out, with the spot in the centre and in no quarter', () => {
    const drawn = shape({})
    for (const { x, y } of drawn.corners) expect(Math.hypot(x, y)).toBeCloseTo(50)
    expect(Math.hypot(drawn.spot.x, drawn.spot.y)).toBe(0)
    expect(drawn.quarter).toBeUndefined()
  })

  it('the lowest figure is drawn at the centre, the highest at the end of its axis', () => {
    const drawn = shape({ modes: { experience: 12, watch: 12, idea: 48, do: 48 }, axes: { ideaExperience: 36, doWatch: 36 } })
    expect(cornerOf('do', drawn)).toMatchObject({ x: 100 })
    expect(cornerOf('idea', drawn)).toMatchObject({ y: 100 })
    expect(Math.hypot(cornerOf('watch', drawn)?.x ?? 1, cornerOf('watch', drawn)?.y ?? 1)).toBe(0)
    expect(drawn.spot).toEqual({ x: 100, y: 100 })
    expect(drawn.quarter).toEqual({ x: 1, y: 1 })
  })

  it('more watching than doing moves the spot back, more experience than ideas moves it up', () => {
    expect(shape({ axes: { ideaExperience: -9, doWatch: -18 } })).toMatchObject({ spot: { x: -50, y: -25 }, quarter: { x: -1, y: -1 } })
  })

  it('figures outside the scale stay on the pitch', () => {
    const drawn = shape({ modes: { experience: 0, watch: 99, idea: 30, do: 30 }, axes: { ideaExperience: 99, doWatch: -99 } })
    for (const { x, y } of [...drawn.corners, drawn.spot]) expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThanOrEqual(100)
  })
})

describe('overview paragraphs', () => {
  it('are separated by newlines; blank ones are dropped', () => {
    expect(paragraphsOf('One.\n\n Two. \r\nThree.\n')).toEqual(['One.', 'Two.', 'Three.'])
    expect(paragraphsOf('')).toEqual([])
  })
})

describe('the modes the player leans to', () => {
  it('are one of each axis, and none of an axis at zero', () => {
    expect(leadingModes({ ideaExperience: 4, doWatch: -1 })).toEqual(['idea', 'watch'])
    expect(leadingModes({ ideaExperience: -4, doWatch: 1 })).toEqual(['experience', 'do'])
    expect(leadingModes({ ideaExperience: 0, doWatch: 3 })).toEqual(['do'])
    expect(leadingModes({ ideaExperience: 0, doWatch: 0 })).toEqual([])
  })
})
