import { isNotDelivered } from '#contract/rules/statuses.ts'
import type { AllocatedInstance } from '#contract/instances.coach.ts'
import { inFixedOrder, letterLine, lettersOf } from '#contract/rules/result-line.ts'
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

/** The team table's search and its filters, which show how many players each choice would leave. */

export interface TeamChoice {
  value: string
  label: string
}

/** A filter value of its own: a style that is not clear is none of the four. */
const BETWEEN_STYLES = 'between'

/** A filter value of its own: unlike other pending invitations, an undelivered one needs somebody to act. */
export const NOT_DELIVERED = 'NOT_DELIVERED'

function stateOf({ status, invitation }: AllocatedInstance): string {
  return status === 'ALLOCATED' && isNotDelivered(invitation) ? NOT_DELIVERED : status
}

export function filterKeys(instance: AllocatedInstance, position: string, cells: Record<TeamColumn, string>, words: TeamWords): FilterKeys {
  const { results } = instance
  const styles = results ? inFixedOrder(results.Section1.styles) : []
  const letters = results ? letterLine(results.section2) : ''
  const state = stateOf(instance)
  return {
    status: { value: state, label: words.status(state) },
    result: { value: letters ? `${styles.map(({ value }) => value).join('/')} ${letters}` : '', label: cells.result },
    position: { value: position, label: cells.position },
    style: styles.length > 1 ? { value: BETWEEN_STYLES, label: words.betweenStyles } : styleKey(styles[0]),
    letters: { value: letters, label: letters },
  }
}

function styleKey(style: { value: string; result: string } | undefined) {
  return { value: style?.value ?? '', label: style?.result ?? '' }
}

/** What a search looks through: the row's texts, but not its date. */
export function searchText({ cells, keys }: Pick<TeamPlayer, 'cells' | 'keys'>): string {
  const { player, email, team, type, position, result } = cells
  return fold([player, email, team, type, position, result, cells.status, keys.status.label].join('\n'))
}

/** A single letter matches every result in which it is clear; several match exactly. */
function matchesLetters(value: string, asked: string): boolean {
  return asked.length === 1 ? lettersOf(value).includes(asked) : value === asked
}

function passes({ keys }: TeamPlayer, filter: TeamFilter, asked: string): boolean {
  return filter === 'letters' ? matchesLetters(keys.letters.value, asked) : keys[filter].value === asked
}

/** The view's search as a predicate, and the filters that are set. */
function criteriaOf(view: TeamView) {
  const words = fold(view.search.normalize('NFC')).split(' ').filter(Boolean)
  return {
    matchesSearch: ({ folded }: TeamPlayer) => words.every((word) => folded.includes(word)),
    filters: TEAM_FILTERS.filter((filter) => view[filter] !== ''),
  }
}

export function matching(team: readonly TeamPlayer[], view: TeamView): TeamPlayer[] {
  const { matchesSearch, filters } = criteriaOf(view)
  return team.filter((player) => filters.every((filter) => passes(player, filter, view[filter])) && matchesSearch(player))
}

/** A filter's choices: the values that occur, sorted by label in the reader's language. For letters, single ones come first. */
export function choicesOf(team: readonly TeamPlayer[], filter: TeamFilter, language: string): TeamChoice[] {
  const labels = new Map(team.map(({ keys }) => [keys[filter].value, keys[filter].label]))
  labels.delete('')
  const { compare } = new Intl.Collator(language)
  const whole = [...labels].map(([value, label]) => ({ value, label })).sort((a, b) => compare(a.label, b.label))
  return filter === 'letters' ? [...lettersIn(whole), ...whole] : whole
}

/** The single letters that are clear in a result, those of the first axis first. */
function lettersIn(results: readonly TeamChoice[]): TeamChoice[] {
  const byAxis = results.map(({ value }) => lettersOf(value))
  const length = Math.max(0, ...byAxis.map((letters) => letters.length))
  const letters = Array.from({ length }, (_, axis) => byAxis.map((one) => one[axis] ?? '').sort())
  return [...new Set(letters.flat())].filter((letter) => letter.length === 1).map((letter) => ({ value: letter, label: letter }))
}

/** Counts how many players would remain with a choice, given the search and the other filters. */
export function leavesBy(team: readonly TeamPlayer[], view: TeamView): (filter: TeamFilter, value: string) => number {
  const { matchesSearch, filters } = criteriaOf(view)
  const people = Object.fromEntries(TEAM_FILTERS.map((filter) => [filter, new Map<string, Set<string>>()]))
  for (const player of team) {
    const failed = filters.filter((filter) => !passes(player, filter, view[filter]))
    if (failed.length > 1 || !matchesSearch(player)) continue
    // a row excluded by one filter counts for that filter's choices only
    for (const filter of failed.length === 0 ? TEAM_FILTERS : failed) {
      const { value } = player.keys[filter]
      const same = people[filter]?.get(value)
      if (same) same.add(player.person)
      else people[filter]?.set(value, new Set([player.person]))
    }
  }
  return (filter, value) => {
    const isLetter = filter === 'letters' && value.length === 1
    if (!isLetter) return people[filter]?.get(value)?.size ?? 0
    return new Set([...(people[filter] ?? [])].flatMap(([letters, theirs]) => (lettersOf(letters).includes(value) ? [...theirs] : []))).size
  }
}
