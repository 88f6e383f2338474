/** Keys of `locales/*\/results.json` that the results screen and the report share. */

export const STRENGTHS = { slight: 'ResultsStrengthSlight', clear: 'ResultsStrengthClear', strong: 'ResultsStrengthStrong' } as const

const FIRST_HEADINGS = ['ResultsOverviewTeam', 'ResultsOverviewLearning', 'ResultsOverviewTry'] as const

export const STAND_OUT = 'ResultsOverviewStandOut'

/** By the number of paragraphs: the one on what stood out is optional. With any other number there are no headings. */
export const OVERVIEW_HEADINGS: Readonly<Record<number, readonly string[]>> = {
  4: [...FIRST_HEADINGS, 'ResultsOverviewClosing'],
  5: [...FIRST_HEADINGS, STAND_OUT, 'ResultsOverviewClosing'],
}
