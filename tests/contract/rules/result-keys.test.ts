import { describe, expect, it } from 'vitest'
import type { Results } from '#contract/instances.ts'
import {
  lettersSentenceKey,
  overviewNoteKey,
  spotSentenceKey,
  styleSentenceKey,
  styleTitleKey,
  typeTitleKey,
} from '#contract/rules/result-keys.ts'

/** What the results screen and the report say. RESULTS-12 */

interface Given {
  /** names of the styles that fit, the nearest first */
  styles: string[]
  letters: (string | null)[]
  isTied?: boolean
}

function results({ styles, letters, isTied = false }: Given): Results {
  return {
    scoringVersion: '1',
    Section1: {
      value: 'plan',
      result: 'Scout',
      styles: styles.map((result) => ({ value: 'plan', result })),
      modes: { experience: 30, watch: 30, idea: 30, do: 30 },
      axes: { ideaExperience: isTied ? 0 : 3, doWatch: 5 },
      closeCalls: [],
    },
    section2: {
      value: 'EN',
      label: 'EN',
      axes: letters.map((letter) => ({
        axis: 'EI',
        first: 'E',
        second: 'I',
        firstCount: 6,
        secondCount: 5,
        strength: 'slight',
        closeCall: true,
        letter,
      })),
    },
    section3: { facets: [] },
  }
}

describe('the keys of a result', () => {
  it.each([
    [['Scout'], 'ResultsStyleClear', 'ResultsModesInQuarter', 'ResultsStyleTitle'],
    [['Scout', 'Keeper'], 'ResultsStyleBetween', 'ResultsModesOnLine', 'ResultsStyleNearest'],
    [['Scout', ''], 'ResultsStyleBeside', 'ResultsModesOnLine', 'ResultsStyleNearest'],
    [['Scout', 'Keeper', 'Coach', 'Striker'], 'ResultsStyleOpen', 'ResultsModesInMiddle', 'ResultsStyleNearest'],
  ])('of the learning style: %j', (styles, sentence, spot, title) => {
    const { Section1 } = results({ styles, letters: ['E'] })
    expect([styleSentenceKey(Section1), spotSentenceKey(Section1), styleTitleKey(Section1)]).toEqual([sentence, spot, title])
  })

  it.each([
    [['E', 'E'], 'ResultsLettersAllClear', 'ResultsTypeTitle'],
    [['E', null], 'ResultsLettersSomeClear', 'ResultsTypeNearest'],
    [[null, null], 'ResultsLettersNoneClear', 'ResultsTypeNearest'],
  ])('of the letters: %j', (letters, sentence, title) => {
    const { section2 } = results({ styles: ['Scout'], letters })
    expect([lettersSentenceKey(section2), typeTitleKey(section2)]).toEqual([sentence, title])
  })

  it('of the overview: for whom it is written, unless all is clear', () => {
    expect(overviewNoteKey(results({ styles: ['Scout'], letters: ['E'] }))).toBeUndefined()
    expect(overviewNoteKey(results({ styles: ['Scout'], letters: [null] }))).toBe('ResultsOverviewNearest')
    expect(overviewNoteKey(results({ styles: ['Scout', 'Keeper'], letters: ['E'] }))).toBe('ResultsOverviewNearest')
    expect(overviewNoteKey(results({ styles: ['Scout', 'Keeper'], letters: ['E'], isTied: true }))).toBe('ResultsOverviewOneOfNearest')
  })

  it('of a tie: one of the nearest styles', () => {
    expect(styleTitleKey(results({ styles: ['Scout', 'Keeper'], letters: [], isTied: true }).Section1)).toBe('ResultsStyleOneOfNearest')
  })
})
