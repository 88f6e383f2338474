import { removePendingClearing, pendingClearings } from '#app/session/pending-clearing.ts'
import { session } from '#app/session/session.ts'
import { noteLeaving } from './owner.ts'
import { clearRows } from './store/device-store.ts'
import { requestUnwritten } from './sending/unwritten-in-tabs.ts'

/** What a person leaves on this device. docs/decisions/0032-what-stays-on-a-device.md */

/** What a person can see on this device goes. What was not sent may stay, locked to its owner by its key (SESSION-17). */
export async function clearDevice(userId: string, { keepUnsent }: { keepUnsent: boolean }): Promise<void> {
  noteLeaving(userId)
  if (!keepUnsent) requestUnwritten({ userId, isDiscarded: true })
  await clearRows({ userId, keepUnsent })
}

/** What could not be cleared before, or was left by a session that the server ended. Their owner may be back: then it is theirs to see. */
export async function clearPending(): Promise<void> {
  for (const clearing of pendingClearings()) {
    if (session.get().user?.id !== clearing.userId) await clearRows(clearing)
    removePendingClearing(clearing.userId)
  }
}
