import { useEffect, useState } from 'react'
import { onLeftAccounts } from '#app/session/left-accounts.ts'
import { loadStatus } from './lazy.ts'

/** What of other people is on this device alone; nothing until read, or if the device cannot be read. DEVICE-7 */
export function useUnsentOfOthers(reader: string | undefined) {
  const [found, setFound] = useState({ isSendable: false, isRefused: false, isClosed: false })
  useEffect(() => {
    const load = () =>
      void loadStatus()
        .then(({ unsentOfOthers }) => unsentOfOthers(reader))
        .then(setFound, (error: unknown) => console.warn('The device cannot be read', error))
    load()
    return onLeftAccounts(load)
  }, [reader])
  return found
}
