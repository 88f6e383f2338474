import { remember } from '#app/remember.ts'
import { removeStored, storeForADay, readUnexpired } from '#app/session/expiring-storage.ts'
import { copySession, DRAFT_PREFIX } from '#app/session/stored-copy.ts'
import { holdTabLock, isTabLockHeld } from '#app/session/tab-lock.ts'
import { isMemoryStorage } from '#app/ui/browser/memory-storage.ts'
import { Edits, type Saved } from './edits.ts'
import { editedFrom, isSame, merged, type Sent } from './merge.ts'

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

const lockOf = (key: string) => `touchline ${key}`
const keyStart = ({ form }: DraftPlace) => `${DRAFT_PREFIX}${form}:`

/** A key for each open form, so that two tabs do not overwrite each other's drafts; oldest first. Empty if the storage is blocked. */
function keysOf(place: DraftPlace): string[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(keyStart(place)) && key.endsWith(`:${place.owner}`))
      .toSorted()
  } catch {
    return []
  }
}

/**
 * The draft that a form opens with: after a reload the tab's own, else the newest of those that differ from what is stored, as another
 * would hide them. Undefined if there is none, or none can be read.
 */
function found(place: DraftPlace, start: object): string | undefined {
  try {
    // reads all of them, since reading removes drafts older than a day
    const keys = keysOf(place).filter((key) => valuesOf(textOf(place, key), start) !== undefined)
    const ofTab = keyOfTab(place)
    return keys.find((key) => key === ofTab) ?? keys.at(-1)
  } catch {
    return undefined
  }
}

/** The draft that a form in this tab has stored. */
function keyOfTab(place: DraftPlace): string | null {
  try {
    return sessionStorage.getItem(keyStart(place))
  } catch {
    return null
  }
}

function newKey(place: DraftPlace): string {
  const key = `${keyStart(place)}${Date.now()}-${Math.random().toString(36).slice(2)}:${place.owner}`
  remember(keyStart(place), key, sessionStorage)
  return key
}

/** Only the fields that were typed in, as another tab may save the others meanwhile, and what was saved and sent of these. */
interface Stored {
  [field: string]: unknown
  [BASE]: object
  [SENDS]: readonly Sent<object>[]
}

const BASE = 'savedBefore'
const SENDS = 'sends'

/** The draft of one open form. */
export class OwnDraft<Values extends object> {
  readonly edits: Edits<Values>
  readonly #place: DraftPlace
  /** as the form has them now; undefined until something has changed */
  #values: Values | undefined
  /** key of the draft it was opened with, until it has stored its own */
  #key: string | undefined
  /** as this form found or stored it */
  #text: string | undefined
  #isOwn = false
  /** whether this tab has stored it, maybe before a reload */
  #isOfTab = false
  /** lets other tabs remove it */
  #release: (() => void) | undefined
  /** false once the form is left */
  isOpen = false
  /** whether the last input survives the page */
  isKept = Promise.resolve(true)

