import { memo } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { ReportLink } from '#app/parts/assessment/report-link.tsx'
import { TableCell } from '#app/ui/tables/data-table.tsx'
import { shown, TEAM_COLUMNS, type TeamColumn } from '#app/screens/team/team-player.ts'
import { columns, nameOf, type CellRow } from './columns.tsx'

interface Props extends Omit<CellRow, 't'> {
  headings: Record<TeamColumn | 'report', string>
}

/** One row of the team table. Memoized, so that only changed rows render again. TEAM-1 */
export const TeamRow = memo(function TeamRow({ headings, ...row }: Props) {
  const { t } = useTranslation('team')
  const file = row.player.instance.SampleReportFilename
  return (
    <tr>
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
        {file ? (
          <ReportLink file={file} about={nameOf(row.player)} className="team-report">
            {t('ViewReport')}
          </ReportLink>
        ) : (
          shown('')
        )}
      </TableCell>
    </tr>
  )
})
