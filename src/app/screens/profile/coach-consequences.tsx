import { useCall } from '#app/api/use-call.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { tokens } from '#contract/tokens.ts'

/** What closing a coach's account means for their tokens, unfinished assessments and results. */
export function CoachConsequences() {
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
