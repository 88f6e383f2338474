import { useEffect, useState } from 'react'
import { onLeftAccounts } from '#app/session/left-accounts.ts'
import { loadUnsentOfOthers } from './lazy.ts'

/** What of other people is on this device alone; nothing until read, or if the device cannot be read. DEVICE-7 */
export function useUnsentOfOthers(userId: string | undefined) {
  const [found, setFound] = useState({ isSendable: false, isRefused: false, isClosed: false })
  useEffect(() => {
    const load = () =>
      void loadUnsentOfOthers()
        .then(({ unsentOfOthers }) => unsentOfOthers(userId))
        .then(setFound, (error: unknown) => console.warn('The device cannot be read', error))
    load()
    return onLeftAccounts(load)
  }, [userId])
  return found
}
