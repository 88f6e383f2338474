import type { ReactNode } from 'react'
import { formatCount } from '#app/i18n/figures.ts'
import { formatDate } from '#app/i18n/format.ts'
import type { Translation } from '#app/i18n/use-translation.ts'
import type { TokenRow } from '#contract/tokens.ts'
import { Actions, AssignedTo, Status, type TokenActions } from './cells.tsx'

/** The token table's columns, each defined in one entry. TOKENS-18 */

export const TOKEN_COLUMNS = ['index', 'status', 'assignedTo', 'dateSent', 'actions'] as const
type TokenColumn = (typeof TOKEN_COLUMNS)[number]

interface Column {
  /** translation key of the heading */
  heading: string
  width: number
  cell: (row: CellRow) => ReactNode
}

/** What a cell is rendered from. */
export interface CellRow extends TokenActions {
  row: TokenRow
  /** the assessment's name, if there are several */
  assessment: string | undefined
  t: Translation['t']
}

// px at the default text size; together they fit beside an open sidebar
export const columns: Record<TokenColumn, Column> = {
  index: {
    heading: 'TokenIndex',
    width: 36,
    cell: ({ row, t }) => (
      <>
        {/* rows shown as cards have no headings */}
        <span className="token-number">{t('TokenIndex')} </span>
        {formatCount(row.index)}
      </>
    ),
  },
  status: { heading: 'TokenStatus', width: 92, cell: ({ row }) => <Status row={row} /> },
  assignedTo: { heading: 'TokenAssignedTo', width: 118, cell: ({ row, assessment }) => <AssignedTo row={row} assessment={assessment} /> },
  dateSent: { heading: 'TokenDateSent', width: 72, cell: ({ row }) => formatDate(row.dateSent) },
  actions: { heading: 'TokenActions', width: 180, cell: (row) => <Actions {...row} /> },
}
