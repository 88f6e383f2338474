import { useSyncExternalStore } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { useMoment } from '#app/i18n/use-moment.ts'
import { updateRequired } from '#app/api/update-required.ts'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { sendTrouble } from '#app/device/sending/send-trouble.ts'
import { sendingInstance } from '#app/device/sending/sync-events.ts'
import { CannotSend } from '#app/parts/assessment/cannot-send.tsx'
import type { DeviceStatus } from '#app/device/status.ts'
import { ReadinessLine } from './readiness-line.tsx'

interface Props {
  instanceId: string
  status: DeviceStatus | undefined
  /** with a button that fetches what is missing, where the screen has no other */
  hasFetch?: boolean
}

/** What this device has stored of an instance, in the terms of ANSWERS-3. Waiting is not shown as an error. */
export function DeviceState({ instanceId, status, hasFetch = false }: Props) {
  const { t } = useTranslation('player')
  const userId = useReaderId()
  const since = useSyncExternalStore(sendTrouble.subscribe, sendTrouble.since)
  const isTooOld = useSyncExternalStore(updateRequired.subscribe, updateRequired.get)
  const sending = useSyncExternalStore(sendingInstance.subscribe, sendingInstance.get)
  return (
    <ul className="player-device">
      {status && (status.unsent > 0 || status.finish) && userId !== undefined && (isTooOld || since !== undefined) && (
        <li className="player-cannot-send">
          <CannotSend instance={{ userId, instanceId }} since={since} />
        </li>
      )}
      {status && <Progress status={status} isSending={sending === instanceId} />}
      {status && status.late > 0 && <li className="waits">{t('LateOnDevice', { count: status.late })}</li>}
      <ReadinessLine instanceId={instanceId} readiness={status?.readiness} hasFetch={hasFetch} />
    </ul>
  )
}

function Progress({ status, isSending }: { status: DeviceStatus; isSending: boolean }) {
  const { t } = useTranslation('player')
  const moment = useMoment()
  if (status.unwritten > 0) return <li className="is-refused">{t('NotOnDevice', { count: status.unwritten })}</li>
  if (status.unwrittenElsewhere > 0)
    return <li className="is-refused">{t('NotOnDeviceElsewhere', { count: status.unwrittenElsewhere })}</li>
  if (status.trouble) return <NotSent code={status.trouble.code} />
  if (isSending) return <li className="waits">{t('Sending')}</li>
  if (status.finish) return <li className="waits">{t('FinishedOnDevice')}</li>
  if (status.unsent > 0) return <li className="waits">{t('SavedOnDevice', { count: status.unsent })}</li>
  return status.savedAt === null ? null : <li className="is-done">{t('SavedToAccount', { time: moment(status.savedAt) })}</li>
}

function NotSent({ code }: { code: string }) {
  const { t } = useTranslation(['player', 'errors'])
  return <li className="is-refused">{t('NotSent', { reason: t([`errors:${code}`, 'player:NotSentNoReason']) })}</li>
}
