import { useState } from 'react'
import { isApiError } from '#app/api/api-error.ts'
import { messageFor } from '#app/api/message-for.ts'
import { OnlineOnlyButton } from '#app/api/online-only-button.tsx'
import { useCall } from '#app/api/use-call.ts'
import { useSend } from '#app/api/use-send.ts'
import { formatDate, formatMoment } from '#app/i18n/format.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/button.tsx'
import { errorToast, toast } from '#app/ui/toast.ts'
import { auth, type OpenSession } from '#contract/auth.ts'
import styles from './account-section.module.css'

const SECOND_TAP_MS = 500

/** Where the person is signed in, and how to end that elsewhere. The mail about a new device leads here. */
export function Devices({ userId }: { userId: string }) {
  const { t } = useTranslation('profile')
  const sessions = useCall(auth.sessions, { params: { id: userId } })
  const { send: endOne } = useSend(auth.endSession)
  const { send: endOthers, isSending } = useSend(auth.endOtherSessions)
  const devices = sessions.data?.data ?? []
  /** until the list shows it: the rows below move up, and a second tap would be for another one */
  const [isEnding, setEnding] = useState(false)

  async function end(act: () => Promise<unknown>, done: string): Promise<void> {
    if (isEnding) return
    setEnding(true)
    try {
      await act().catch((error: unknown) => {
        // it has ended already
        if (!isApiError(error) || error.code !== 'NOT_FOUND') throw error
      })
      await sessions.refetch()
      toast(done)
    } catch (error) {
      errorToast(messageFor(error))
    }
    setTimeout(() => setEnding(false), SECOND_TAP_MS)
  }

  return (
    <section className={`stack ${styles.section}`} aria-labelledby="devices">
      <h2 id="devices">{t('DevicesTitle')}</h2>
      <p className="soft">{t('DevicesText')}</p>
      {sessions.isError && (
        <div className="notice row" role="alert">
          <p>{t('DevicesFailed')}</p>
          <Button onClick={() => void sessions.refetch()}>{t('ProfileTryAgain')}</Button>
        </div>
      )}
      <ul className={styles.devices}>
        {devices.map((device) => (
          <Device
            key={device.id}
            device={device}
            isBusy={isEnding}
            onEnd={() => end(() => endOne({ params: { id: userId, sessionId: device.id } }), t('DeviceEnded'))}
          />
        ))}
      </ul>
      {devices.some(({ isCurrent }) => !isCurrent) && (
        <div>
          <OnlineOnlyButton isBusy={isSending} onClick={() => void end(() => endOthers({ params: { id: userId } }), t('DevicesEnded'))}>
            {t('DevicesEndOthers')}
          </OnlineOnlyButton>
        </div>
      )}
    </section>
  )
}

function Device({ device, isBusy, onEnd }: { device: OpenSession; isBusy: boolean; onEnd: () => Promise<void> }) {
  const { t } = useTranslation('profile')
  const { agent, startedAt, lastUsedAt, isCurrent } = device
  const name = agent || t('DeviceUnnamed')
  return (
    <li className={styles.device}>
      <div>
        <strong>{name}</strong>
        <p className="soft small">
          {isCurrent
            ? t('DeviceThis', { begun: formatDate(startedAt) })
            : t('DeviceUsed', { begun: formatDate(startedAt), used: formatMoment(new Date(lastUsedAt).getTime()) })}
        </p>
      </div>
      {!isCurrent && (
        <OnlineOnlyButton isBusy={isBusy} aria-label={t('DeviceEndNamed', { name })} onClick={() => void onEnd()}>
          {t('DeviceEnd')}
        </OnlineOnlyButton>
      )}
    </li>
  )
}
