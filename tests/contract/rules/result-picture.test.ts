import { describe, expect, it } from 'vitest'
import { leadingModes, MODE_DIRECTIONS, modeShape, paragraphsOf, PITCH, preferenceBars } from '#contract/rules/result-picture.ts'
import type { Results } from '#contract/instances.ts'

type Section1 = Results['Section1']
type Axis = Results['section2']['axes'][number]

function results(change: { section1?: Partial<Section1>; axes?: Axis[] } = {}): Results {
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
    section2: { value: 'ENFP', label: 'ENFP', axes: change.axes ?? [] },
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

describe('preference bars', () => {
  const bar = (first: number, second: number) => preferenceBars(results({ axes: [axis(first, second)] }))[0]

  it('are filled on the side chosen more often, by its share', () => {
    for (let first = 0; first <= 11; first += 1) {
      expect(bar(first, 11 - first)).toMatchObject({ total: 11, leading: first > 5 ? 'E' : 'I', firstPercent: (first * 100) / 11 })
    }
  })

  it('no side leads when nothing is counted or both sides are equal', () => {
    expect(bar(0, 0)).toMatchObject({ firstPercent: 50, leading: undefined })
    expect(bar(4, 4)).toMatchObject({ firstPercent: 50, leading: undefined })
  })
})

describe('the shape on the pitch', () => {
  const shape = (section1: Partial<Section1>) => modeShape(results({ section1 }).Section1)
  const { reach } = PITCH
  const cornerOf = (mode: string, drawn: ReturnType<typeof modeShape>) =>
    drawn.corners[MODE_DIRECTIONS.findIndex((direction) => direction.mode === mode)]

  it('four equal modes are drawn halfway out, with the spot in the centre', () => {
    const drawn = shape({})
    for (const { x, y } of drawn.corners) expect(Math.hypot(x, y)).toBeCloseTo(reach / 2)
    expect(Math.hypot(drawn.spot.x, drawn.spot.y)).toBe(0)
  })

  it('the lowest figure is drawn at the centre, the highest at the end of its axis', () => {
    const drawn = shape({ modes: { experience: 12, watch: 12, idea: 48, do: 48 }, axes: { ideaExperience: 36, doWatch: 36 } })
    expect(cornerOf('do', drawn)).toMatchObject({ x: reach })
    expect(cornerOf('idea', drawn)).toMatchObject({ y: reach })
    expect(Math.hypot(cornerOf('watch', drawn)?.x ?? 1, cornerOf('watch', drawn)?.y ?? 1)).toBe(0)
    expect(drawn.spot).toEqual({ x: reach, y: reach })
  })

  it('more watching than doing moves the spot back, more experience than ideas moves it up', () => {
    expect(shape({ axes: { ideaExperience: -9, doWatch: -18 } })).toMatchObject({ spot: { x: -reach / 2, y: -reach / 4 } })
  })

  it('the quarters of the styles that fit are marked, unless all four do', () => {
    const marked = (...keys: string[]) => shape({ styles: keys.map((value) => ({ value, result: `${value} words` })) }).quarters
    expect(marked('view')).toEqual([{ x: -1, y: -1, name: 'view words' }])
    expect(marked('play', 'training').map(({ x, y }) => [x, y])).toEqual([
      [1, -1],
      [1, 1],
    ])
    expect(marked('play', 'training', 'view', 'plan')).toEqual([])
    expect(marked('keeper')).toEqual([])
  })

  it('figures outside the scale stay on the pitch', () => {
    const drawn = shape({ modes: { experience: 0, watch: 99, idea: 30, do: 30 }, axes: { ideaExperience: 99, doWatch: -99 } })
    for (const { x, y } of [...drawn.corners, drawn.spot]) expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThanOrEqual(reach)
  })
})

describe('overview paragraphs', () => {
  it('are separated by newlines; blank ones are dropped', () => {
    expect(paragraphsOf('One.\n\n Two. \r\nThree.\n')).toEqual(['One.', 'Two.', 'Three.'])
    expect(paragraphsOf('')).toEqual([])
  })
})

describe('the modes the player leans to', () => {
  it('are one of each axis, and none of an axis within its error', () => {
    expect(leadingModes({ ideaExperience: 7, doWatch: -7 })).toEqual(['idea', 'watch'])
    expect(leadingModes({ ideaExperience: -7, doWatch: 7 })).toEqual(['experience', 'do'])
    expect(leadingModes({ ideaExperience: 6, doWatch: 9 })).toEqual(['do'])
    expect(leadingModes({ ideaExperience: 0, doWatch: -6 })).toEqual([])
  })
})
