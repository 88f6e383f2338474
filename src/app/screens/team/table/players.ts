import { INSTANCE_STATUSES } from '#contract/rules/statuses.ts'
import { PLAYER_TYPE_DEFAULT, TABLE_POSITIONS } from '#contract/constants.ts'
import type { AllocatedInstance } from '#contract/coach.ts'
import { personOf } from '#app/screens/team/people.ts'
import { filterKeys, matching, searchText, type FilterKeys, type TeamFilter } from './search.ts'

/** The team table without its looks: what its cells say, what is found, and in which order. TEAM-1, TEAM-6 */

export const TEAM_COLUMNS = ['player', 'email', 'status', 'date', 'team', 'type', 'position', 'result'] as const
export type TeamColumn = (typeof TEAM_COLUMNS)[number]

/** What the coach looks at; '' is everything. */
export interface TeamView extends Record<TeamFilter, string> {
  search: string
  sort: TeamColumn
  isDescending: boolean
}

/** The words of one language. */
export interface TeamWords {
  language: string
  status: (status: string) => string
  type: (type: string) => string
  position: (position: string) => string
}

/** A row of the table: an instance and what it says in each column; '' where it says nothing. */
export interface TeamPlayer {
  instance: AllocatedInstance
  says: Record<TeamColumn, string>
  keys: FilterKeys
  /** whose row it is: one player may have several */
  person: string
  /** what a search looks through */
  folded: string
}

/** Missing values display '-'. PROFILE-33 */
export const shown = (text: string) => text || '-'

/** Section1's result and section2's label, joined by a space. TEAM-6 */
export function resultOf({ results }: AllocatedInstance): string {
  return results ? [results.Section1.result, results.section2.label].filter(Boolean).join(' ') : ''
}

/** As noted on the row, else the player's own, which is an id of the lookups: `goalkeeper` is the table's Goalkeeper. '' without. */
export function positionOf({ userPositionName }: AllocatedInstance): string {
  const name = userPositionName ?? ''
  return TABLE_POSITIONS.find((one) => one.toLowerCase() === name.toLowerCase()) ?? name
}

export function describePlayer(instance: AllocatedInstance, words: TeamWords): TeamPlayer {
  const name = [instance.userName, instance.userLastname].filter(Boolean).join(' ')
  const position = positionOf(instance)
  const says = {
    player: name,
    email: instance.userEmail,
    status: words.status(instance.status),
    date: instance.completedDate ?? '',
    team: instance.userTeam ?? '',
    type: words.type(instance.userPlayerType ?? PLAYER_TYPE_DEFAULT),
    position: position && words.position(position),
    result: resultOf(instance),
  }
  const keys = filterKeys(instance, position, says, words)
  return { instance, says, keys, person: personOf(instance), folded: searchText({ says, keys }) }
}

/** Rows that did not change stay the same objects, so that they are not drawn again. */
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
 * By what a column says; statuses as they follow each other; what says nothing comes last either way, and what says the
 * same is in the order of the names.
 */
export function sorted(
  team: readonly TeamPlayer[],
  { sort, isDescending }: Pick<TeamView, 'sort' | 'isDescending'>,
  language: string,
): TeamPlayer[] {
  const { saying, silent } = groupsOf(team, sort, language)
  return [...(isDescending ? saying.toReversed() : saying), silent].flat()
}

/** The rows that say the same, in the order of the names; the groups in the order of their texts. */
interface Groups {
  saying: readonly (readonly TeamPlayer[])[]
  silent: readonly TeamPlayer[]
}

const known = new WeakMap<readonly TeamPlayer[], Map<string, Groups>>()

/** Texts are compared once for each that there is, rows never; kept for as long as the rows are the same. */
function groupsOf(team: readonly TeamPlayer[], column: TeamColumn, language: string): Groups {
  const ofTeam = known.get(team) ?? new Map<string, Groups>()
  known.set(team, ofTeam)
  const name = `${language} ${column}`
  const before = ofTeam.get(name)
  if (before) return before
  const rows = column === 'player' ? team : sorted(team, { sort: 'player', isDescending: false }, language)
  const byText = new Map<string, TeamPlayer[]>()
  for (const player of rows) {
    const text = orderedBy(player, column)
    const same = byText.get(text)
    if (same) same.push(player)
    else byText.set(text, [player])
  }
  const silent = byText.get('') ?? []
  byText.delete('')
  // addresses, instants and stages are no language's: by their signs, which is also ten times quicker
  const isPlain = column === 'date' || column === 'email' || column === 'status'
  const texts = [...byText.keys()].sort(isPlain ? undefined : new Intl.Collator(language).compare)
  const groups = { saying: texts.map((text) => byText.get(text) ?? []), silent }
  ofTeam.set(name, groups)
  return groups
}

function orderedBy({ says, instance }: TeamPlayer, column: TeamColumn): string {
  if (column === 'email') return says.email.toLowerCase()
  return column === 'status' ? stageOf(instance.status) : says[column]
}

/** One digit; a status that is none of ours comes first. */
function stageOf(status: string): string {
  const stages: readonly string[] = INSTANCE_STATUSES
  return String(stages.indexOf(status) + 1)
}

/**
 * The rows of a view, in its order. A row that is edited stays where it is, also where its new value belongs elsewhere or
 * no longer matches, until another view is asked for or somebody comes or goes: the hand on it must not lose it.
 */
export function teamKeeper(): (team: readonly TeamPlayer[], view: TeamView, language: string) => TeamPlayer[] {
  let last: { team: readonly TeamPlayer[]; view: TeamView; language: string; members: string; rows: TeamPlayer[] } | undefined
  return (team, view, language) => {
    const members = last?.team === team ? last.members : team.map(({ instance }) => instance.instanceId).join(' ')
    const isKept = last?.view === view && last.language === language && last.members === members
    const rows = isKept ? asTheyAre(last?.rows ?? [], team) : matching(sorted(team, view, language), view)
    last = { team, view, language, members, rows }
    return rows
  }
}

function asTheyAre(rows: readonly TeamPlayer[], team: readonly TeamPlayer[]): TeamPlayer[] {
  const byId = new Map(team.map((player) => [player.instance.instanceId, player]))
  return rows.flatMap(({ instance }) => byId.get(instance.instanceId) ?? [])
}
