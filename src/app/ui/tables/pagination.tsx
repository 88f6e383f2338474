import './pagination.css'
import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { formatCount } from '#app/i18n/figures.ts'
import { PAGE_NUMBERS_MAXIMUM } from '#app/constants.ts'
import { PAGE_SIZE } from '#contract/constants.ts'
import { useSettledAnnouncement } from '#app/ui/feedback/use-settled-announcement.ts'
import { FirstIcon, LastIcon, NextIcon, PreviousIcon } from '#app/ui/layout/icons.tsx'

/** The number of pages for this number of rows; 0 for none. SHELL-16 */
export function pageCount(rows: number): number {
  return Math.ceil(rows / PAGE_SIZE)
}

/** The existing page nearest to the requested one, as there may be fewer rows now. Pages count from 0 (SHELL-16). */
export function nearestPage(page: number, rows: number): number {
  return Math.max(0, Math.min(page, pageCount(rows) - 1))
}

/** The rows on a page. */
export function rowsOf<Row>(rows: readonly Row[], page: number): Row[] {
  return rows.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE)
}

/** The page in a URL, where pages count from 1; the first if the URL has no valid page. */
export function requestedPage(text: string | null): number {
  return text !== null && /^[1-9]\d*$/.test(text) ? Number(text) - 1 : 0
}

/** Up to 3 pages including and around the current one. TOKENS-17 */
export function pageNumbers(page: number, pages: number): number[] {
  const count = Math.min(PAGE_NUMBERS_MAXIMUM, pages)
  const first = Math.max(0, Math.min(page - Math.floor(count / 2), pages - count))
  return Array.from({ length: count }, (_, at) => first + at)
}

interface Props {
  /** accessible name, with that of the table */
  label: string
  /** counts from 0 */
  page: number
  /** number of rows on all pages together */
  rows: number
  onPage: (page: number) => void
}

/** TOKENS-17 */
export function Pagination({ label, page: requested, rows, onPage }: Props) {
  const { t } = useTranslation('ui')
  const pages = pageCount(rows)
  const page = nearestPage(requested, rows)
  const from = page * PAGE_SIZE
  const shown = t('PageRows', { from: formatCount(from + 1), to: formatCount(Math.min(from + PAGE_SIZE, rows)), total: formatCount(rows) })
  const announceRows = useSettledAnnouncement(pages < 2 ? undefined : shown)
  if (pages < 2) return null
  const last = pages - 1
  const numbers = pageNumbers(page, pages)
  const turnTo = (to: number) => {
    onPage(to)
    announceRows()
  }

  const stepButton = (to: number, name: string, icon: ReactNode) => (
    <button
      type="button"
      className="button button-quiet"
      aria-label={name}
      // stays focusable, so that reaching the end does not lose the focus
      aria-disabled={to === page || undefined}
      onClick={() => to !== page && turnTo(to)}
    >
      {icon}
    </button>
  )
  return (
    <nav className="pagination" aria-label={label}>
      <p className="soft">{shown}</p>
      <div className="pagination-pages">
        {stepButton(0, t('FirstPage'), <FirstIcon />)}
        {stepButton(Math.max(0, page - 1), t('PreviousPage'), <PreviousIcon />)}
        <ol>
          <Ellipsis isShown={!numbers.includes(0)} />
          {numbers.map((number) => (
            <li key={number}>
              <button
                type="button"
                className="button"
                aria-label={t('PageNumber', { number: formatCount(number + 1) })}
                aria-current={number === page ? 'page' : undefined}
                onClick={() => turnTo(number)}
              >
                {formatCount(number + 1)}
              </button>
            </li>
          ))}
          <Ellipsis isShown={!numbers.includes(last)} />
        </ol>
        {stepButton(Math.min(last, page + 1), t('NextPage'), <NextIcon />)}
        {stepButton(last, t('LastPage'), <LastIcon />)}
      </div>
    </nav>
  )
}

/** Stands for the pages without a number; takes up its space even when hidden. */
function Ellipsis({ isShown }: { isShown: boolean }) {
  return <li aria-hidden="true" className={isShown ? 'pagination-more' : 'pagination-more is-over'} />
}
