import './token-management.css'
import { formatCount } from '#app/i18n/figures.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { AsOf } from '#app/parts/assessment/as-of.tsx'
import { Button } from '#app/ui/forms/button.tsx'
import { AssignMany } from './assign/assign-many.tsx'
import type { Offer } from './assign/assign-token.dialog.tsx'
import { BuyTokens } from './buy-tokens.tsx'
import { Panel } from '#app/parts/dashboard/panel.tsx'
import type { TokenList } from './token-holders.ts'
import { TokenTable } from './table/token-table.tsx'
import type { TokenRows } from './use-token-rows.ts'

interface Props {
  tokens: TokenRows
  offer: Offer
  onAssign: () => void
}

/** The coach's tokens: their number, the status of each, and actions on them. TOKENS-16 */
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
          {/* needs all rows, to tell who has a token already */}
          <AssignMany list={tokens.isComplete ? list : undefined} at={tokens.isComplete ? tokens.at : undefined} offer={offer} />
          <BuyTokens isPrimary={list?.available === 0} />
        </div>
      </div>
      {list?.owed !== undefined && list.owed > 0 && <p className="notice">{t('TokensOwed', { count: list.owed })}</p>}
      {(hasFailed || tokens.isRestMissing) && (
        <RowsUnavailable isRest={tokens.isRestMissing} isUnreachable={tokens.isUnreachable} onTryAgain={tokens.refetch} />
      )}
      {!hasFailed && <TokenTable list={list} offer={offer} onAssign={onAssign} />}
      {list?.tokens.length === 0 && <p className="nothing">{t('NoTokensYet')}</p>}
    </Panel>
  )
}

/** The rows could not be read from the API or the device: all of them, or all but the first. */
function RowsUnavailable({ isRest, isUnreachable, onTryAgain }: { isRest: boolean; isUnreachable: boolean; onTryAgain: () => void }) {
  const { t } = useTranslation(['tokens', 'home'])
  if (isUnreachable) return <p className="notice">{t(isRest ? 'TokensRestOutOfReach' : 'TokensOutOfReach')}</p>
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
          <dd>{count === undefined ? '-' : formatCount(count)}</dd>
        </div>
      ))}
    </dl>
  )
}
