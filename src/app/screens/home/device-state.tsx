import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { formatTime } from '#app/i18n/figures.ts'
import { sendingInstance } from '#app/offline/outbox.ts'
import type { DeviceStatus } from '#app/offline/status.ts'
import styles from './home.module.css'

/** What this device holds of an instance, in the words of ruling 12. Calm colours: waiting is no fault. */
export function DeviceState({ status }: { status: DeviceStatus | undefined }) {
  const { t } = useTranslation('home')
  const sending = useSyncExternalStore(sendingInstance.subscribe, sendingInstance.get)
  if (!status) return null
  return (
    <ul className={styles.deviceState}>
      <Progress status={status} isSending={sending === status.instanceId} />
      {status.isReadyOffline && <li className={styles.ready}>{t('ReadyForNoSignal')}</li>}
    </ul>
  )
}

function Progress({ status, isSending }: { status: DeviceStatus; isSending: boolean }) {
  const { t } = useTranslation('home')
  if (status.trouble) return <NotSent code={status.trouble.code} />
  if (isSending) return <li className={styles.waits}>{t('Sending')}</li>
  if (status.finish) return <li className={styles.waits}>{t('FinishedOnDevice')}</li>
  if (status.unsent > 0) return <li className={styles.waits}>{t('SavedOnDevice', { count: status.unsent })}</li>
  return status.savedAt === null ? null : <li className={styles.ready}>{t('SavedToAccount', { time: formatTime(status.savedAt) })}</li>
}

/** The refusal's own words, else that they are not known. */
function NotSent({ code }: { code: string }) {
  const { t } = useTranslation(['home', 'errors'])
  return <li className={styles.trouble}>{t('NotSent', { reason: t([`errors:${code}`, 'home:NotSentNoReason']) })}</li>
}
