/**
 * What was typed into a form and not saved yet, kept on the device by user id (OFFLINE-11): a reload, a dead tab or
 * a tunnel loses nothing. Signing out clears it with the rest of the local storage (SESSION-16).
 */

/** Which form, and whose text it is. */
export interface DraftPlace {
  form: string
  owner: string
  /** nobody is signed in: it stays in this tab and goes with it */
  isOfTab?: boolean
}

const keyOf = ({ form, owner }: DraftPlace) => `draft:${form}:${owner}`
const storeOf = ({ isOfTab = false }: DraftPlace) => (isOfTab ? sessionStorage : localStorage)

export function keepDraft(place: DraftPlace, values: unknown): void {
  try {
    storeOf(place).setItem(keyOf(place), JSON.stringify(values))
  } catch {
    // A full or closed storage costs the draft, never the form itself
  }
}

export function dropDraft(place: DraftPlace): void {
  try {
    storeOf(place).removeItem(keyOf(place))
  } catch {
    // see keepDraft
  }
}

/** The draft laid over `start`, as far as it has the same shape; undefined when there is none or nothing differs. */
export function readDraft<Values extends object>(place: DraftPlace, start: Values): Values | undefined {
  try {
    const kept: unknown = JSON.parse(storeOf(place).getItem(keyOf(place)) ?? 'null')
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
