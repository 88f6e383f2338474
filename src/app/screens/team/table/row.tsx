import { memo } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { formatCount } from '#app/i18n/figures.ts'
import { formatDate } from '#app/i18n/format.ts'
import { AssessmentName } from '#app/parts/assessment-name.tsx'
import { Avatar } from '#app/parts/avatar.tsx'
import { EmailText } from '#app/parts/email-text.tsx'
import { ReportLink } from '#app/parts/report-link.tsx'
import { TableCell } from '#app/ui/data-table.tsx'
import type { AllocatedInstance } from '#contract/coach.ts'
import { PLAYER_TYPE_DEFAULT, PLAYER_TYPES, TABLE_POSITIONS } from '#contract/constants.ts'
import { Badge, NotDelivered } from '#app/parts/dashboard/status-badge.tsx'
import { TeamSelect, TeamText, type TeamChoices } from './cells.tsx'
import type { TeamChange, TeamEditing } from './edits.ts'
import { shown, type TeamColumn, type TeamPlayer, type TeamWords } from './players.ts'

interface Props {
  player: TeamPlayer
  words: TeamWords
  headings: Record<TeamColumn | 'report', string>
  choices: { types: TeamChoices; positions: TeamChoices }
  /** there are several assessments: which one this is about */
  isOfSeveral: boolean
  /** absent: a row that is nobody's (TEAM-16) */
  editing: TeamEditing | undefined
}

/** One player of the team table; drawn anew only when something of this row changes. TEAM-1 */
export const TeamRow = memo(function TeamRow({ player: { instance, says, keys }, words, headings, choices, isOfSeveral, editing }: Props) {
  const { t } = useTranslation('home')
  const { instanceId } = instance
  const who = says.player || says.email
  const edit = (change: TeamChange) => editing?.save(instanceId, change)
  const cell = (column: TeamColumn) => ({
    label: t('TeamCellOf', { column: headings[column], name: who }),
    reasonId: editing?.reasonId,
    onAsk: () => editing?.ask(),
  })
  return (
    <tr>
      <th scope="row">
        <span className="team-player">
          <Avatar
            userId={instance.userId ?? ''}
            firstName={instance.userName}
            lastName={instance.userLastname}
            hasPicture={instance.hasProfilePicture && instance.userId !== null}
          />
          <span>
            {shown(says.player)}
            {!editing && <span className="team-example">{t('TeamExample')}</span>}
            {isOfSeveral && (
              <span className="team-assessment">
                <AssessmentName name={instance.name} />
              </span>
            )}
          </span>
        </span>
      </th>
      <TableCell name={headings.email}>
        <EmailText email={says.email} />
      </TableCell>
      <TableCell name={headings.status}>
        <span>
          <Badge isDone={instance.status === 'COMPLETED'}>{says.status}</Badge>
          {instance.status === 'IN_PROGRESS' && <Progress instance={instance} />}
          {instance.status === 'ALLOCATED' && <NotDelivered invitation={instance.invitation} heldUntil={instance.heldUntil} />}
        </span>
      </TableCell>
      <TableCell name={headings.date}>{formatDate(instance.completedDate, words.language)}</TableCell>
      <TableCell name={headings.team}>
        {editing ? (
          <TeamText key={instanceId} {...cell('team')} value={says.team} onSave={(team) => edit({ userTeam: team || null })} />
        ) : (
          shown(says.team)
        )}
      </TableCell>
      <TableCell name={headings.type}>
        {editing ? (
          <TeamSelect
            instanceId={instanceId}
            {...cell('type')}
            value={instance.userPlayerType ?? PLAYER_TYPE_DEFAULT}
            choices={choices.types}
            onSave={(type) => edit({ userPlayerType: PLAYER_TYPES.find((one) => one === type) ?? PLAYER_TYPE_DEFAULT })}
          />
        ) : (
          says.type
        )}
      </TableCell>
      <TableCell name={headings.position}>
        {editing ? (
          <TeamSelect
            instanceId={instanceId}
            {...cell('position')}
            value={keys.position.value}
            choices={choices.positions}
            onSave={(position) => edit({ userPositionName: TABLE_POSITIONS.find((one) => one === position) ?? null })}
          />
        ) : (
          shown(says.position)
        )}
      </TableCell>
      <TableCell name={headings.result}>{shown(says.result)}</TableCell>
      <TableCell name={headings.report}>
        {instance.SampleReportFilename ? (
          <ReportLink file={instance.SampleReportFilename} about={who} className="team-report">
            {t('ViewReport')}
          </ReportLink>
        ) : (
          shown('')
        )}
      </TableCell>
    </tr>
  )
})

/** How far somebody is who has begun, as the server knows it: what waits on the player's device is not in it. */
function Progress({ instance: { answeredCount, itemCount } }: { instance: AllocatedInstance }) {
  const { t } = useTranslation('home')
  const counts = { answered: formatCount(answeredCount), total: formatCount(itemCount) }
  return (
    <span className="team-progress">
      <span aria-hidden="true">{t('TeamProgress', counts)}</span>
      <span className="visually-hidden">{t('AnsweredOf', counts)}</span>
    </span>
  )
}
