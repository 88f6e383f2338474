import { useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link } from 'wouter'
import type { StoredInstance } from '#app/device/store/stored.ts'
import { paths } from '#app/paths.ts'
import type { Questionnaire } from '#app/questionnaire/questionnaire.ts'
import { useReachable } from '#app/api/network.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { Page } from '#app/ui/layout/page.tsx'
import { troubleWords } from './trouble-words.ts'

/** All answers are given and wait on this device for a connection; Submit then goes on by itself. ANSWERS-10 */
export function FinishedOnDevice({ instance, questionnaire }: { instance: StoredInstance; questionnaire: Questionnaire }) {
  const { t } = useTranslation(['assessment', 'errors'])
  const isReachable = useReachable()
  const [isSending, setSending] = useState(false)

  async function send() {
    setSending(true)
    // refused answers are parked until a retry
    await (instance.trouble ? questionnaire.retry() : questionnaire.send())
    setSending(false)
  }

  return (
    <Page title={t('TestFinishedTitle')}>
      {instance.trouble ? (
        // nothing goes by itself until it is tried again
        <p role="alert">{t('TestNotSent', { reason: troubleWords(t, instance.trouble.code) })}</p>
      ) : (
        <p role="status">{t(isReachable ? 'TestFinishedSending' : 'TestFinishedWaiting')}</p>
      )}
      <div className="row test-actions">
        <Button
          look="primary"
          isBusy={isSending}
          unavailable={isReachable ? undefined : t('TestFinishedOffline')}
          onClick={() => isReachable && void send()}
        >
          {t('TestSendNow')}
        </Button>
        <Button onClick={() => void questionnaire.reopen()}>{t('TestChangeAnswers')}</Button>
        <Link href={paths.home()} className="button">
          {t('ReturnToDashboard')}
        </Link>
      </div>
    </Page>
  )
}
