import { useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import type { StoredInstance } from '#app/device/store/stored.ts'
import type { Questionnaire } from '#app/questionnaire/questionnaire.ts'
import { useAnswers } from '#app/questionnaire/use-questionnaire.ts'
import { useReachable } from '#app/api/use-network-state.ts'
import { DashboardLink } from '#app/parts/dashboard-link.tsx'
import { Button } from '#app/ui/forms/button.tsx'
import { Page } from '#app/ui/layout/page.tsx'
import { troubleText } from './trouble-text.ts'

/** Shown after Submit while it waits on this device; it is sent automatically once there is a connection. ANSWERS-10 */
export function FinishedOnDevice({ instance, questionnaire }: { instance: StoredInstance; questionnaire: Questionnaire }) {
  const { t } = useTranslation(['assessment', 'errors'])
  const isReachable = useReachable()
  const { unsent } = useAnswers(questionnaire.answers)
  const [isSending, setSending] = useState(false)

  async function send() {
    setSending(true)
    // answers the server refused are not sent again without a retry
    await (instance.trouble ? questionnaire.retry() : questionnaire.send())
    setSending(false)
  }

  return (
    <Page title={t('TestFinishedTitle')}>
      {instance.trouble ? (
        <p role="alert">{t('TestNotSent', { reason: troubleText(t, instance.trouble.code) })}</p>
      ) : (
        <p role="status">{t(!isReachable ? 'TestFinishedWaiting' : unsent > 0 ? 'TestFinishedSending' : 'TestFinishedConfirming')}</p>
      )}
      <div className="row test-actions">
        <Button
          variant="primary"
          isBusy={isSending}
          unavailable={isReachable ? undefined : t('TestFinishedOffline')}
          onClick={() => isReachable && void send()}
        >
          {t('TestSendNow')}
        </Button>
        <Button onClick={() => void questionnaire.reopen()}>{t('TestChangeAnswers')}</Button>
        <DashboardLink />
      </div>
    </Page>
  )
}
