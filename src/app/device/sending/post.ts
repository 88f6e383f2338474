import type { AnswersMessage, InstanceKey } from '#app/device/store/stored.ts'
import type { UnwrittenRequest } from './unwritten.ts'

/** Posts to every open channel of this name, in this page too: the screen that began something may have been left, and its own channel closed. */
export function post(name: string, message: InstanceKey | AnswersMessage | UnwrittenRequest): void {
  const channel = new BroadcastChannel(name)
  channel.postMessage(message)
  channel.close()
}
