import type { Translation } from '#app/i18n/use-translation.ts'
import type { formatMoment } from '#app/i18n/moments.ts'

/**
 * Where the answers are, while nothing is wrong; empty if none was ever saved. ANSWERS-3
 * @param savedAt epoch ms of the server's last acknowledgement
 */
export function saveText(
  t: Translation['t'],
  moment: typeof formatMoment,
  { unsent, savedAt, isSending }: { unsent: number; savedAt: number | null; isSending: boolean },
) {
  if (unsent === 0) return savedAt ? t('TestSavedToAccount', { time: moment(savedAt) }) : ''
  return isSending ? t('TestSending') : t('TestSavedOnDevice', { count: unsent })
}
