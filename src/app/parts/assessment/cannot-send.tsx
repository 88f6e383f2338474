import { useSyncExternalStore } from 'react'
import { updateRequired } from '#app/api/update-required.ts'
import { formatTime } from '#app/i18n/figures.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { loadRescueFile } from '#app/device/lazy.ts'
import type { InstanceRows } from '#app/sync/rows.ts'
import type { InstanceKey } from '#app/device/store/stored.ts'

interface CannotSendProps {
  instance: InstanceKey
  /** epoch ms; undefined: the server is not known to be in trouble */
  since: number | undefined
  /** the answers on screen, where the device cannot store them either */
  onScreen?: () => InstanceRows
}

/** Answers cannot be sent, because of this version of the app, the server or the device: why, where they are, and a copy as a file. */
export function CannotSend({ instance, since, onScreen }: CannotSendProps) {
  const { t } = useTranslation('parts')
  const isTooOld = useSyncExternalStore(updateRequired.subscribe, updateRequired.get)
  const why = isTooOld
    ? t(onScreen ? 'TooOldToSendOnPageOnly' : 'TooOldToSend')
    : since !== undefined && t(onScreen ? 'CannotSendOnPageOnly' : 'CannotSend', { time: formatTime(since) })
  const download = async () => (await loadRescueFile()).saveRescueFile(instance, undefined, onScreen?.())
  return (
    <div className="notice notice-wait stack">
      {why && <p>{why}</p>}
      <div>
        <button type="button" className="button" onClick={() => void download()}>
          {t('CannotSendDownload')}
        </button>
      </div>
    </div>
  )
}
