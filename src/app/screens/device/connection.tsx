import { useState } from 'react'
import { probe } from '#app/api/network.ts'
import { recheckVersion } from '#app/session/still-too-old.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { formatTime } from '#app/i18n/times.ts'
import { useMoment } from '#app/i18n/use-moment.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { Part } from '#app/ui/layout/part.tsx'
import type { DeviceFacts } from './use-device-facts.ts'

/** Whether the server can be reached and takes answers, and when it last replied. DEVICE-2 */
export function Connection({ facts }: { facts: DeviceFacts }) {
  const { network, isReplaced, contact, troubleSince, troubleCause, retryBy, isTooOld } = facts
  const { t } = useTranslation('device')
  const moment = useMoment()
  const [isBusy, setBusy] = useState(false)
  const [checkedAt, setCheckedAt] = useState<number>()
  const check = async () => {
    setBusy(true)
    if (await probe()) await recheckVersion()
    setCheckedAt(Date.now())
    setBusy(false)
  }
  return (
    <Part id="connection" title={t('ConnectionTitle')}>
      <div role="status">
        <p>{t(STATES[network])}</p>
        {isReplaced && <p>{t(CAUSES.between)}</p>}
        {isTooOld && <p>{t('ConnectionTooOld')}</p>}
        {troubleSince !== undefined && <p>{t('ConnectionTrouble', { time: moment(troubleSince) })}</p>}
        {troubleSince !== undefined && troubleCause && <p>{t(CAUSES[troubleCause])}</p>}
        {troubleSince !== undefined && retryBy !== undefined && <p>{t('AgainBy', { time: moment(retryBy) })}</p>}
        <p className="soft">{contact === undefined ? t('ContactNever') : t('ContactAt', { moment: moment(contact) })}</p>
        {/* with seconds: what happens twice in a minute must look different */}
        {checkedAt !== undefined && (
          <p className="soft">{t('CheckedAt', { time: moment(checkedAt, formatTime(checkedAt, { hasSeconds: true })) })}</p>
        )}
      </div>
      <div>
        <Button isBusy={isBusy} onClick={() => void check()}>
          {t('CheckNow')}
        </Button>
      </div>
    </Part>
  )
}

export const CAUSES = {
  server: 'TroubleServer',
  between: 'TroubleBetween',
  busy: 'TroubleBusy',
  crowded: 'TroubleCrowded',
  silent: 'TroubleSilent',
} as const
const STATES = { online: 'ConnectionOnline', weak: 'ConnectionWeak', offline: 'ConnectionOffline' } as const
