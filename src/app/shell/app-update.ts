/** Whether an update is ready, and installing it (INSTALL-2). The service-worker module, loaded later, offers it here. */
import { createEvent } from '#app/api/events.ts'

const changed = createEvent()
let takeOver: (() => void) | undefined

export const appUpdate = {
  /** a newer version is installed and waits */
  isWaiting: () => takeOver !== undefined,
  subscribe: changed.subscribe,
  /** Activates it, then reloads. */
  accept: () => takeOver?.(),
  /** @param how activates the waiting version and reloads the page */
  offer(how: () => void): void {
    takeOver = how
    changed.emit()
  },
}
