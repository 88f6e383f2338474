import { useTranslation } from '#app/i18n/use-translation.ts'
import { TableCell } from '#app/ui/tables/data-table.tsx'
import { columns, TOKEN_COLUMNS, type CellRow } from './columns.tsx'

/** One row of the token table. TOKENS-18 */
export function TokenTableRow(row: Omit<CellRow, 't'>) {
  const { t } = useTranslation('tokens')
  return (
    <tr>
      {TOKEN_COLUMNS.map((column) => {
        const { heading, cell } = columns[column]
        return column === 'index' ? (
          <th key={column} scope="row">
            {cell({ ...row, t })}
          </th>
        ) : (
          <TableCell key={column} name={t(heading)}>
            {cell({ ...row, t })}
          </TableCell>
        )
      })}
    </tr>
  )
}
