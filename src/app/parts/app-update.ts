/** Whether an update is ready, and how to install it (INSTALL-2). Set by worker.ts, which is loaded later. */
import { createEvent } from '#app/api/events.ts'

const changed = createEvent()
let takeOver: (() => void) | undefined

export const appUpdate = {
  /** whether a newer version is installed and waiting */
  isWaiting: () => takeOver !== undefined,
  subscribe: changed.subscribe,
  /** activates the new version and reloads the page */
  accept: () => takeOver?.(),
  /** @param activate activates the waiting version and reloads the page */
  offer(activate: () => void): void {
    takeOver = activate
    changed.emit()
  },
}
