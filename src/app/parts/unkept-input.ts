import { createEvent } from '#app/api/events.ts'

/** Forms with input that this device could not store: it is in the open page alone, and the line about the connection must not say otherwise. */

const forms = new Set<object>()
const changed = createEvent()

export function noteInputKept(form: object, isKept: boolean): void {
  if (forms.has(form) === !isKept) return
  if (isKept) forms.delete(form)
  else forms.add(form)
  changed.emit()
}

export const hasUnkeptInput = () => forms.size > 0
export const onUnkeptInput = changed.subscribe
