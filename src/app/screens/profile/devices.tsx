import { useRef, useState } from 'react'
import { isApiError } from '#app/api/api-error.ts'
import { mayBeDone, trackReply } from '#app/api/lost-replies.ts'
import { messageFor, reasonFor } from '#app/api/message-for.ts'
import { OnlineOnlyButton } from '#app/api/online-only-button.tsx'
import { useCall } from '#app/api/use-call.ts'
import { useSend } from '#app/api/use-send.ts'
import { formatDate } from '#app/i18n/format.ts'
import { useMoment } from '#app/i18n/use-moment.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { toast } from '#app/ui/feedback/toast.ts'
import { useKeepFocus } from '#app/ui/browser/use-keep-focus.ts'
import { auth, type OpenSession } from '#contract/auth.ts'
import styles from './account-section.module.css'

const SECOND_TAP_MS = 500

/** the signing out of other devices, whichever they are: one may have been done with all */
const ENDING = 'end sessions'

/** The devices on which the person is signed in, each with a button to sign it out. The mail about a new device links here. */
export function Devices({ userId }: { userId: string }) {
  const { t } = useTranslation(['profile', 'errors'])
  const sessions = useCall(auth.sessions, { params: { id: userId } })
  const { send: endOne } = useSend(auth.endSession)
  const { send: endOthers, isSending } = useSend(auth.endOtherSessions)
  const devices = currentFirst(sessions.data?.data ?? [])
  const hasOthers = devices.some(({ isCurrent }) => !isCurrent)
  const section = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useKeepFocus(section, heading)
  /** true until the list has changed: the rows below move up, and a second tap would hit another device */
  const [isEnding, setEnding] = useState(false)
  const [failure, setFailure] = useState<string>()

  async function end(act: () => Promise<unknown>, done: string): Promise<void> {
    if (isEnding) return
    setEnding(true)
    setFailure(undefined)
    try {
      await trackReply(ENDING, act)
      await sessions.refetch()
      toast(done)
    } catch (error) {
      setFailure(mayBeDone(ENDING) ? t('DevicesUnsure', { reason: messageFor(error) }) : messageFor(error))
    }
    setTimeout(() => setEnding(false), SECOND_TAP_MS)
  }

  const endIfThere = (sessionId: string) =>
    endOne({ params: { id: userId, sessionId } }).catch((error: unknown) => {
      // signed out already
      if (!isApiError(error) || error.code !== 'NOT_FOUND') throw error
    })

  return (
    <section ref={section} className={`stack ${styles.section}`} aria-labelledby="devices">
      <h2 ref={heading} id="devices" tabIndex={-1}>
        {t('DevicesTitle')}
      </h2>
      <p className="soft">{t('DevicesText')}</p>
      {sessions.isError && (
        <div className="notice row" role="alert">
          <p>
            {t('DevicesFailed')} {reasonFor(sessions.error) ?? messageFor(sessions.error)}
          </p>
          <Button onClick={() => void sessions.refetch()}>{t('ProfileTryAgain')}</Button>
        </div>
      )}
      {sessions.isPending && <p role="status">{t('DevicesLoading')}</p>}
      <ul className={styles.devices}>
        {devices.map((device) => (
          <Device
            key={device.id}
            device={device}
            hasNamesake={devices.some(({ id, agent }) => id !== device.id && agent === device.agent)}
            isBusy={isEnding}
            onEnd={() => end(() => endIfThere(device.id), t('DeviceEnded'))}
          />
        ))}
      </ul>
      {/* the list may show meanwhile that it was done, though its reply was lost */}
      {failure && hasOthers && (
        <p role="alert" className="notice notice-wait">
          {failure}
        </p>
      )}
      {hasOthers && (
        <div>
          <OnlineOnlyButton isBusy={isSending} onClick={() => void end(() => endOthers({ params: { id: userId } }), t('DevicesEnded'))}>
            {t('DevicesEndOthers')}
          </OnlineOnlyButton>
        </div>
      )}
    </section>
  )
}

/** The devices, this one first, the others in the server's order. */
function currentFirst(devices: readonly OpenSession[]): OpenSession[] {
  return devices.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
}

interface DeviceProps {
  device: OpenSession
  /** another device has the same name: the times tell them apart */
  hasNamesake: boolean
  isBusy: boolean
  onEnd: () => Promise<void>
}

function Device({ device, hasNamesake, isBusy, onEnd }: DeviceProps) {
  const { t } = useTranslation('profile')
  const moment = useMoment()
  const { agent, startedAt, lastUsedAt, isCurrent } = device
  const name = agent || t('DeviceUnnamed')
  const used = moment(new Date(lastUsedAt).getTime())
  const times = hasNamesake
    ? t('DeviceUsedSince', { begun: moment(new Date(startedAt).getTime()), used })
    : t('DeviceUsed', { begun: formatDate(startedAt), used })
  return (
    <li className={styles.device}>
      <div>
        <strong>{name}</strong>
        <p className="soft small">{isCurrent ? t('DeviceThis', { begun: formatDate(startedAt) }) : times}</p>
      </div>
      {!isCurrent && (
        <OnlineOnlyButton
          isBusy={isBusy}
          aria-label={t('DeviceEndNamed', { name: hasNamesake ? `${name}. ${times}` : name })}
          onClick={() => void onEnd()}
        >
          {t('DeviceEnd')}
        </OnlineOnlyButton>
      )}
    </li>
  )
}
