import type { ReactNode } from 'react'
import { COLUMN_PX } from '#app/constants.ts'
import { formatCount } from '#app/i18n/figures.ts'
import { formatDate } from '#app/i18n/format.ts'
import { localDay } from '#app/i18n/times.ts'
import { useTranslation, type Translation } from '#app/i18n/use-translation.ts'
import { AssessmentName } from '#app/parts/assessment/assessment-name.tsx'
import { ResultLineText } from '#app/parts/assessment/result-line-text.tsx'
import { resultLine } from '#contract/rules/result-line.ts'
import { Avatar } from '#app/parts/person/avatar.tsx'
import { Badge, NotDelivered } from '#app/parts/dashboard/status-badge.tsx'
import { EmailText } from '#app/parts/person/email-text.tsx'
import type { AllocatedInstance } from '#contract/instances.coach.ts'
import { PLAYER_TYPE_DEFAULT, PLAYER_TYPES, TABLE_POSITIONS } from '#contract/constants.ts'
import { INSTANCE_STATUSES } from '#contract/rules/statuses.ts'
import { byColumn, orDash, type TeamColumn, type TeamPlayer, type TeamWords } from '#app/screens/team/team-player.ts'
import { TeamSelect, TeamText, type TeamChoices } from './cells.tsx'
import type { TeamChange, TeamEditing } from './edits.ts'

/** What each column of the team table is called, contains and shows. To add one: .github/CONTRIBUTING.md. TEAM-1, TEAM-6 */

interface Column {
  /** translation key of the heading */
  heading: string
  width: number
  /** the cell's text; '' if empty */
  text: (instance: AllocatedInstance, words: TeamWords) => string
  /** by default the text */
  sortKey?: (player: TeamPlayer) => string
  /** not in any language: sorted by character code, ten times faster than by a language's rules */
  isPlain?: true
  /** in the CSV file; by default the text */
  csv?: (player: TeamPlayer) => string
  /** on the printed sheet; by default the text */
  onPaper?: (player: TeamPlayer) => string
  cell: (row: CellRow) => ReactNode
}

/** What a cell is rendered from. */
export interface CellRow {
  player: TeamPlayer
  words: TeamWords
  t: Translation['t']
  choices: { types: TeamChoices; positions: TeamChoices }
  /** the rows are of several assessments: each names its own */
  hasSeveralAssessments: boolean
  /** undefined for an example row (TEAM-16) */
  editing: TeamEditing | undefined
  headings: Record<TeamColumn, string>
}

const typeOf = ({ userPlayerType }: AllocatedInstance) => userPlayerType ?? PLAYER_TYPE_DEFAULT

/** The position in the table's spelling: a profile's `goalkeeper` is the table's Goalkeeper. '' if missing. */
export function positionOf({ userPositionName }: AllocatedInstance): string {
  const name = userPositionName ?? ''
  return TABLE_POSITIONS.find((one) => one.toLowerCase() === name.toLowerCase()) ?? name
}

/** A status's sort key, one digit; an unknown status comes first. */
function stageOf(status: string): string {
  const stages: readonly string[] = INSTANCE_STATUSES
  return String(stages.indexOf(status) + 1)
}

/** A status as the cell shows it: how far somebody is, and an invitation that did not arrive. */
function statusInFull({ instance: { status, answeredCount, itemCount }, cells, keys }: TeamPlayer): string {
  return status === 'IN_PROGRESS' ? `${cells.status} ${formatCount(answeredCount)}/${formatCount(itemCount)}` : keys.status.label
}