  constructor(place: DraftPlace, saved: Saved<Values>) {
    this.#place = place
    this.#key = found(place, saved.values)
    this.#text = textOf(place, this.#key)
    this.#isOfTab = this.#key !== undefined && this.#key === keyOfTab(place)
    this.edits = new Edits(saved, sendsOf(this.#text, saved.values))
  }

  /** Whether the form has something that is not saved. */
  isUnsaved = () => this.#values !== undefined && Object.keys(this.edits.unsaved(this.#values)).length > 0

  /** Stores what the form has now and is not saved, or removes the draft if everything is. */
  change(values: Values): void {
    const { edits } = this
    this.#values = values
    edits.changed.emit()
    const typed = edits.unsaved(values)
    if (Object.keys(typed).length === 0) {
      this.isKept = Promise.resolve(true)
      return this.remove()
    }
    const ofTyped = (all: Values) => Object.fromEntries(Object.entries(all).filter(([name]) => name in typed))
    const sends = edits.sends.map((one) => ({ values: ofTyped(one.values), base: ofTyped(one.base) }))
    const text = JSON.stringify({ ...ofTyped(values), [BASE]: ofTyped(edits.base(values)), [SENDS]: sends } satisfies Stored)
    try {
      const key = this.#isOwn && this.#key !== undefined ? this.#key : newKey(this.#place)
      if (!this.#place.isForADay) localStorage.setItem(key, text)
      const copied = this.#place.isForADay ? storeForADay(key, text) : copySession()
      if (key !== this.#key) this.remove()
      this.#key = key
      this.#text = text
      this.#isOwn = true
      this.#release ??= holdTabLock(lockOf(key))
      // a storage in memory is lost with the page: only the copy survives
      this.isKept = isMemoryStorage(localStorage) ? copied : Promise.resolve(true)
    } catch {
      // storage is full: the form works without a draft, or with the one before
      this.isKept = Promise.resolve(false)
    }
  }

  /** What was typed is saved, as these values. */
  noteSaved(saved: Saved<Values>): void {
    this.edits.noteSaved(saved)
    this.remove()
    // what other tabs stored of the same values is saved, too
    for (const key of keysOf(this.#place)) if (valuesOf(textOf(this.#place, key), saved.values) === undefined) removeStored(key)
  }

  /** The draft of a form that is still open in another tab stays there. */
  remove(): void {
    const [key, text] = [this.#key, this.#text]
    const removeUnchanged = () => {
      if (key !== undefined && text !== undefined && textOf(this.#place, key) === text) removeStored(key)
    }
    if (this.#isOwn || this.#isOfTab || key === undefined) removeUnchanged()
    else void isTabLockHeld(lockOf(key)).then((isHeld) => isHeld || removeUnchanged())
    this.#key = undefined
    this.#text = undefined
    this.#isOwn = false
    this.#isOfTab = false
    this.#letGo()
  }

  /** The form is open: other tabs leave the draft that this one had before it was loaded anew. */
  open(): void {
    this.isOpen = true
    if (this.#isOfTab && this.#key !== undefined) this.#release ??= holdTabLock(lockOf(this.#key))
  }

  /** The form is left: its draft stays for the next one. */
  close(): void {
    this.isOpen = false
    this.#letGo()
  }

  #letGo(): void {
    this.#release?.()
    this.#release = undefined
  }
}

/** Undefined if there is none, or none can be read. */
function textOf(place: DraftPlace, key: string | undefined): string | undefined {
  if (key === undefined) return undefined
  try {
    return (place.isForADay ? readUnexpired(key) : localStorage.getItem(key)) ?? undefined
  } catch {
    return undefined
  }
}

/** The draft merged into `start` where it has the same shape; undefined if there is none or nothing differs. */
export function readDraft<Values extends object>(place: DraftPlace, start: Values): Values | undefined {
  return valuesOf(textOf(place, found(place, start)), start)
}

/** What a form that has `start` shows with a draft's text; undefined if nothing differs, or it cannot be read. */
function valuesOf<Values extends object>(text: string | undefined, start: Values): Values | undefined {
  try {
    const draft: unknown = JSON.parse(text ?? 'null')
    if (draft === null) return undefined
    const before = editedFrom(overlay(start, (draft as Partial<Stored>)[BASE]), sendsOf(text, start), start)
    const values = merged(before, overlay(start, draft), start)
    return isSame(values, start) ? undefined : values
  } catch {
    return undefined
  }
}

/** What had been sent when the draft was stored; empty if it cannot be read. */
function sendsOf<Values extends object>(text: string | undefined, start: Values): readonly Sent<Values>[] {
  try {
    const sends = (JSON.parse(text ?? 'null') as Partial<Stored> | null)?.[SENDS] ?? []
    return sends.map(({ values, base }) => ({ values: overlay(start, values), base: overlay(start, base) }))
  } catch {
    return []
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
