import type { Results } from '../instances.ts'
import { isNearestTied } from './clear-results.ts'
import type { Mode } from './result-picture.ts'

/** What a result says, as keys of `locales/*\/results.json`: for the results screen and for the report. */

type Section1 = Results['Section1']
type Section2 = Results['section2']

export const STRENGTHS = { slight: 'ResultsStrengthSlight', clear: 'ResultsStrengthClear', strong: 'ResultsStrengthStrong' } as const

/** The four ways of learning. */
export const MODE_KEYS = {
  experience: 'ResultsModeExperience',
  watch: 'ResultsModeWatch',
  idea: 'ResultsModeIdea',
  do: 'ResultsModeDo',
} as const satisfies Record<Mode, string>

/** The same within a sentence: French needs another form there than in a list. */
export const TOWARDS_KEYS = {
  experience: 'ResultsTowardsExperience',
  watch: 'ResultsTowardsWatch',
  idea: 'ResultsTowardsIdea',
  do: 'ResultsTowardsDo',
} as const satisfies Record<Mode, string>

/** The preference letters. A letter that is not here, from a later scoring version, is shown as it is. */
export const POLE_KEYS = {
  E: 'ResultsPoleE',
  I: 'ResultsPoleI',
  S: 'ResultsPoleS',
  N: 'ResultsPoleN',
  T: 'ResultsPoleT',
  F: 'ResultsPoleF',
  J: 'ResultsPoleJ',
  P: 'ResultsPoleP',
} as const

type Pole = keyof typeof POLE_KEYS

/** A line on what each letter means. */
export const POLE_LINE_KEYS = {
  E: 'ResultsPoleLineE',
  I: 'ResultsPoleLineI',
  S: 'ResultsPoleLineS',
  N: 'ResultsPoleLineN',
  T: 'ResultsPoleLineT',
  F: 'ResultsPoleLineF',
  J: 'ResultsPoleLineJ',
  P: 'ResultsPoleLineP',
} as const satisfies Record<Pole, string>

export const isPole = (letter: string): letter is Pole => letter in POLE_KEYS

/** How certain the learning style is, with `style`, `other` and `modes`. RESULTS-12 */
export function styleSentenceKey({ styles }: Section1): string {
  if (styles.length <= 1) return 'ResultsStyleClear'
  if (styles.length > 2) return 'ResultsStyleOpen'
  // of a result from before it said what is clear, only the nearest has a name
  return styles[1]?.result ? 'ResultsStyleBetween' : 'ResultsStyleBeside'
}

/** How certain the letters are, with `count` of those that are clear, and `pair`. RESULTS-12 */
export function lettersSentenceKey(section2: Section2): string {
  if (isAllClear(section2)) return 'ResultsLettersAllClear'
  return countClear(section2) === 0 ? 'ResultsLettersNoneClear' : 'ResultsLettersSomeClear'
}

export const countClear = ({ axes }: Section2): number => axes.filter(({ letter }) => letter !== null).length

/** What the place of the spot on the pitch says. */
export function spotSentenceKey({ styles }: Section1): string {
  if (styles.length === 1) return 'ResultsModesInQuarter'
  return styles.length === 2 ? 'ResultsModesOnLine' : 'ResultsModesInMiddle'
}

/** The heading of what is written about the learning style, with `name`. */
export function styleTitleKey({ styles, axes }: Section1): string {
  if (styles.length <= 1) return 'ResultsStyleTitle'
  return isNearestTied(axes) ? 'ResultsStyleOneOfNearest' : 'ResultsStyleNearest'
}

/** The heading of what is written about the personality type, with `name`. */
export function typeTitleKey(section2: Section2): string {
  return isAllClear(section2) ? 'ResultsTypeTitle' : 'ResultsTypeNearest'
}

/** That the overview is written for the nearest, with `style` and `type`; undefined if the result is clear. */
export function overviewNoteKey({ Section1, section2 }: Results): string | undefined {
  if (Section1.styles.length <= 1 && isAllClear(section2)) return undefined
  return isNearestTied(Section1.axes) ? 'ResultsOverviewOneOfNearest' : 'ResultsOverviewNearest'
}

const isAllClear = (section2: Section2): boolean => countClear(section2) === section2.axes.length

const FIRST_HEADINGS = ['ResultsOverviewTeam', 'ResultsOverviewLearning', 'ResultsOverviewTry'] as const

export const STAND_OUT = 'ResultsOverviewStandOut'

/** By the number of paragraphs: the one on what stood out is optional. With any other number there are no headings. */
export const OVERVIEW_HEADINGS: Readonly<Record<number, readonly string[]>> = {
  4: [...FIRST_HEADINGS, 'ResultsOverviewClosing'],
  5: [...FIRST_HEADINGS, STAND_OUT, 'ResultsOverviewClosing'],
}
