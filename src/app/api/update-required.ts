import { createEvent } from './events.ts'

/** The API answered 426: this portal is older than it can serve (INSTALL-4). Nothing is lost, nothing is sent. */
const changed = createEvent()
let isRequired = false

export const updateRequired = {
  get: () => isRequired,
  /** of a call that was answered: refused for the version, or not */
  note(isTooOld: boolean) {
    if (isRequired === isTooOld) return
    isRequired = isTooOld
    changed.emit()
  },
  subscribe: changed.subscribe,
}
