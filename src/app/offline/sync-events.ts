import { happening } from '#app/api/happening.ts'
import type { InstanceKey } from './stored.ts'

/** What screens are told of sending, without what does it (outbox.ts). */

const changed = happening<InstanceKey>()
/** Rows, finish step or trouble of an instance changed by a sync. */
export const onSynced = changed.subscribe
/** The player changed them: whoever shows them reads them again, with or without a connection. */
export const tellChanged = changed.tell

let sending: string | undefined
const sendingChanged = happening()
/** The instance that is being sent, if any. */
export const sendingInstance = {
  subscribe: sendingChanged.subscribe,
  get: () => sending,
}

export function noteSending(instanceId: string | undefined): void {
  if (sending === instanceId) return
  sending = instanceId
  sendingChanged.tell()
}
