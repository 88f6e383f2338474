import { useCall } from '#app/api/use-call.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { tokens } from '#contract/tokens.ts'

/** What becomes of a coach's tokens, of those who have not finished, and of results, before the account is closed. */
export function ClosingCoach() {
  const { t } = useTranslation('profile')
  const { data } = useCall(tokens.list, {})
  const pending = data?.tokens.filter(({ status }) => status === 'PENDING').length ?? 0
  return (
    <ul className="stack">
      {data && data.available > 0 && <li>{t('CloseAccountTokens', { count: data.available })}</li>}
      {pending > 0 && <li>{t('CloseAccountPending', { count: pending })}</li>}
      <li>{t('CloseAccountResults')}</li>
    </ul>
  )
}
