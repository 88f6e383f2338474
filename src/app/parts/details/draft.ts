/**
 * What was typed into a form and not saved yet, stored on the device by user id (OFFLINE-11), so that a reload, a killed tab or
 * a lost connection loses nothing. Signing out clears it with the rest of the local storage (SESSION-16).
 */

/** Which form, and whose draft. */
export interface DraftPlace {
  form: string
  owner: string
  /** nobody is signed in: stored for this tab only */
  isOfTab?: boolean
}

const keyOf = ({ form, owner }: DraftPlace) => `draft:${form}:${owner}`
const storageOf = ({ isOfTab = false }: DraftPlace) => (isOfTab ? sessionStorage : localStorage)

export function storeDraft(place: DraftPlace, values: unknown): void {
  try {
    storageOf(place).setItem(keyOf(place), JSON.stringify(values))
  } catch {
    // storage that is full or blocked costs the draft, never the form
  }
}

export function removeDraft(place: DraftPlace): void {
  try {
    storageOf(place).removeItem(keyOf(place))
  } catch {
    // as in storeDraft
  }
}

/** The draft merged into `start` where it has the same shape; undefined if there is none or nothing differs. */
export function readDraft<Values extends object>(place: DraftPlace, start: Values): Values | undefined {
  try {
    const draft: unknown = JSON.parse(storageOf(place).getItem(keyOf(place)) ?? 'null')
    if (draft === null) return undefined
    const values = overlay(start, draft)
    return JSON.stringify(values) === JSON.stringify(start) ? undefined : values
  } catch {
    return undefined
  }
}

/** Merges text into text, object into object and list into list; anything else in the draft is ignored. */
export function overlay<Value>(start: Value, draft: unknown): Value {
  if (Array.isArray(start)) return (Array.isArray(draft) ? draft.filter(isFlat) : start) as Value // a list is the draft's own
  if (typeof start === 'object' && start !== null) {
    if (typeof draft !== 'object' || draft === null) return start
    const given = new Map(Object.entries(draft))
    return Object.fromEntries(Object.entries(start).map(([name, value]) => [name, overlay(value, given.get(name))])) as Value // same keys
  }
  return typeof draft === typeof start ? (draft as Value) : start // typeof was compared
}

function isFlat(item: unknown): boolean {
  return typeof item === 'object' && item !== null && Object.values(item).every((value) => typeof value === 'string')
}
