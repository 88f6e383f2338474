import './table.css'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { DataTable } from '#app/ui/tables/data-table.tsx'
import { nearestPage, requestedPage, Pagination, rowsOf } from '#app/ui/tables/pagination.tsx'
import { useTopOfPage } from '#app/ui/tables/use-top-of-page.ts'
import type { Offer } from '#app/screens/tokens/assign/assign-token.dialog.tsx'
import { TokenDialogs, type TokenAct } from '#app/screens/tokens/dialogs/token-dialogs.tsx'
import type { TokenList } from '#app/screens/tokens/token-holders.ts'
import { isUndelivered } from '#app/screens/tokens/token-states.ts'
import type { TokenRow } from '#contract/tokens.ts'
import { columns, TOKEN_COLUMNS } from './columns.tsx'
import { TokenTableRow } from './row.tsx'

/** The URL parameter of the page. */
const PAGE = 'tokens'

const nothing: readonly TokenRow[] = []

/** `list` is undefined until loaded, and at first may have fewer rows than its total. Only one page of rows is rendered. */
export function TokenTable({ list, offer, onAssign }: { list: TokenList | undefined; offer: Offer; onAssign: () => void }) {
  const { t } = useTranslation('tokens')
  const [asked, setAsked] = useState<TokenAct>()
  const [isUndeliveredOnly, setIsUndeliveredOnly] = useState(false)
  const { page, turnTo } = usePageInUrl()
  const top = useTopOfPage(page)
  const all = list ?? { tokens: nothing, total: 0 }
  const undelivered = all.tokens.filter(isUndelivered)
  const isFiltered = isUndeliveredOnly && undelivered.length > 0
  // once the last one is delivered, the next must not filter the table without a tap
  if (isUndeliveredOnly && list && !isFiltered) setIsUndeliveredOnly(false)
  const { rows, total } = isFiltered ? { rows: undelivered, total: undelivered.length } : { rows: all.tokens, total: all.total }
  const shown = rowsOf(rows, nearestPage(page, total))
  const nameOf = assessmentNames(all.tokens, offer)
  return (
    <div className="stack token-rows" ref={top}>
      {undelivered.length > 0 && (
        <div>
          <Button aria-pressed={isFiltered} onClick={() => setIsUndeliveredOnly(!isFiltered)}>
            {t('TokensUndelivered', { count: undelivered.length })}
          </Button>
        </div>
      )}
      <DataTable
        label={t('TokenTable')}
        columns={TOKEN_COLUMNS.map((key) => ({ key, width: columns[key].width, name: t(columns[key].heading) }))}
        isLoading={list === undefined || (shown.length === 0 && total > 0)}
        isEmpty={total === 0}
      >
        {shown.map((row) => (
          // keyed by instance: when a row is reclaimed, its focus must not move to the next row
          <TokenTableRow
            key={row.instanceId ?? row.index}
            row={row}
            assessment={nameOf(row)}
            onAssign={onAssign}
            onResend={(held) => setAsked({ act: 'resend', row: held })}
            onReclaim={(held) => setAsked({ act: 'reclaim', row: held })}
            onCorrect={(held) => setAsked({ act: 'correct', row: held })}
          />
        ))}
      </DataTable>
      <Pagination label={t('TokenPages')} page={page} rows={total} onPage={turnTo} />
      <TokenDialogs asked={asked} nameOf={nameOf} owed={list?.owed ?? 0} onAsk={setAsked} />
    </div>
  )
}

/** The name of a row's assessment; undefined if all rows have the same one. */
function assessmentNames(rows: readonly TokenRow[], { assessments }: Offer): (row: TokenRow) => string | undefined {
  const ids = new Set(rows.map(({ assessmentId }) => assessmentId).filter(Boolean))
  if (ids.size < 2) return () => undefined
  return ({ assessmentId }) => assessments?.find((one) => one.assessmentId === assessmentId)?.name
}

/** The page in the URL, where it counts from 1; other parameters stay. */
function usePageInUrl() {
  const [search, setSearch] = useSearchParams()

  function turnTo(page: number): void {
    setSearch(
      (now) => {
        const changed = new URLSearchParams(now)
        if (page === 0) changed.delete(PAGE)
        else changed.set(PAGE, String(page + 1))
        return changed
      },
      { replace: true },
    )
  }
  return { page: requestedPage(search.get(PAGE)), turnTo }
}
