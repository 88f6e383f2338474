import { createEvent } from '#app/api/events.ts'
import type { InstanceKey } from '#app/device/store/stored.ts'
import { broadcast } from './broadcast.ts'

/** How screens learn of sending, without loading the outbox. */
const changed = createEvent<InstanceKey>()
/** BroadcastChannel on which a tab announces what it sent. */
const CHANNEL = 'touchline-synced'
let openedChannel: BroadcastChannel | undefined
let listeners = 0

/** Calls the listener when rows, finish step or trouble of an instance changed, here or in another tab. */
export function onSynced(listener: (key: InstanceKey) => void): () => void {
  const stop = changed.subscribe(listener)
  listeners += 1
  openedChannel ??= openChannel()
  return () => {
    stop()
    listeners -= 1
    if (listeners > 0) return
    openedChannel?.close()
    openedChannel = undefined
  }
}

function openChannel(): BroadcastChannel {
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', ({ data }: MessageEvent<InstanceKey>) => changed.emit(data))
  return channel
}

/** Has every screen, in all tabs, read an instance's rows again. */
export function emitChanged({ userId, instanceId }: InstanceKey): void {
  changed.emit({ userId, instanceId })
  if (openedChannel) return openedChannel.postMessage({ userId, instanceId })
  broadcast(CHANNEL, { userId, instanceId })
}

/** The account has these edits of an instance, and the disk cannot note that. */
export const sentDirectly = createEvent<InstanceKey & { edits: readonly string[] }>()

let sending: string | undefined
const sendingChanged = createEvent()
/** The instance that is being sent, if any. */
export const sendingInstance = {
  subscribe: sendingChanged.subscribe,
  get: () => sending,
}

export function setSending(instanceId: string | undefined): void {
  if (sending === instanceId) return
  sending = instanceId
  sendingChanged.emit()
}
