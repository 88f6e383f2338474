/** The structure of a questionnaire: its questions and scoring keys, without any text. SCORING-1 */

/** The learning modes ranked in Section1. */
export const MODES = ['experience', 'watch', 'idea', 'do'] as const
export type Mode = (typeof MODES)[number]

/** The axes of Section2, in the order of a type's letters. */
export const AXES = [
  { axis: 'EI', first: 'E', second: 'I' },
  { axis: 'SN', first: 'S', second: 'N' },
  { axis: 'TF', first: 'T', second: 'F' },
  { axis: 'JP', first: 'J', second: 'P' },
] as const
export type Axis = (typeof AXES)[number]['axis']
export type Pole = (typeof AXES)[number]['first' | 'second']

/** The facets of Section3. Their only use is to add sentences to the report (SCORING-6). */
export const FACETS = ['composure', 'persistence', 'feedback', 'teamwork', 'focus'] as const
export type Facet = (typeof FACETS)[number]

/** The four learning styles, each by its stronger pole on two axes: experience or idea, watch or do. */
export const STYLE_BY_POLES = {
  experience: { do: 'play', watch: 'view' },
  idea: { do: 'training', watch: 'plan' },
} as const
export type LearningStyle = 'play' | 'view' | 'plan' | 'training'

export type PersonalityType = `${'E' | 'I'}${'S' | 'N'}${'T' | 'F'}${'J' | 'P'}`

/** One questionnaire at one content version. Answers are stored under its ids. */
export interface Definition {
  assessmentId: string
  estimatedTimeMinutes: number
  /** Section1. The statements are `{id}-a` … `{id}-d`; `modes` keys them in that order. */
  groups: readonly { id: string; modes: readonly [Mode, Mode, Mode, Mode] }[]
  /** Section2. `A` and `B` are the poles that the two options stand for. */
  pairs: readonly { id: string; axis: Axis; A: Pole; B: Pole }[]
  /** Section3. `reversed`: agreement counts against the facet. */
  statements: readonly { id: string; facet: Facet; reversed: boolean }[]
}

/** Ids of a group's four statements, in the order shown. */
export function statementIds(groupId: string): string[] {
  return ['a', 'b', 'c', 'd'].map((letter) => `${groupId}-${letter}`)
}
