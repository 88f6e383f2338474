import { createEvent } from './events.ts'

/** The API replied 426: it no longer serves a portal this old (INSTALL-4). Nothing is lost, nothing is sent. */
const changed = createEvent()
let isRequired = false

export const updateRequired = {
  get: () => isRequired,
  /** after a reply: refused for the version, or not */
  note(isTooOld: boolean) {
    if (isRequired === isTooOld) return
    isRequired = isTooOld
    changed.emit()
  },
  subscribe: changed.subscribe,
}
