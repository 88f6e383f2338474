import { createEvent } from '#app/api/events.ts'
import type { InstanceKey } from '#app/device/store/stored.ts'
import { post } from './post.ts'

/** How screens learn of sending, without loading the outbox. */
const changed = createEvent<InstanceKey>()
/** BroadcastChannel on which a tab tells the others what it sent. */
const NAME = 'touchline-synced'
let listening: BroadcastChannel | undefined
let listeners = 0

/** Calls the listener when rows, finish step or trouble of an instance changed, here or in another tab. */
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

/** Tells every screen, in all tabs, to read an instance's rows again. */
export function tellChanged({ userId, instanceId }: InstanceKey): void {
  changed.emit({ userId, instanceId })
  if (listening) return listening.postMessage({ userId, instanceId })
  post(NAME, { userId, instanceId })
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
