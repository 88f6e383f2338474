/**
 * Unsaved form input, stored on the device by user id (OFFLINE-11), so that a reload, a killed tab or a lost connection loses
 * nothing. Signing out clears it with the rest of the local storage (SESSION-16).
 */

/** The form and the person that a draft belongs to. */
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
    // storage is full or blocked: the form works without a draft
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

/** The draft's text, object or list wherever `start` has the same type; anything else in the draft is ignored. */
export function overlay<Value>(start: Value, draft: unknown): Value {
  if (Array.isArray(start)) return (Array.isArray(draft) ? draft.filter(isFlat) : start) as Value // the draft's list replaces it
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
