import { memo } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link } from 'wouter'
import { ReportLink } from '#app/parts/assessment/report-link.tsx'
import { paths } from '#app/paths.ts'
import { TableCell } from '#app/ui/tables/data-table.tsx'
import { FROM_TEAM, hasReport } from '#app/screens/team/people.ts'
import { orDash, TEAM_COLUMNS, type TeamColumn } from '#app/screens/team/team-player.ts'
import type { AllocatedInstance } from '#contract/instances.coach.ts'
import { columns, nameOf, type CellRow } from './columns.tsx'

interface Props extends Omit<CellRow, 't'> {
  headings: Record<TeamColumn | 'report', string>
  onFocus: (instanceId: string) => void
}

/** One row of the team table. Memoized, so that only changed rows render again. TEAM-1 */
export const TeamRow = memo(function TeamRow({ headings, onFocus, ...row }: Props) {
  const { t } = useTranslation('team')
  return (
    <tr onFocus={() => onFocus(row.player.instance.instanceId)}>
      {TEAM_COLUMNS.map((column) => {
        const cell = columns[column].cell({ ...row, headings, t })
        return column === 'player' ? (
          <th key={column} scope="row">
            {cell}
          </th>
        ) : (
          <TableCell key={column} name={headings[column]}>
            {cell}
          </TableCell>
        )
      })}
      <TableCell name={headings.report}>
        <Report instance={row.player.instance} name={nameOf(row.player)} />
      </TableCell>
    </tr>
  )
})

/** TEAM-7, TEAM-8 */
function Report({ instance, name }: { instance: AllocatedInstance; name: string }) {
  const { t } = useTranslation('team')
  const { instanceId, SampleReportFilename: file } = instance
  if (hasReport(instance))
    return (
      <Link href={paths.coachReport(instanceId)} state={FROM_TEAM} className="team-report">
        {t('ViewReport')}
        <span className="visually-hidden"> {name}</span>
      </Link>
    )
  if (!file) return orDash('')
  return (
    <ReportLink file={file} about={name} className="team-report">
      {t('SampleReport')}
    </ReportLink>
  )
}
