import type { AllocatedInstance } from '#contract/instances.coach.ts'
import { personOf } from '#app/screens/team/people.ts'
import type { TeamColumn, TeamPlayer, TeamView, TeamWords } from '#app/screens/team/team-player.ts'
import { cellsOf, columns, positionOf, sortKeyOf } from './columns.tsx'
import { filterKeys, matching, searchText } from './search.ts'

/** The team table's rows: which are shown, and in which order. TEAM-1, TEAM-6 */

export function describePlayer(instance: AllocatedInstance, words: TeamWords): TeamPlayer {
  const cells = cellsOf(instance, words)
  const keys = filterKeys(instance, positionOf(instance), cells, words)
  return { instance, cells, keys, person: personOf(instance), folded: searchText({ cells, keys }) }
}

/** Unchanged rows stay the same objects, so that they do not render again. */
export function teamDescriber(words: TeamWords): (instances: readonly AllocatedInstance[]) => TeamPlayer[] {
  const known = new WeakMap<AllocatedInstance, TeamPlayer>()
  return (instances) =>
    instances.map((instance) => {
      const player = known.get(instance) ?? describePlayer(instance, words)
      known.set(instance, player)
      return player
    })
}

/**
 * By a column's text; statuses in the order of their stages. Empty cells come last in either direction, and rows with equal
 * cells are in the order of names.
 */
export function sorted(
  team: readonly TeamPlayer[],
  { sort, isDescending }: Pick<TeamView, 'sort' | 'isDescending'>,
  language: string,
): TeamPlayer[] {
  const { filled, empty } = groupsOf(team, sort, language)
  return [...(isDescending ? filled.toReversed() : filled), empty].flat()
}

/** Rows grouped by equal text, each group in the order of names; the groups in the order of their texts. */
interface Groups {
  filled: readonly (readonly TeamPlayer[])[]
  empty: readonly TeamPlayer[]
}

const known = new WeakMap<readonly TeamPlayer[], Map<string, Groups>>()

/** Compares each distinct text once, and no rows; cached for as long as the rows are the same. */
function groupsOf(team: readonly TeamPlayer[], column: TeamColumn, language: string): Groups {
  const ofTeam = known.get(team) ?? new Map<string, Groups>()
  known.set(team, ofTeam)
  const name = `${language} ${column}`
  const before = ofTeam.get(name)
  if (before) return before
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
 * The rows of a view, in order. An edited row stays where it is, even if its new value belongs elsewhere or no longer matches,
 * until the view changes or a row is added or removed: it must not move away while it is being edited.
 */
export function stableRows(): (team: readonly TeamPlayer[], view: TeamView, language: string) => TeamPlayer[] {
  let last: { team: readonly TeamPlayer[]; view: TeamView; language: string; members: string; rows: TeamPlayer[] } | undefined
  return (team, view, language) => {
    const members = last?.team === team ? last.members : team.map(({ instance }) => instance.instanceId).join(' ')
    const isSame = last?.view === view && last.language === language && last.members === members
    const rows = isSame ? inSameOrder(last?.rows ?? [], team) : matching(sorted(team, view, language), view)
    last = { team, view, language, members, rows }
    return rows
  }
}

function inSameOrder(rows: readonly TeamPlayer[], team: readonly TeamPlayer[]): TeamPlayer[] {
  const byId = new Map(team.map((player) => [player.instance.instanceId, player]))
  return rows.flatMap(({ instance }) => byId.get(instance.instanceId) ?? [])
}
