import { useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link } from 'wouter'
import { loadOutbox, sendNow } from '#app/device/lazy.ts'
import type { StoredInstance } from '#app/device/store/stored.ts'
import { paths } from '#app/paths.ts'
import { useReachable } from '#app/api/network.ts'
import { Button } from '#app/ui/button.tsx'
import { Page } from '#app/ui/page.tsx'
import { troubleWords } from './trouble-words.ts'

/** All answers are given and wait on this device for a connection; Submit then goes on by itself. ANSWERS-10 */
export function FinishedOnDevice({ instance, onReopen }: { instance: StoredInstance; onReopen: () => Promise<void> }) {
  const { t } = useTranslation(['assessment', 'errors'])
  const isReachable = useReachable()
  const [isSending, setSending] = useState(false)

  async function send() {
    setSending(true)
    // refused answers are parked until a retry
    await (instance.trouble ? (await loadOutbox()).retry(instance) : sendNow())
    setSending(false)
  }

  return (
    <Page title={t('TestFinishedTitle')}>
      <p role="status">{t(isReachable ? 'TestFinishedSending' : 'TestFinishedWaiting')}</p>
      {instance.trouble && <p role="alert">{t('TestNotSent', { reason: troubleWords(t, instance.trouble.code) })}</p>}
      <div className="row test-actions">
        <Button
          look="primary"
          isBusy={isSending}
          unavailable={isReachable ? undefined : t('TestFinishedOffline')}
          onClick={() => isReachable && void send()}
        >
          {t('TestSendNow')}
        </Button>
        <Button onClick={() => void onReopen()}>{t('TestChangeAnswers')}</Button>
        <Link href={paths.home()} className="button">
          {t('ReturnToDashboard')}
        </Link>
      </div>
    </Page>
  )
}
