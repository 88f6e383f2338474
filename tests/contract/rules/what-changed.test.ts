import { describe, expect, it } from 'vitest'
import type { Results } from '#contract/instances.ts'
import { LETTER_CHANGE_ERROR, STYLE_CHANGE_ERROR, whatDiffers } from '#contract/rules/what-changed.ts'
import { letterOf } from '#contract/rules/clear-results.ts'

/** @param forE of 11 choices; the other three axes of letters are always the same */
function result(forE: number, ideaExperience: number, doWatch = 0): Results {
  const style = { value: 'play', result: 'Free Play' }
  const axes = ['EI', 'SN', 'TF', 'JP'].map((axis) => {
    const firstCount = axis === 'EI' ? forE : 9
    const counts = { first: axis.charAt(0), second: axis.charAt(1), firstCount, secondCount: 11 - firstCount }
    return { axis, ...counts, strength: 'slight', closeCall: false, letter: letterOf(counts) } as const
  })
  return {
    scoringVersion: '2',
    Section1: {
      ...style,
      styles: [style],
      modes: { experience: 30, watch: 30, idea: 30, do: 30 },
      axes: { ideaExperience, doWatch },
      closeCalls: [],
    },
    section2: { value: 'ESTJ', label: 'ESTJ', axes },
    section3: { facets: [] },
  }
}

const letters = { ends: ['E', 'I'] }
const style = { ends: ['experience', 'idea'] }

describe('how two results differ (RESULTS-13)', () => {
  it('not at all if they are the same', () => {
    expect(whatDiffers(result(8, -10), result(8, -10))).toEqual({ changed: [], turned: [], isElseReadDifferently: false })
  })

  it('not by more than chance within the bands', () => {
    const [earlier, later] = [result(1, -10), result(1 + LETTER_CHANGE_ERROR, -10 + STYLE_CHANGE_ERROR)]
    expect(whatDiffers(earlier, later).changed).toEqual([])
    expect(whatDiffers(later, earlier).changed).toEqual([])
  })

  it('by more than chance on an axis beyond its band, in either direction', () => {
    const [earlier, later] = [result(2, -10), result(3 + LETTER_CHANGE_ERROR, -9 + STYLE_CHANGE_ERROR)]
    expect(whatDiffers(earlier, later)).toEqual({
      changed: [
        { ...style, towards: 'idea' },
        { ...letters, towards: 'E' },
      ],
      turned: [],
      isElseReadDifferently: false,
    })
    expect(whatDiffers(later, earlier).changed.map(({ towards }) => towards)).toEqual(['experience', 'I'])
    expect(whatDiffers(result(5, 0, -20), result(5, 0, 20)).changed).toEqual([{ ends: ['watch', 'do'], towards: 'do' }])
  })

  it('opposite ends that are clear are named although chance explains it, also beside a change', () => {
    expect(whatDiffers(result(8, 0), result(2, 0))).toEqual({
      changed: [],
      turned: [{ ...letters, towards: 'I' }],
      isElseReadDifferently: false,
    })
    expect(whatDiffers(result(8, -10), result(2, 10))).toMatchObject({
      changed: [],
      turned: [
        { ...style, towards: 'idea' },
        { ...letters, towards: 'I' },
      ],
    })
    expect(whatDiffers(result(8, -20), result(2, 20))).toMatchObject({ changed: [style], turned: [letters] })
  })

  it('an end that is clear in one of the two only is no turn, but reads differently', () => {
    for (const [earlier, later] of [
      [result(8, 0), result(5, 0)],
      [result(5, 0), result(3, 0)],
      [result(5, -6), result(5, -7)],
    ] as const)
      expect(whatDiffers(earlier, later)).toEqual({ changed: [], turned: [], isElseReadDifferently: true })
  })

  it('no two clear ends differ without being named', () => {
    for (let before = 0; before <= 11; before += 1)
      for (let now = 0; now <= 11; now += 1) {
        const [earlier, later] = [result(before, 0), result(now, 0)]
        const [was, is] = [earlier, later].map(({ section2 }) => section2.axes[0]?.letter)
        const { changed, turned, isElseReadDifferently } = whatDiffers(earlier, later)
        expect([before, now, changed.length + turned.length > 0 || isElseReadDifferently || was === is]).toEqual([before, now, true])
      }
  })
})
