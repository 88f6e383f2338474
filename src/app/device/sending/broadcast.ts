import type { AnswersMessage, InstanceKey } from '#app/device/store/stored.ts'

/** Posts to every open channel of this name, in this page too, through a channel of its own: that of the screen may be closed by now. */
export function broadcast(name: string, message: InstanceKey | AnswersMessage): void {
  const channel = new BroadcastChannel(name)
  channel.postMessage(message)
  channel.close()
}
