import { INSTALL_KEY } from '#app/constants.ts'
import { LANGUAGE_KEY } from '#app/i18n/preferred-language.ts'
import { trySetItem } from '#app/ui/browser/try-set-item.ts'
import { COPIED_KEY, isUncopied, newerThanCopies } from './copied-at.ts'
import { ANSWERS_DEVICE_KEY, DEVICE_ID_KEY, DEVICES_KEY } from './known-devices.ts'
import { ERASED_KEY, LEFT_ACCOUNTS_KEY } from './left-accounts.ts'
import { PENDING_CLEARING_KEY } from './pending-clearing.ts'

const STAYING = [
  LANGUAGE_KEY,
  INSTALL_KEY,
  DEVICES_KEY,
  DEVICE_ID_KEY,
  ANSWERS_DEVICE_KEY,
  PENDING_CLEARING_KEY,
  LEFT_ACCOUNTS_KEY,
  ERASED_KEY,
]

/** Removes everything of the person who leaves this device from local storage. SESSION-16 */
export function clearLocalStorage(): void {
  const staying = STAYING.map((key) => [key, localStorage.getItem(key)] as const)
  const at = isUncopied() ? -newerThanCopies() : newerThanCopies()
  localStorage.clear()
  for (const [key, value] of staying) if (value) trySetItem(key, value)
  // a copy of the sign-in that cannot be removed now counts as older than this, and is not restored (stored-copy.ts)
  trySetItem(COPIED_KEY, String(at))
}
