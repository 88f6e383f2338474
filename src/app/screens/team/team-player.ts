import type { AllocatedInstance } from '#contract/instances.coach.ts'

/** The team table's rows and its view: search, filters and order. TEAM-1, TEAM-6 */

export const TEAM_COLUMNS = ['player', 'email', 'status', 'date', 'team', 'type', 'position', 'result'] as const
export type TeamColumn = (typeof TEAM_COLUMNS)[number]

export function byColumn<T>(of: (column: TeamColumn) => T): Record<TeamColumn, T> {
  return Object.fromEntries(TEAM_COLUMNS.map((column) => [column, of(column)])) as Record<TeamColumn, T> // of all columns
}

/** By status, result and position (TEAM-1), and by the result's parts: learning style and letters. */
export const TEAM_FILTERS = ['status', 'result', 'position', 'style', 'letters'] as const
export type TeamFilter = (typeof TEAM_FILTERS)[number]

/** A row's value for each filter, language-neutral as in the URL, with its label; '' if it has none. */
export type FilterKeys = Record<TeamFilter, Readonly<{ value: string; label: string }>>

/** A row of the table: an instance and the text of each of its cells; '' for an empty one. */
export interface TeamPlayer {
  instance: AllocatedInstance
  cells: Record<TeamColumn, string>
  keys: FilterKeys
  /** identifies the player, who may have several rows */
  person: string
  /** the text a search looks through, without case and accents */
  folded: string
}

/** Translations of the API's values into one language. */
export interface TeamWords {
  language: string
  status: (status: string) => string
  type: (type: string) => string
  position: (position: string) => string
  /** said of a result between all four learning styles, and the filter's name for all that lie between several */
  noClearStyle: string
  betweenStyles: string
}

/** The coach's search, filters and order; '' is no filter. */
export interface TeamView extends Record<TeamFilter, string> {
  search: string
  sort: TeamColumn
  isDescending: boolean
}

/** '-' for a missing value. PROFILE-33 */
export const orDash = (text: string) => text || '-'
