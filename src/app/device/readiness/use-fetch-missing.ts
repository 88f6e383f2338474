import { useState } from 'react'
import { loadPrepare } from '#app/device/lazy.ts'

/** Fetching what is missing for use offline, as the player asked. docs/decisions/0033 */
export function useFetchMissing(userId: string | undefined, open: readonly { instanceId: string }[]) {
  const [isBusy, setBusy] = useState(false)
  /** Resolves when what could be fetched is here; never rejects. */
  async function fetchMissing(): Promise<void> {
    if (userId === undefined) return
    setBusy(true)
    await loadPrepare()
      .then(({ prepareInstances }) => prepareInstances(userId, open))
      .catch((error: unknown) => console.warn('Not everything could be prepared for use offline', error))
    setBusy(false)
  }
  return { isBusy, fetchMissing }
}
