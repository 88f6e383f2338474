import { describe, expect, it } from 'vitest'
import type { Results } from '#contract/instances.ts'
import { LETTER_CHANGE_ERROR, STYLE_CHANGE_ERROR, whatChanged } from '#contract/rules/what-changed.ts'

function result(forE: number, ideaExperience: number): Results {
  const style = { value: 'play', result: 'Free Play' }
  const counts = { first: 'E', second: 'I', firstCount: forE, secondCount: 11 - forE }
  return {
    scoringVersion: '2',
    Section1: {
      ...style,
      styles: [style],
      modes: { experience: 30, watch: 30, idea: 30, do: 30 },
      axes: { ideaExperience, doWatch: 0 },
      closeCalls: [],
    },
    section2: { value: 'E', label: 'E', axes: [{ axis: 'EI', ...counts, strength: 'slight', closeCall: false, letter: null }] },
    section3: { facets: [] },
  }
}

describe('what changed between two results (RESULTS-13)', () => {
  it('is nothing within the bands', () => {
    const [earlier, later] = [result(2, -10), result(2 + LETTER_CHANGE_ERROR, -10 + STYLE_CHANGE_ERROR)]
    expect(whatChanged(earlier, later)).toEqual({ letters: [], styles: [] })
    expect(whatChanged(later, earlier)).toEqual({ letters: [], styles: [] })
  })

  it('is an axis beyond its band, in either direction', () => {
    const [earlier, later] = [result(2, -10), result(3 + LETTER_CHANGE_ERROR, -9 + STYLE_CHANGE_ERROR)]
    const both = { letters: ['EI'], styles: ['ideaExperience'] }
    expect(whatChanged(earlier, later)).toEqual(both)
    expect(whatChanged(later, earlier)).toEqual(both)
  })
})
