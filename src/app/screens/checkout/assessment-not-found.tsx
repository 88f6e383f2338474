import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { reasonFor } from '#app/api/message-for.ts'
import { onReachable } from '#app/api/network.ts'
import { useReachable } from '#app/api/use-network-state.ts'
import { DashboardLink } from '#app/parts/dashboard-link.tsx'
import { Button } from '#app/ui/forms/button.tsx'
import { Page } from '#app/ui/layout/page.tsx'
import '#app/parts/actions.css'

/** There is no such assessment, or it could not be read, with the reason (BUY-3). Retries once the connection is back. */
export function AssessmentNotFound({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation(['checkout', 'errors'])
  const isReachable = useReachable()
  const reason = isReachable && reasonFor(error)
  const retry = useEffectEvent(onRetry)
  useEffect(() => onReachable(() => retry()), [])
  return (
    <Page
      title={t(isReachable ? 'AssessmentNotFound' : 'NoConnection')}
      intro={t(isReachable ? 'AssessmentNotFoundDescription' : 'AssessmentUnreachable')}
    >
      {reason && <p role="alert">{reason}</p>}
      <div className="actions message">
        <DashboardLink variant="primary" />
        <Button onClick={onRetry}>{t('TryAgain')}</Button>
      </div>
    </Page>
  )
}
