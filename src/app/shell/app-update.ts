/** Whether an update is ready, and installing it (INSTALL-2). The service-worker module, loaded later, offers it here. */
import { createEvent } from '#app/api/events.ts'

const changed = createEvent()
let takeOver: (() => void) | undefined

export const appUpdate = {
  /** a newer app is whole and waits */
  isWaiting: () => takeOver !== undefined,
  subscribe: changed.subscribe,
  /** Lets it take over and reloads once it has. */
  accept: () => takeOver?.(),
  /** @param how lets the waiting one take over, and loads the page anew */
  offer(how: () => void): void {
    takeOver = how
    changed.emit()
  },
}
