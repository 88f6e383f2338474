import { useSyncExternalStore } from 'react'
import { updateRequired } from '#app/api/update-required.ts'
import { formatTime } from '#app/i18n/figures.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { loadRescueFile } from '#app/device/lazy.ts'
import type { InstanceRows } from '#app/sync/rows.ts'
import type { InstanceKey } from '#app/device/store/stored.ts'

interface CannotSendProps {
  instance: InstanceKey
  /** epoch ms when the server began to fail; undefined if it is not known to */
  since: number | undefined
  /** the answers on screen; passed when the device cannot store them either */
  onScreen?: () => InstanceRows
}

/** Says why answers cannot be sent (an old app, the server or the device) and where they are, and offers them as a file. */
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
