import type { AllocatedInstance } from '#contract/instances.coach.ts'
import { personKeyOf } from '#app/screens/team/people.ts'
import type { TeamColumn, TeamPlayer, TeamView, TeamWords } from '#app/screens/team/team-player.ts'
import { cellsOf, columns, positionOf, sortKeyOf } from './columns.tsx'
import { filterKeys, matching, searchText } from './search.ts'

/** The team table's rows: which ones, and in which order. TEAM-1, TEAM-6 */

export function describePlayer(instance: AllocatedInstance, words: TeamWords): TeamPlayer {
  const cells = cellsOf(instance, words)
  const keys = filterKeys(instance, positionOf(instance), cells, words)
  return { instance, cells, keys, person: personKeyOf(instance), folded: searchText({ cells, keys }) }
}

/** Describes each instance once: unchanged rows stay the same objects and do not render again. */
export function teamDescriber(words: TeamWords): (instances: readonly AllocatedInstance[]) => TeamPlayer[] {
  const known = new WeakMap<AllocatedInstance, TeamPlayer>()
  return (instances) =>
    instances.map((instance) => {
      const player = known.get(instance) ?? describePlayer(instance, words)
      known.set(instance, player)
      return player
    })
}

/** How many people the rows are of: one may have several assessments. */
export function countPlayers(rows: readonly TeamPlayer[]): number {
  return new Set(rows.map(({ person }) => person)).size
}

/**
 * Sorted by a column's text, statuses by their stage. Empty cells come last in either direction; rows with equal cells are sorted by
 * name.
 */
export function sorted(
  team: readonly TeamPlayer[],
  { sort, isDescending }: Pick<TeamView, 'sort' | 'isDescending'>,
  language: string,
): TeamPlayer[] {
  const { filled, empty } = groupsOf(team, sort, language)
  return [...(isDescending ? filled.toReversed() : filled), empty].flat()
}

/** Rows grouped by equal text and sorted by name within a group; the groups are sorted by text. */
interface Groups {
  filled: readonly (readonly TeamPlayer[])[]
  empty: readonly TeamPlayer[]
}

const groupsByTeam = new WeakMap<readonly TeamPlayer[], Map<string, Groups>>()

/** Sorts the distinct texts, of which there are fewer than rows. Cached while the rows are the same. */
function groupsOf(team: readonly TeamPlayer[], column: TeamColumn, language: string): Groups {
  const ofTeam = groupsByTeam.get(team) ?? new Map<string, Groups>()
  groupsByTeam.set(team, ofTeam)
  const name = `${language} ${column}`
  const cached = ofTeam.get(name)
  if (cached) return cached
  const rows = column === 'player' ? team : sorted(team, { sort: 'player', isDescending: false }, language)
  const byText = new Map<string, TeamPlayer[]>()
  for (const player of rows) {
    const text = sortKeyOf(player, column)
    const same = byText.get(text)
    if (same) same.push(player)
    else byText.set(text, [player])
  }
  const empty = byText.get('') ?? []
  byText.delete('')
  const texts = [...byText.keys()].sort(columns[column].isPlain ? undefined : new Intl.Collator(language).compare)
  const groups = { filled: texts.map((text) => byText.get(text) ?? []), empty }
  ofTeam.set(name, groups)
  return groups
}

/**
 * Filters and sorts the rows of a view. A row must not move while it is being edited: it stays in its place, even if its new value
 * sorts elsewhere or no longer matches, until the view or the page changes or a row is added or removed. TEAM-12
 */
export function stableRows(): (team: readonly TeamPlayer[], view: TeamView, page: number, language: string) => TeamPlayer[] {
  let last: { team: readonly TeamPlayer[]; view: TeamView; page: number; language: string; members: string; rows: TeamPlayer[] } | undefined
  return (team, view, page, language) => {
    const members = last?.team === team ? last.members : team.map(({ instance }) => instance.instanceId).join(' ')
    const isSame = last?.view === view && last.page === page && last.language === language && last.members === members
    const rows = isSame ? inSameOrder(last?.rows ?? [], team) : matching(sorted(team, view, language), view)
    last = { team, view, page, language, members, rows }
    return rows
  }
}

function inSameOrder(rows: readonly TeamPlayer[], team: readonly TeamPlayer[]): TeamPlayer[] {
  const byId = new Map(team.map((player) => [player.instance.instanceId, player]))
  return rows.flatMap(({ instance }) => byId.get(instance.instanceId) ?? [])
}

/**
 * A key for each row on screen: players who stay keep their row, with what is being typed in it, and the rows of others are reused, so that
 * paging, sorting and filtering are fast. The row that had the focus last is not: neither the focus nor a choice that waits to be saved
 * passes to another player.
 */
export function rowKeys() {
  let last = new Map<string, number>()
  let unused = 0
  let focused: string | undefined
  return {
    keysFor: (shown: readonly TeamPlayer[]): number[] => {
      const ids = shown.map(({ instance }) => instance.instanceId)
      const free = [...last].filter(([id]) => id !== focused && !ids.includes(id)).map(([, key]) => key)
      last = new Map(ids.map((id) => [id, last.get(id) ?? free.shift() ?? unused++]))
      return [...last.values()]
    },
    noteFocus: (instanceId: string) => {
      focused = instanceId
    },
  }
}
