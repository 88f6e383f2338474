import { fillPrivateStore } from '#app/session/private-store.ts'
import { session } from '#app/session/session.ts'
import { sendNow, startOutbox } from './outbox.ts'
import { clearDevice, waitingOf } from './status.ts'

/** Called once by main, after the first paint: IndexedDB is not needed to sign in. */
export function startOffline(): void {
  const owner = () => session.get().user?.id
  fillPrivateStore({
    countWaiting: async () => waitingOf(owner()),
    sendNow,
    clear: async ({ userId = owner(), keepUnsent }) => {
      if (userId !== undefined) await clearDevice(userId, { keepUnsent })
    },
  })
  startOutbox()
}
