import { removeStored, storeForADay, readUnexpired } from '#app/session/expiring-storage.ts'
import { copySession, DRAFT_PREFIX } from '#app/session/stored-copy.ts'

/**
 * Unsaved form input, stored on the device by user id (OFFLINE-11), so that a reload, a killed tab or browser or a lost connection
 * loses nothing. Signing out clears it with the rest of the local storage (SESSION-16).
 */

/** The form and the person that a draft belongs to. */
export interface DraftPlace {
  form: string
  owner: string
  /** nobody is signed in: stored for a day only */
  isForADay?: boolean
}

const keyOf = ({ form, owner }: DraftPlace) => `${DRAFT_PREFIX}${form}:${owner}`

export function storeDraft(place: DraftPlace, values: unknown): void {
  try {
    const text = JSON.stringify(values)
    if (place.isForADay) return void storeForADay(keyOf(place), text)
    localStorage.setItem(keyOf(place), text)
    void copySession()
  } catch {
    // storage is full or blocked: the form works without a draft
  }
}

export function removeDraft(place: DraftPlace): void {
  try {
    removeStored(keyOf(place))
  } catch {
    // as in storeDraft
  }
}

const textOf = (place: DraftPlace) => (place.isForADay ? readUnexpired(keyOf(place)) : localStorage.getItem(keyOf(place)))

/** The draft merged into `start` where it has the same shape; undefined if there is none or nothing differs. */
export function readDraft<Values extends object>(place: DraftPlace, start: Values): Values | undefined {
  try {
    const draft: unknown = JSON.parse(textOf(place) ?? 'null')
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