// the widths add up to the widest page; names, addresses and, in some languages, positions need more than COLUMN_PX
export const columns: Record<TeamColumn, Column> = {
  player: {
    heading: 'TeamColumnPlayer',
    width: 220,
    text: ({ userName, userLastname }) => [userName, userLastname].filter(Boolean).join(' '),
    onPaper: ({ cells }) => cells.player || cells.email,
    cell: ({ player: { instance, cells }, t, hasSeveralAssessments, editing }) => (
      <span className="team-player">
        <Avatar
          userId={instance.userId ?? ''}
          firstName={instance.userName}
          lastName={instance.userLastname}
          hasPicture={instance.hasProfilePicture && instance.userId !== null}
        />
        <span>
          {orDash(cells.player)}
          {!editing && <span className="team-example">{t('TeamExample')}</span>}
          {hasSeveralAssessments && (
            <span className="team-assessment">
              <AssessmentName name={instance.name} />
            </span>
          )}
        </span>
      </span>
    ),
  },
  email: {
    heading: 'TeamColumnEmail',
    width: 210,
    text: ({ userEmail }) => userEmail,
    sortKey: ({ cells }) => cells.email.toLowerCase(),
    isPlain: true,
    cell: ({ player }) => <EmailText email={player.cells.email} />,
  },
  status: {
    heading: 'TeamColumnStatus',
    width: COLUMN_PX,
    text: ({ status }, words) => words.status(status),
    sortKey: ({ instance }) => stageOf(instance.status),
    isPlain: true,
    csv: statusInFull,
    onPaper: statusInFull,
    cell: ({ player: { instance, cells } }) => (
      <span>
        <Badge isDone={instance.status === 'COMPLETED'}>{cells.status}</Badge>
        {instance.status === 'IN_PROGRESS' && <Progress instance={instance} />}
        {instance.status === 'ALLOCATED' && (
          <NotDelivered invitation={instance.invitation} heldUntil={instance.heldUntil} bounced={instance.bounced} />
        )}
      </span>
    ),
  },
  date: {
    heading: 'TeamColumnDate',
    width: COLUMN_PX,
    text: ({ completedDate }) => completedDate ?? '',
    isPlain: true,
    // year-month-day, which every spreadsheet reads
    csv: ({ cells }) => localDay(cells.date),
    onPaper: ({ instance }) => formatDate(instance.completedDate),
    cell: ({ player, words }) => formatDate(player.instance.completedDate, words.language),
  },
  team: {
    heading: 'TeamColumnTeam',
    width: COLUMN_PX,
    text: ({ userTeam }) => userTeam ?? '',
    cell: (row) => {
      const { player, editing } = row
      return editing ? (
        <TeamText
          // the browser's undo and redo would put in what was typed for another instance
          key={player.instance.instanceId}
          {...editable(row, editing, 'team')}
          value={player.cells.team}
          onSave={(team) => save(row, { userTeam: team || null })}
        />
      ) : (
        orDash(player.cells.team)
      )
    },
  },
  type: {
    heading: 'TeamColumnType',
    width: COLUMN_PX,
    text: (instance, words) => words.type(typeOf(instance)),
    cell: (row) => {
      const { player, editing, choices } = row
      return editing ? (
        <TeamSelect
          // a screen reader would read another player's value as a change of this one
          key={player.instance.instanceId}
          {...editable(row, editing, 'type')}
          value={typeOf(player.instance)}
          choices={choices.types}
          onSave={(type) => save(row, { userPlayerType: PLAYER_TYPES.find((one) => one === type) ?? PLAYER_TYPE_DEFAULT })}
        />
      ) : (
        player.cells.type
      )
    },
  },
  position: {
    heading: 'TeamColumnPosition',
    width: 190,
    text: (instance, words) => {
      const position = positionOf(instance)
      return position && words.position(position)
    },
    cell: (row) => {
      const { player, editing, choices } = row
      return editing ? (
        <TeamSelect
          key={player.instance.instanceId}
          {...editable(row, editing, 'position')}
          value={player.keys.position.value}
          choices={choices.positions}
          onSave={(position) => save(row, { userPositionName: TABLE_POSITIONS.find((one) => one === position) ?? null })}
        />
      ) : (
        orDash(player.cells.position)
      )
    },
  },
  result: {
    heading: 'TeamColumnResult',
    width: COLUMN_PX,
    text: ({ results }, words) => resultLine(results, words.noClearStyle),
    cell: ({ player: { instance }, words }) =>
      instance.results?.section2.axes ? (
        // one element: on a card each piece of a cell takes a place of its own
        <span>
          <ResultLineText results={instance.results} noClearStyle={words.noClearStyle} />
        </span>
      ) : (
        orDash('')
      ),
  },
}

/** An instance's text in each column. */
export function cellsOf(instance: AllocatedInstance, words: TeamWords): Record<TeamColumn, string> {
  return byColumn((column) => columns[column].text(instance, words))
}

export function sortKeyOf(player: TeamPlayer, column: TeamColumn): string {
  return columns[column].sortKey?.(player) ?? player.cells[column]
}

export function csvOf(player: TeamPlayer, column: TeamColumn): string {
  return orDash(columns[column].csv?.(player) ?? player.cells[column])
}

export function paperOf(player: TeamPlayer, column: TeamColumn): string {
  return columns[column].onPaper?.(player) ?? orDash(player.cells[column])
}

/** The player of a row, for accessible names. */
export const nameOf = ({ cells }: TeamPlayer) => cells.player || cells.email

function editable({ player, headings, t }: CellRow, editing: TeamEditing, column: TeamColumn) {
  return {
    label: t('TeamCellOf', { column: headings[column], name: nameOf(player) }),
    reasonId: editing.reasonId,
    onAsk: editing.ask,
  }
}

function save({ player, editing }: CellRow, change: TeamChange): void {
  editing?.save(player.instance.instanceId, change)
}

/** How many answers the server has; those waiting on the player's device are not included. */
function Progress({ instance: { answeredCount, itemCount } }: { instance: AllocatedInstance }) {
  const { t } = useTranslation(['team', 'home'])
  const counts = { answered: formatCount(answeredCount), total: formatCount(itemCount) }
  return (
    <span className="team-progress">
      <span aria-hidden="true">{t('TeamProgress', counts)}</span>
      <span className="visually-hidden">{t('home:AnsweredOf', counts)}</span>
    </span>
  )
}
