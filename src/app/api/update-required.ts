import { happening } from './happening.ts'

/** The API answered 426: this portal is older than it can serve (ruling 22). Nothing is lost, nothing is sent. */
const changed = happening()
let isRequired = false

export const updateRequired = {
  get: () => isRequired,
  note() {
    if (isRequired) return
    isRequired = true
    changed.tell()
  },
  subscribe: changed.subscribe,
}
