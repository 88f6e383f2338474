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

/** The draft of one open form. Two tabs of a form share its place: neither removes what was typed in the other since. */
export class OwnDraft {
  readonly #place: DraftPlace
  #saved: string
  /** as this form found or stored it */
  #text: string | undefined

  constructor(place: DraftPlace, saved: unknown) {
    this.#place = place
    this.#saved = JSON.stringify(saved)
    this.#text = textOf(place)
  }

  /** Stores what the form has now, or removes the draft if that is saved. */
  change(values: unknown): void {
    const text = JSON.stringify(values)
    if (text === this.#saved) return this.remove()
    try {
      if (this.#place.isForADay) void storeForADay(keyOf(this.#place), text)
      else {
        localStorage.setItem(keyOf(this.#place), text)
        void copySession()
      }
      this.#text = text
    } catch {
      // storage is full or blocked: the form works without a draft, or with the one before
    }
  }

  /** What was typed is saved, as these values. */
  noteSaved(values: unknown): void {
    this.#saved = JSON.stringify(values)
    this.remove()
  }

  remove(): void {
    if (this.#text !== undefined && textOf(this.#place) === this.#text) removeStored(keyOf(this.#place))
    this.#text = undefined
  }
}

/** Undefined if there is none, or none can be read. */
function textOf(place: DraftPlace): string | undefined {
  try {
    return (place.isForADay ? readUnexpired(keyOf(place)) : localStorage.getItem(keyOf(place))) ?? undefined
  } catch {
    return undefined
  }
}

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
