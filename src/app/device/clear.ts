import { removePendingClearing, pendingClearings } from '#app/session/pending-clearing.ts'
import { session } from '#app/session/session.ts'
import { noteLeaving } from './owner.ts'
import { clearRows } from './store/device-store.ts'
import { requestUnwritten } from './sending/unwritten-in-tabs.ts'

/** Removes a person's data from this device. Unsent answers may stay; only their owner can read them (SESSION-17). docs/decisions/0032 */
export async function clearDevice(userId: string, { keepUnsent }: { keepUnsent: boolean }): Promise<void> {
  noteLeaving(userId)
  if (!keepUnsent) requestUnwritten({ userId, isDiscarded: true })
  await clearRows({ userId, keepUnsent })
}

/** Clears what could not be cleared before, or was left by a session that the server ended; not if its owner is signed in again. */
export async function clearPending(): Promise<void> {
  for (const clearing of pendingClearings()) {
    if (session.get().user?.id !== clearing.userId) await clearRows(clearing)
    removePendingClearing(clearing.userId)
  }
}
