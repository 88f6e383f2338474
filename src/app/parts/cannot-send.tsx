import { useSyncExternalStore } from 'react'
import { updateRequired } from '#app/api/update-required.ts'
import { formatTime } from '#app/i18n/figures.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { loadRescueFile } from '#app/device/lazy.ts'
import type { InstanceRows } from '#app/sync/rows.ts'
import type { InstanceKey } from '#app/device/store/stored.ts'

interface CannotSendProps {
  instance: InstanceKey
  /** undefined: the server is not in trouble, as far as is known */
  since: number | undefined
  /** what is on screen, where the device does not take it either */
  onScreen?: () => InstanceRows
}

/** The server takes no answers, of this version of the app or at all, or the device does not: why, where they are, and a copy to hold in one's hand. */
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
