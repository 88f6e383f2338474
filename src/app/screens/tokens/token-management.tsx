import './token-management.css'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { formatCount } from '#app/i18n/figures.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { AsOf } from '#app/parts/as-of.tsx'
import { Button } from '#app/ui/button.tsx'
import { DataTable } from '#app/ui/data-table.tsx'
import { nearestPage, pageAskedFor, Pagination, rowsOf } from '#app/ui/pagination.tsx'
import type { TokenRow } from '#contract/tokens.ts'
import { useTopOfPage } from '#app/ui/use-top-of-page.ts'
import { AssignMany } from './assign/assign-many.tsx'
import type { Offer } from './assign/assign-token.dialog.tsx'
import { BuyTokens } from './buy-tokens.tsx'
import { Panel } from '#app/parts/dashboard/panel.tsx'
import type { TokenList } from './token-holders.ts'
import { TokenDialogs, type TokenAct } from './rows/token-dialogs.tsx'
import { TokenTableRow } from './rows/token-rows.tsx'
import { isUndelivered } from './rows/token-states.ts'
import type { TokenRows } from './use-token-rows.ts'

/** Its name in the URL. */
const PAGE = 'tokens'

interface Props {
  tokens: TokenRows
  offer: Offer
  onAssign: () => void
}

/** The coach's tokens: how many, what became of each, and what can be done with them. TOKENS-16 */
export function TokenManagement({ tokens: { data: list, ...tokens }, offer, onAssign }: Props) {
  const { t } = useTranslation('tokens')
  const hasFailed = list === undefined && !tokens.isPending
  return (
    <Panel title={t('TokenManagementTitle')}>
      <p className="soft">{t('TokenManagementIntro')}</p>
      {list && <AsOf at={tokens.at} isStored={tokens.isStored} />}
      <div className="token-head">
        <Totals list={list} />
        <div className="token-ways">
          {/* whom it may not give another to stands in the rows */}
          <AssignMany list={tokens.isComplete ? list : undefined} at={tokens.isComplete ? tokens.at : undefined} offer={offer} />
          <BuyTokens isNext={list?.available === 0} />
        </div>
      </div>
      {(hasFailed || tokens.isRestMissing) && (
        <NoAnswer isRest={tokens.isRestMissing} isOutOfReach={tokens.isOutOfReach} onTryAgain={tokens.refetch} />
      )}
      {!hasFailed && <TokenTable list={list} offer={offer} onAssign={onAssign} />}
      {list?.tokens.length === 0 && <p className="nothing">{t('NoTokensYet')}</p>}
    </Panel>
  )
}

/** Neither the API nor the device has them: no rows at all, or not those after the first page. */
function NoAnswer({ isRest, isOutOfReach, onTryAgain }: { isRest: boolean; isOutOfReach: boolean; onTryAgain: () => void }) {
  const { t } = useTranslation(['tokens', 'home'])
  if (isOutOfReach) return <p className="notice">{t(isRest ? 'TokensRestOutOfReach' : 'TokensOutOfReach')}</p>
  return (
    <div className="notice row" role="alert">
      <p>{t('ErrorLoadingTokens')}</p>
      <Button onClick={onTryAgain}>{t('home:TryAgain')}</Button>
    </div>
  )
}

function Totals({ list }: { list: TokenList | undefined }) {
  const { t } = useTranslation('tokens')
  const figures = [
    { name: t('TokensTotal'), count: list?.total },
    { name: t('TokensUsed'), count: list?.used },
    { name: t('TokensAvailable'), count: list?.available },
  ]
  return (
    <dl className="token-totals">
      {figures.map(({ name, count }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{count === undefined ? '–' : formatCount(count)}</dd>
        </div>
      ))}
    </dl>
  )
}

const nothing: readonly TokenRow[] = []

/** `list`: undefined until it is there, and its rows fewer than its total until all are. Only the rows of one page are drawn. */
function TokenTable({ list, offer, onAssign }: { list: TokenList | undefined; offer: Offer; onAssign: () => void }) {
  const { t } = useTranslation('tokens')
  const [asked, setAsked] = useState<TokenAct>()
  const [isUndeliveredOnly, setIsUndeliveredOnly] = useState(false)
  const { page, turnTo } = usePageInUrl()
  const top = useTopOfPage(page)
  const all = list ?? { tokens: nothing, total: 0 }
  const undelivered = all.tokens.filter(isUndelivered)
  const isFiltered = isUndeliveredOnly && undelivered.length > 0
  const { rows, total } = isFiltered ? { rows: undelivered, total: undelivered.length } : { rows: all.tokens, total: all.total }
  const shown = rowsOf(rows, nearestPage(page, total))
  const nameOf = namesWhereSeveral(all.tokens, offer)
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
        columns={COLUMNS.map(({ word, ...column }) => ({ ...column, name: t(word) }))}
        isLoading={list === undefined || (shown.length === 0 && total > 0)}
        isEmpty={total === 0}
      >
        {shown.map((row) => (
          // keyed by instance: when a row is reclaimed, its focus must not land on the next one
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
      <TokenDialogs asked={asked} nameOf={nameOf} onAsk={setAsked} />
    </div>
  )
}

/** With a single assessment the name on every row is noise; with two, a player may hold both. */
function namesWhereSeveral(rows: readonly TokenRow[], { assessments }: Offer): (row: TokenRow) => string | undefined {
  const ids = new Set(rows.map(({ assessmentId }) => assessmentId).filter(Boolean))
  if (ids.size < 2) return () => undefined
  return ({ assessmentId }) => assessments?.find((one) => one.assessmentId === assessmentId)?.name
}

/** Their shares of the width, all of them together as narrow as what is left beside an open sidebar. */
const COLUMNS = [
  { key: 'index', word: 'TokenIndex', width: 36 },
  { key: 'status', word: 'TokenStatus', width: 92 },
  { key: 'assignedTo', word: 'TokenAssignedTo', width: 118 },
  { key: 'dateSent', word: 'TokenDateSent', width: 72 },
  { key: 'actions', word: 'TokenActions', width: 180 },
] as const

/** Counted from 1 in the URL, as people do; what else stands there stays. */
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
  return { page: pageAskedFor(search.get(PAGE)), turnTo }
}
