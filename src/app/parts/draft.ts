/**
 * What was typed into a form and not saved yet, kept on the device by user id (ruling 21): a reload, a dead tab or
 * a tunnel loses nothing. Signing out clears it with the rest of the local storage (§4).
 */

const placeOf = (form: string, userId: string) => `draft:${form}:${userId}`

export function keepDraft(form: string, userId: string, values: unknown): void {
  try {
    localStorage.setItem(placeOf(form, userId), JSON.stringify(values))
  } catch {
    // A full or closed storage costs the draft, never the form itself
  }
}

export function dropDraft(form: string, userId: string): void {
  try {
    localStorage.removeItem(placeOf(form, userId))
  } catch {
    // see keepDraft
  }
}

/** The draft laid over `start`, as far as it has the same shape; undefined when there is none or nothing differs. */
export function readDraft<Values extends object>(form: string, userId: string, start: Values): Values | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(placeOf(form, userId)) ?? 'null')
    if (kept === null) return undefined
    const values = overlay(start, kept)
    return JSON.stringify(values) === JSON.stringify(start) ? undefined : values
  } catch {
    return undefined
  }
}

/** Takes text for text, object for object and list for list; anything else in the draft is left out. */
export function overlay<Value>(start: Value, kept: unknown): Value {
  if (Array.isArray(start)) return (Array.isArray(kept) ? kept.filter(isFlat) : start) as Value // a list is the draft's own
  if (typeof start === 'object' && start !== null) {
    if (typeof kept !== 'object' || kept === null) return start
    const given = new Map(Object.entries(kept))
    return Object.fromEntries(Object.entries(start).map(([name, value]) => [name, overlay(value, given.get(name))])) as Value // same keys
  }
  return typeof kept === typeof start ? (kept as Value) : start // typeof was compared
}

function isFlat(item: unknown): boolean {
  return typeof item === 'object' && item !== null && Object.values(item).every((value) => typeof value === 'string')
}
