import { hasSignedOut, mayStore } from '#app/device/owner.ts'
import { storeResults, storeResultsInOtherLanguages, type LocalizedResults } from '#app/device/results.ts'
import {
  acknowledge,
  changeInstance,
  clearRows,
  complete,
  forgetAcknowledged,
  readSyncState,
  removeOperation,
  setTrouble,
  storeOperation,
} from '#app/device/store/device-store.ts'
import type { InstanceKey } from '#app/device/store/stored.ts'
import { currentLanguage } from '#app/i18n/current-language.ts'
import type { DevicePort } from '#app/sync/sync.ts'

/** The sync core's device port, on the device store. `onChange` is called after each transaction that changed what screens show. */
export function devicePort(key: InstanceKey, onChange: () => void): DevicePort<LocalizedResults> {
  return {
    load: () => readSyncState(key),
    storeOperation: (operation) => storeOperation(key, operation),
    removeOperation: () => removeOperation(key),
    acknowledge: async (acknowledgement) => {
      await acknowledge(key, acknowledgement)
      await clearIfSignedOut(key.userId)
      onChange()
    },
    setFinish: async (finish) => {
      await changeInstance(key, { finish })
      onChange()
    },
    setTrouble: async (trouble) => {
      // what the server acknowledged before its restore is unsent again (ANSWERS-17)
      if (trouble?.code === 'NOT_FOUND') await forgetAcknowledged(key, trouble.at)
      await setTrouble(key, trouble)
      onChange()
    },
    complete: async (completed) => {
      const language = currentLanguage()
      await storeResults(key.userId, language, completed)
      void storeResultsInOtherLanguages(key.userId, key.instanceId, language).catch(() => undefined)
      await complete(key, completed.summary)
      await clearIfSignedOut(key.userId)
      onChange()
    },
  }
}

/** A reply after a sign-out is stored, or its answers would be sent again; then what the account has is removed. SESSION-16 */
async function clearIfSignedOut(userId: string): Promise<void> {
  // after a session that the server ended, sent answers may be the only copy (decision 0032)
  if (!mayStore(userId)) await clearRows({ userId, keepUnsent: true, keepOpen: !hasSignedOut(userId) })
}
