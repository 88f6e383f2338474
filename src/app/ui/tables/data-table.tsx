import './data-table.css'
import type { ReactNode, RefObject } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { COLUMN_MINIMUM_PX, COLUMN_PX } from '#app/constants.ts'
import { PAGE_SIZE } from '#contract/constants.ts'

export interface TableColumn<Key extends string = string> {
  key: Key
  name: string
  isSortable?: boolean
  /** px at the default text size; grows with the text size. SHELL-16 */
  width?: number
}

export interface TableSort<Key extends string = string> {
  column: Key
  isDescending: boolean
}

interface Props<Key extends string> {
  /** the scrolling region */
  ref?: RefObject<HTMLDivElement | null>
  /** accessible name of the scrolling region */
  label: string
  columns: readonly TableColumn<Key>[]
  sort?: TableSort<Key>
  onSort?: (sort: TableSort<Key>) => void
  isLoading?: boolean
  isEmpty?: boolean
  /** the rows: each a `tr` with a row `th` and `TableCell`s */
  children: ReactNode
}

/** A table with its own scrollbar and a fixed first column; cards at 768 px and less. 'No results.' when empty (SHELL-16). */
export function DataTable<Key extends string>(props: Props<Key>) {
  const { ref, label, columns, sort, onSort, isLoading = false, isEmpty = false, children } = props
  const { t } = useTranslation('ui')
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
    <div ref={ref} className="table-scroll" role="region" aria-label={label} tabIndex={0}>
      <table className="table" aria-busy={isLoading || undefined}>
        <colgroup>
          {columns.map(({ key, width = COLUMN_PX }) => (
            <col key={key} style={{ inlineSize: `${Math.max(width, COLUMN_MINIMUM_PX) / 16}rem` }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {isLoading ? (
            <LoadingRows columns={columns.length} />
          ) : isEmpty ? (
            <tr>
              <td colSpan={columns.length} className="table-empty">
                {t('NoResults')}
              </td>
            </tr>
          ) : (
            children
          )}
        </tbody>
      </table>
    </div>
  )
}

interface HeadingProps<Key extends string> {
  column: TableColumn<Key>
  sort: TableSort<Key> | undefined
  onSort: ((sort: TableSort<Key>) => void) | undefined
}

function Heading<Key extends string>({ column: { key, name, isSortable = false }, sort, onSort }: HeadingProps<Key>) {
  const isSorted = sort?.column === key
  const direction = isSorted ? (sort.isDescending ? 'descending' : 'ascending') : undefined
  return (
    <th scope="col" aria-sort={direction}>
      {isSortable ? (
        <button type="button" onClick={() => onSort?.({ column: key, isDescending: isSorted && !sort.isDescending })}>
          {name}
        </button>
      ) : (
        name
      )}
    </th>
  )
}

function LoadingRows({ columns }: { columns: number }) {
  const { t } = useTranslation('ui')
  return Array.from({ length: PAGE_SIZE }, (_, at) => (
    // the rows have no identity but their position
    <tr key={at}>
      <td colSpan={columns}>
        <div className="skeleton" />
        {at === 0 && <span className="visually-hidden">{t('Loading')}</span>}
      </td>
    </tr>
  ))
}

/** A cell. `name`: its column's name, shown beside it where rows are cards. */
export function TableCell({ name, children }: { name: string; children: ReactNode }) {
  return <td data-label={name}>{children}</td>
}
