import { createEvent } from '#app/api/events.ts'
import { remember } from '#app/remember.ts'
import { removeStored, storeForADay, readUnexpired } from '#app/session/expiring-storage.ts'
import { copySession, DRAFT_PREFIX } from '#app/session/stored-copy.ts'
import { holdTabLock, isTabLockHeld } from '#app/session/tab-lock.ts'
import { isMemoryStorage } from '#app/ui/browser/memory-storage.ts'
import { changed, has, isSame, merged, type Sent } from './merge.ts'

/**
 * Unsaved form input, stored on the device by user id (OFFLINE-11), so that a reload, a killed tab or browser or a lost connection
 * loses nothing. Signing out clears it with the rest of the local storage (SESSION-16).
 */

/** Details as the server has them. */
export interface Saved<Values> {
  values: Values
  /** of the profile that has them; undefined if there is none */
  version?: string | undefined
}

/** What a save is about. */
export interface Edited {
  /** names of the form's fields that were typed in: the others are sent, too (PROFILE-14), but may have been saved elsewhere since */
  fields: readonly string[]
  /** of the profile in which they were edited */
  version: string | undefined
}

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
    const ofTab = sessionStorage.getItem(keyStart(place))
    return keys.find((key) => key === ofTab) ?? keys.at(-1)
  } catch {
    return undefined
  }
}

function newKey(place: DraftPlace): string {
  const key = `${keyStart(place)}${Date.now()}-${Math.random().toString(36).slice(2)}:${place.owner}`
  remember(keyStart(place), key, sessionStorage)
  return key
}

/** Only the fields that were typed in, as another tab may save the others meanwhile, and what was saved of these. */
interface Stored {
  [field: string]: unknown
  [BASE]: object
  [SENDS]: readonly Sent<object>[]
}

const BASE = 'savedBefore'
const SENDS = 'sends'

/** The draft of one open form. */
export class OwnDraft<Values extends object> {
  readonly #place: DraftPlace
  #saved: Saved<Values>
  #waiting: Saved<Values> | undefined
  /** what was sent and may be saved, as no reply has come; latest last */
  #sends: readonly Sent<Values>[]
  /** as the form has them now; undefined until something has changed */
  #values: Values | undefined
  /** another save came before the last one, which is to be sent again */
  #isBehind = false
  readonly #changed = createEvent()
  /** key of the draft it was opened with, until it has stored its own */
  #key: string | undefined
  /** as this form found or stored it */
  #text: string | undefined
  #isOwn = false
  /** lets other tabs remove it */
  #release: (() => void) | undefined
  /** whether the last input survives the page */
  isKept = Promise.resolve(true)

  constructor(place: DraftPlace, saved: Saved<Values>) {
    this.#place = place
    this.#saved = saved
    this.#key = found(place, saved.values)
    this.#text = textOf(place, this.#key)
    this.#sends = sendsOf(this.#text, saved.values)
  }

  subscribe = this.#changed.subscribe
  /** Whether the form has something that is not saved. */
  isUnsaved = () => this.#values !== undefined && Object.keys(this.unsaved(this.#values)).length > 0

  /** The form's values as they are saved. */
  get saved(): Values {
    return this.#saved.values
  }

  get version(): string | undefined {
    return this.#saved.version
  }

  /** What was saved elsewhere, of which a part waits until the field that has the focus is left, or a save has failed. */
  get waiting(): Saved<Values> | undefined {
    return this.#waiting
  }

  /** Another tab or device saved these: only what differs from them is unsaved. */
  noteSavedElsewhere(saved: Saved<Values>, waiting?: Saved<Values>): void {
    this.#saved = saved
    this.#waiting = waiting
    this.#sends = this.#sends.slice(this.#sends.findLastIndex((one) => has(saved.values, one)) + 1)
    this.#changed.emit()
  }

  /** The same, all of which waits. */
  wait(saved: Saved<Values>): void {
    this.#waiting = saved
  }

  /** A save of these begins: they may be saved until it is known that they are not. */
  noteSending(values: Values): Edited {
    const base = this.#base(values)
    this.#sends = [...this.#sends, { values, base }]
    return { fields: Object.keys(changed(values, base)), version: this.#saved.version }
  }

  /** The last one was not saved. */
  noteNotSaved(): void {
    this.#sends = this.#sends.slice(0, -1)
  }

  /** Whether these have all that the last save has sent. */
  isSavedIn(values: Values): boolean {
    const last = this.#sends.at(-1)
    return last !== undefined && has(values, last)
  }

  /** It was not saved, as another save came first: it is to be sent again, merged with that. */
  noteBehind(): void {
    this.noteNotSaved()
    this.#isBehind = true
  }

  /** Whether the last save was behind; true once. */
  wasBehind(): boolean {
    const was = this.#isBehind
    this.#isBehind = false
    return was
  }

  /** Stores what the form has now and is not saved, or removes the draft if everything is. */
  change(values: Values): void {
    this.#values = values
    this.#changed.emit()
    const typed = this.unsaved(values)
    if (Object.keys(typed).length === 0) {
      this.isKept = Promise.resolve(true)
      return this.remove()
    }
    const ofTyped = (all: Values) => Object.fromEntries(Object.entries(all).filter(([name]) => name in typed))
    const sends = this.#sends.map((one) => ({ values: ofTyped(one.values), base: ofTyped(one.base) }))
    const text = JSON.stringify({ ...typed, [BASE]: ofTyped(this.#base(values)), [SENDS]: sends } satisfies Stored)
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

  /** Those of the form's fields that differ from what is, or may be, saved. */
  unsaved(values: Values): Partial<Values> {
    return changed(values, this.#base(values))
  }

  /** The values from which these were edited: one that was put back after it was sent has been edited from what was sent. */
  #base(values: Values): Values {
    const { values: sent, base: before } = this.#sends.at(-1) ?? { values, base: values }
    const edited = Object.entries(sent).filter(([name]) => name in changed(sent, before))
    const putBack = edited.filter(([name]) => !(name in changed(values, before)) && !(name in changed(values, this.saved)))
    return { ...this.saved, ...Object.fromEntries(putBack) }
  }

  /** Nothing that was typed is to be saved any more. */
  noteDiscarded(): void {
    this.#sends = []
  }

  /** What is typed in the form, with what is saved by now. */
  mergedWith(saved: Values, typed: Values): Values {
    return merged(editedFrom(this.saved, this.#sends, saved), typed, saved)
  }

  /** What was typed is saved, as these values. */
  noteSaved(saved: Saved<Values>): void {
    this.#sends = []
    this.noteSavedElsewhere(saved)
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
    if (this.#isOwn || key === undefined) removeUnchanged()
    else void isTabLockHeld(lockOf(key)).then((isHeld) => isHeld || removeUnchanged())
    this.#key = undefined
    this.#text = undefined
    this.#isOwn = false
    this.close()
  }

  /** The form is left: its draft stays for the next one. */
  close(): void {
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

/** The values from which what is typed was edited: what was sent before, once it is saved. */
function editedFrom<Values extends object>(before: Values, sends: readonly Sent<Values>[], saved: Values): Values {
  return sends.findLast((one) => has(saved, one))?.values ?? before
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
