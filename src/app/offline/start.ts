import { registerPrivateStore } from '#app/session/private-stores.ts'
import { session } from '#app/session/session.ts'
import { sendNow, startOutbox } from './outbox.ts'
import { clearDevice, countUnsentOf } from './status.ts'

/** Called once by main, after the first paint: IndexedDB is not needed to sign in. */
export function startOffline(): void {
  const owner = () => session.get().user?.id
  const countUnsent = async () => {
    const userId = owner()
    return userId === undefined ? 0 : countUnsentOf(userId)
  }
  registerPrivateStore({
    countUnsent,
    sendNow: async () => {
      await sendNow()
      return countUnsent()
    },
    clear: async (options) => {
      const userId = owner()
      if (userId !== undefined) await clearDevice(userId, options)
    },
  })
  startOutbox()
}
