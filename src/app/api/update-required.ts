import { createEvent } from './events.ts'

/** Whether the API replied 426: it no longer serves this version of the app (INSTALL-4). */
const changed = createEvent()
let isRequired = false

export const updateRequired = {
  get: () => isRequired,
  /** called after each reply of the API */
  note(isTooOld: boolean) {
    if (isRequired === isTooOld) return
    isRequired = isTooOld
    changed.emit()
  },
  subscribe: changed.subscribe,
}
