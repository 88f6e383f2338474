import { useSyncExternalStore } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { formatTime } from '#app/i18n/figures.ts'
import { sendingInstance } from '#app/offline/sync-events.ts'
import type { DeviceStatus } from '#app/offline/use-device-statuses.ts'

/** What this device holds of an instance, in the words of ruling 12. Calm colours: waiting is no fault. */
export function DeviceState({ status }: { status: DeviceStatus | undefined }) {
  const { t } = useTranslation('home')
  const sending = useSyncExternalStore(sendingInstance.subscribe, sendingInstance.get)
  if (!status) return null
  return (
    <ul className="home-device">
      <Progress status={status} isSending={sending === status.instanceId} />
      {status.isReadyOffline && <li className="is-kept">{t('ReadyForNoSignal')}</li>}
    </ul>
  )
}

function Progress({ status, isSending }: { status: DeviceStatus; isSending: boolean }) {
  const { t } = useTranslation('home')
  if (status.unwritten > 0) return <li className="is-refused">{t('NotOnDevice', { count: status.unwritten })}</li>
  if (status.trouble) return <NotSent code={status.trouble.code} />
  if (isSending) return <li className="waits">{t('Sending')}</li>
  if (status.finish) return <li className="waits">{t('FinishedOnDevice')}</li>
  if (status.unsent > 0) return <li className="waits">{t('SavedOnDevice', { count: status.unsent })}</li>
  return status.savedAt === null ? null : <li className="is-kept">{t('SavedToAccount', { time: formatTime(status.savedAt) })}</li>
}

/** The refusal's own words, else that they are not known. */
function NotSent({ code }: { code: string }) {
  const { t } = useTranslation(['home', 'errors'])
  return <li className="is-refused">{t('NotSent', { reason: t([`errors:${code}`, 'home:NotSentNoReason']) })}</li>
}
