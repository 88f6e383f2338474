import type { Translation } from '#app/i18n/use-translation.ts'
import type { WaitingCounts } from '#app/session/private-store.ts'

/**
 * What closing the account loses on this device: what cannot be sent at all, and the rest should sending fail. PROFILE-42
 * @param found undefined if the device could not be read
 */
export function closingLosses(found: WaitingCounts | undefined, t: Translation['t']): string[] {
  if (!found) return [t('profile:CloseAccountUnknown')]
  const { answers, late, marks, hasDraft } = found
  return [
    answers > 0 && t('profile:CloseAccountUnsent', { count: answers }),
    late > 0 && t('profile:CloseAccountLate', { count: late }),
    marks > 0 && t('profile:CloseAccountMarks', { count: marks }),
    hasDraft && t('profile:CloseAccountDraft'),
  ].filter((line) => line !== false)
}
