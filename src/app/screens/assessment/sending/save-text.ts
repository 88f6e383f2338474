import type { Translation } from '#app/i18n/use-translation.ts'
import { formatTime } from '#app/i18n/times.ts'

/**
 * Where the answers are, while nothing is wrong; empty if none was ever saved. ANSWERS-3
 * @param savedAt epoch ms of the server's last acknowledgement
 */
export function saveText(
  t: Translation['t'],
  { unsent, savedAt, isSending }: { unsent: number; savedAt: number | null; isSending: boolean },
) {
  if (unsent === 0) return savedAt ? t('TestSavedToAccount', { time: formatTime(savedAt) }) : ''
  return isSending ? t('TestSending') : t('TestSavedOnDevice', { count: unsent })
}
