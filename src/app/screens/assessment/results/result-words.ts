import type { Mode } from '#contract/rules/result-picture.ts'

/** Translation keys of the four ways of learning. */
export const MODES = {
  experience: 'ResultsModeExperience',
  watch: 'ResultsModeWatch',
  idea: 'ResultsModeIdea',
  do: 'ResultsModeDo',
} as const satisfies Record<Mode, string>

/** Translation keys of both ends of the axes of the learning styles. */
export const AXIS_NAMES = {
  ideaExperience: ['ResultsModeExperience', 'ResultsModeIdea'],
  doWatch: ['ResultsModeWatch', 'ResultsModeDo'],
} as const

export const STRENGTHS = { slight: 'ResultsStrengthSlight', clear: 'ResultsStrengthClear', strong: 'ResultsStrengthStrong' } as const

/** Translation keys of the preference letters. A letter that is not here, from a later scoring version, is shown as it is. */
export const POLES = {
  E: 'ResultsPoleE',
  I: 'ResultsPoleI',
  S: 'ResultsPoleS',
  N: 'ResultsPoleN',
  T: 'ResultsPoleT',
  F: 'ResultsPoleF',
  J: 'ResultsPoleJ',
  P: 'ResultsPoleP',
} as const

/** Translation keys of a line on what each letter means. */
export const POLE_LINES = {
  E: 'ResultsPoleLineE',
  I: 'ResultsPoleLineI',
  S: 'ResultsPoleLineS',
  N: 'ResultsPoleLineN',
  T: 'ResultsPoleLineT',
  F: 'ResultsPoleLineF',
  J: 'ResultsPoleLineJ',
  P: 'ResultsPoleLineP',
} as const
