/** /token-purchase/successful: confirms the purchase, with the number of tokens now available. TOKENS-12 */
import { formatCount } from '#app/i18n/figures.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link } from 'wouter'
import { useReachable } from '#app/api/use-network-state.ts'
import { useCall } from '#app/api/use-call.ts'
import '#app/parts/actions.css'
import '#app/parts/grass.css'
import { RoleGate } from '#app/parts/steps/role-gate.tsx'
import { paths } from '#app/paths.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { Page } from '#app/ui/layout/page.tsx'
import { tokens } from '#contract/tokens.ts'
import styles from './successful.module.css'

export default function SuccessfulScreen() {
  const { t } = useTranslation('token-purchase')
  return (
    <RoleGate of="coach">
      <Page title={t('PurchaseComplete')} intro={t('PurchaseCompleteNote')}>
        <AvailableTokens />
        <div className="actions">
          <Link href={paths.home()} className="button button-primary">
            {t('GoToDashboard')}
          </Link>
        </div>
      </Page>
    </RoleGate>
  )
}

function AvailableTokens() {
  const { t } = useTranslation('token-purchase')
  const isReachable = useReachable()
  // only the count is shown: one row will do
  const read = useCall(tokens.list, { query: { page: 1, limit: 1 } })
  const available = read.data?.available
  if (available === undefined && read.isError) {
    return (
      <div role="status" className={`notice stack ${styles.place}`}>
        <p>{isReachable ? t('CountFailed') : t('CountNeedsConnection')}</p>
        <div>
          <Button onClick={() => void read.refetch()}>{t('TryAgain')}</Button>
        </div>
      </div>
    )
  }
  return (
    <p role="status" aria-busy={available === undefined} className={`grass ${styles.place}`}>
      <span className={styles.figure}>{available === undefined ? '-' : formatCount(available)}</span>
      {t('TokensAvailable', { count: available ?? 0 })}
    </p>
  )
}
