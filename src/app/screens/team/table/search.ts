import { isNotDelivered } from '#contract/rules/statuses.ts'
import type { AllocatedInstance } from '#contract/instances.coach.ts'
import { fold } from '#app/ui/forms/fuzzy.ts'
import {
  type FilterKeys,
  TEAM_FILTERS,
  type TeamColumn,
  type TeamFilter,
  type TeamPlayer,
  type TeamView,
  type TeamWords,
} from '#app/screens/team/team-player.ts'

/** How the team table is narrowed: a search, and filters that say how many players each choice would leave. */

export interface TeamChoice {
  value: string
  label: string
}

/** An undelivered invitation is a state of its own: unlike a pending one, it needs somebody to act. */
export const NOT_DELIVERED = 'NOT_DELIVERED'

function stateOf({ status, invitation }: AllocatedInstance): string {
  return status === 'ALLOCATED' && isNotDelivered(invitation) ? NOT_DELIVERED : status
}

export function filterKeys(instance: AllocatedInstance, position: string, cells: Record<TeamColumn, string>, words: TeamWords): FilterKeys {
  const { results } = instance
  const [style, letters] = [results?.Section1, results?.section2]
  const state = stateOf(instance)
  return {
    status: { value: state, label: words.status(state) },
    result: { value: results ? `${style?.value} ${letters?.value}` : '', label: cells.result },
    position: { value: position, label: cells.position },
    style: { value: style?.value ?? '', label: style?.result ?? '' },
    letters: { value: letters?.value ?? '', label: letters?.value ?? '' },
  }
}

/** The text that a search looks through: all of the row's. */
export function searchText({ cells, keys }: Pick<TeamPlayer, 'cells' | 'keys'>): string {
  const { player, email, team, type, position, result } = cells
  return fold([player, email, team, type, position, result, cells.status, keys.status.label].join('\n'))
}

/** A single letter matches every type that contains it, four letters match exactly. */
function isOfLetters(value: string, asked: string): boolean {
  return asked.length === 1 ? value.includes(asked) : value === asked
}

function isOf({ keys }: TeamPlayer, filter: TeamFilter, asked: string): boolean {
  return filter === 'letters' ? isOfLetters(keys.letters.value, asked) : keys[filter].value === asked
}

/** Whether a row matches the search's words, and which filters are set. */
function askedBy(view: TeamView) {
  const words = fold(view.search.normalize('NFC')).split(' ').filter(Boolean)
  return {
    isSearched: ({ folded }: TeamPlayer) => words.every((word) => folded.includes(word)),
    filters: TEAM_FILTERS.filter((filter) => view[filter] !== ''),
  }
}

export function matching(team: readonly TeamPlayer[], view: TeamView): TeamPlayer[] {
  const { isSearched, filters } = askedBy(view)
  return team.filter((player) => filters.every((filter) => isOf(player, filter, view[filter])) && isSearched(player))
}

/** A filter's choices: the values that occur, sorted by label in the reader's language. */
export function choicesOf(team: readonly TeamPlayer[], filter: TeamFilter, language: string): TeamChoice[] {
  const labels = new Map(team.map(({ keys }) => [keys[filter].value, keys[filter].label]))
  labels.delete('')
  const { compare } = new Intl.Collator(language)
  const whole = [...labels].map(([value, label]) => ({ value, label })).sort((a, b) => compare(a.label, b.label))
  return filter === 'letters' ? [...lettersIn(whole), ...whole] : whole
}

/** The letters that occur in the types, position by position. */
function lettersIn(types: readonly TeamChoice[]): TeamChoice[] {
  const places = Math.max(0, ...types.map(({ value }) => value.length))
  const letters = Array.from({ length: places }, (_, place) => types.map(({ value }) => value[place] ?? '').sort())
  return [...new Set(letters.flat())].filter(Boolean).map((letter) => ({ value: letter, label: letter }))
}

/** How many players would remain with a choice, given the search and the other filters. */
export function leavesBy(team: readonly TeamPlayer[], view: TeamView): (filter: TeamFilter, value: string) => number {
  const { isSearched, filters } = askedBy(view)
  const people = Object.fromEntries(TEAM_FILTERS.map((filter) => [filter, new Map<string, Set<string>>()]))
  for (const player of team) {
    const against = filters.filter((filter) => !isOf(player, filter, view[filter]))
    if (against.length > 1 || !isSearched(player)) continue
    // excluded by a single filter: another choice there would bring it back
    for (const filter of against.length === 0 ? TEAM_FILTERS : against) {
      const { value } = player.keys[filter]
      const same = people[filter]?.get(value)
      if (same) same.add(player.person)
      else people[filter]?.set(value, new Set([player.person]))
    }
  }
  return (filter, value) => {
    const isLetter = filter === 'letters' && value.length === 1
    if (!isLetter) return people[filter]?.get(value)?.size ?? 0
    return new Set([...(people[filter] ?? [])].flatMap(([letters, theirs]) => (letters.includes(value) ? [...theirs] : []))).size
  }
}
