import type { Mode } from '#contract/rules/result-picture.ts'

/** Translation keys of the four ways of learning. */
export const MODES = {
  experience: 'results:ResultsModeExperience',
  watch: 'results:ResultsModeWatch',
  idea: 'results:ResultsModeIdea',
  do: 'results:ResultsModeDo',
} as const satisfies Record<Mode, string>

/** Translation keys of the preference letters. A letter that is not here, from a later scoring version, is shown as it is. */
export const POLES = {
  E: 'results:ResultsPoleE',
  I: 'results:ResultsPoleI',
  S: 'results:ResultsPoleS',
  N: 'results:ResultsPoleN',
  T: 'results:ResultsPoleT',
  F: 'results:ResultsPoleF',
  J: 'results:ResultsPoleJ',
  P: 'results:ResultsPoleP',
} as const

/** Translation keys of a line on what each letter means. */
export const POLE_LINES = {
  E: 'results:ResultsPoleLineE',
  I: 'results:ResultsPoleLineI',
  S: 'results:ResultsPoleLineS',
  N: 'results:ResultsPoleLineN',
  T: 'results:ResultsPoleLineT',
  F: 'results:ResultsPoleLineF',
  J: 'results:ResultsPoleLineJ',
  P: 'results:ResultsPoleLineP',
} as const
