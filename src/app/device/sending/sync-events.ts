import { createEvent } from '#app/api/events.ts'
import type { InstanceKey } from '#app/device/store/stored.ts'

/** What screens are told of sending, without what does it (outbox.ts). */

const changed = createEvent<InstanceKey>()
/** What one tab sent is told in the others, which show it as not sent. */
const NAME = 'touchline-synced'
let listening: BroadcastChannel | undefined
let listeners = 0

/** Rows, finish step or trouble of an instance changed by a sync, here or in another tab. */
export function onSynced(listener: (key: InstanceKey) => void): () => void {
  const stop = changed.subscribe(listener)
  listeners += 1
  listening ??= hear()
  return () => {
    stop()
    listeners -= 1
    if (listeners > 0) return
    listening?.close()
    listening = undefined
  }
}

function hear(): BroadcastChannel {
  const channel = new BroadcastChannel(NAME)
  channel.addEventListener('message', ({ data }: MessageEvent<InstanceKey>) => changed.emit(data))
  return channel
}

/** The player changed them, or a sync did: every screen that shows them reads them again, online or not. */
export function tellChanged({ userId, instanceId }: InstanceKey): void {
  changed.emit({ userId, instanceId })
  if (listening) return listening.postMessage({ userId, instanceId })
  const channel = new BroadcastChannel(NAME)
  channel.postMessage({ userId, instanceId })
  channel.close()
}

let sending: string | undefined
const sendingChanged = createEvent()
/** The instance that is being sent, if any. */
export const sendingInstance = {
  subscribe: sendingChanged.subscribe,
  get: () => sending,
}

export function noteSending(instanceId: string | undefined): void {
  if (sending === instanceId) return
  sending = instanceId
  sendingChanged.emit()
}
