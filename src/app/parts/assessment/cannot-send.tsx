import { useSyncExternalStore } from 'react'
import { updateRequired } from '#app/api/update-required.ts'
import { useMoment } from '#app/i18n/use-moment.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import type { InstanceKey } from '#app/device/store/stored.ts'
import { SaveAnswersFile } from './save-answers-file.tsx'

interface CannotSendProps {
  instance: InstanceKey
  /** epoch ms when the server began to fail; undefined if it is not known to */
  since: number | undefined
  /** the device cannot store them either */
  isOnPageOnly?: boolean
}

/** Says why answers cannot be sent (an old app, the server or the device) and where they are, and offers them as a file. */
export function CannotSend({ instance, since, isOnPageOnly = false }: CannotSendProps) {
  const { t } = useTranslation('parts')
  const moment = useMoment()
  const isTooOld = useSyncExternalStore(updateRequired.subscribe, updateRequired.get)
  const why = isTooOld
    ? t(isOnPageOnly ? 'TooOldToSendOnPageOnly' : 'TooOldToSend')
    : since !== undefined && t(isOnPageOnly ? 'CannotSendOnPageOnly' : 'CannotSend', { time: moment(since) })
  return (
    <div className="notice notice-wait stack">
      {why && <p>{why}</p>}
      <SaveAnswersFile instance={instance}>{t('CannotSendDownload')}</SaveAnswersFile>
    </div>
  )
}
