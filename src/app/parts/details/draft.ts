import { LEFT_PAGE_MS } from '#app/constants.ts'
import { remember } from '#app/remember.ts'
import { removeStored, storeForADay, readUnexpired } from '#app/session/expiring-storage.ts'
import { session } from '#app/session/session.ts'
import { copySession, DRAFT_PREFIX } from '#app/session/stored-copy.ts'
import { takeTabLock, type TabLock } from '#app/session/tab-lock.ts'
import { isMemoryStorage } from '#app/ui/browser/memory-storage.ts'
import { Edits, type Saved } from './edits.ts'
import { differing, editedFrom, merged, type Sent } from './merge.ts'

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

/** held by the page that has opened or stored the draft, until it is gone: no other page shows or removes it */
const ownerLockOf = (key: string) => `touchline owner of ${key}`
const keyStart = ({ form }: DraftPlace) => `${DRAFT_PREFIX}${form}:`
const nameOf = ({ form, owner }: DraftPlace) => `${form} ${owner}`

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

/** What was typed in fields of which something newer has been saved since, and that: the form shows it. */
interface Overtaken<Values> {
  values: Partial<Values>
  base: Partial<Values>
}

interface Found<Values> {
  key: string
  text: string
  /** what the form shows with it */
  values: Values
  /** what had been sent when it was stored */
  sends: readonly Sent<Values>[]
  overtaken: Overtaken<Values>
}

/**
 * The draft that a form opens with: after a reload the tab's own, else the newest of those that no open page has and that are not saved.
 * Undefined if there is none, or none can be read.
 */
async function claimed<Values extends object>(place: DraftPlace, saved: Values): Promise<Found<Values> | undefined> {
  const ofTab = keyOfTab(place)
  // reads all of them, since reading removes drafts older than a day
  const keys = keysOf(place).filter((key) => draftAt(place, key, saved))
  const others = keys.filter((key) => key !== ofTab).toReversed()
  for (const key of ofTab !== null && keys.includes(ofTab) ? [ofTab, ...others] : others) {
    // of a page that is just being left
    const isClaimed = await claim(key, key === ofTab ? LEFT_PAGE_MS : 0)
    // its owner may have removed it meanwhile
    const draft = isClaimed ? draftAt(place, key, saved, key === ofTab ? 'here' : 'elsewhere') : undefined
    if (draft) return draft
    // a duplicated tab has the key of its original
    if (key === ofTab) forgetKeyOfTab(place)
  }
  return undefined
}

/** The draft that a form in this tab has stored. */
function keyOfTab(place: DraftPlace): string | null {
  try {
    return sessionStorage.getItem(keyStart(place))
  } catch {
    return null
  }
}

function forgetKeyOfTab(place: DraftPlace): void {
  try {
    sessionStorage.removeItem(keyStart(place))
  } catch {
    // blocked: it has none
  }
}

function newKey(place: DraftPlace): string {
  const key = `${keyStart(place)}${Date.now()}-${Math.random().toString(36).slice(2)}:${place.owner}`
  remember(keyStart(place), key, sessionStorage)
  return key
}

/** The drafts of this page, from the request of their locks on. */
const owned = new Map<string, Promise<TabLock | undefined>>()

/** Makes this page the owner of a draft. Resolves to false if another page is, after so many ms. */
async function claim(key: string, ms: number): Promise<boolean> {
  watchLeaving()
  const lock = owned.get(key) ?? takeTabLock(ownerLockOf(key), ms)
  owned.set(key, lock)
  const isClaimed = (await lock) !== undefined
  if (!isClaimed && owned.get(key) === lock) owned.delete(key)
  return isClaimed
}

let isWatching = false

/** Leaves this page's drafts to the next page of the tab: the browser may keep this one for Back. */
function watchLeaving(): void {
  if (isWatching) return
  isWatching = true
  addEventListener('pagehide', () => {
    for (const lock of owned.values()) void lock.then((one) => one?.release())
    owned.clear()
  })
}

/** Only the fields that were typed in, as another tab may save the others meanwhile, and what was saved and sent of these. */
interface Stored {
  [field: string]: unknown
  [BASE]: object
  [SENDS]: readonly Sent<object>[]
  [OVERTAKEN]: Overtaken<object>
}

const BASE = 'savedBefore'
const SENDS = 'sends'
const OVERTAKEN = 'overtaken'

/** Drafts of which a save is under way, by their place: a form that is left meanwhile and opened again goes on with the same. */
const beingSent = new Map<string, unknown>()
// nothing that somebody typed outlives their session in this page
session.subscribe(() => {
  if (session.get().status === 'guest') beingSent.clear()
})

/** The draft of a form that opens now. */
export async function openDraft<Values extends object>(place: DraftPlace, saved: Saved<Values>): Promise<OwnDraft<Values>> {
  const left = beingSent.get(nameOf(place)) as OwnDraft<Values> | undefined // the same form's
  return left ?? new OwnDraft(place, saved, await claimed(place, saved.values))
}

/** The draft of one open form. */
export class OwnDraft<Values extends object> {
  readonly edits: Edits<Values>
  readonly #place: DraftPlace
  /** what was typed in a form of an earlier page, tab or visit; undefined if nothing was */
  readonly restored: Values | undefined
  /** as the form has them now; undefined until something has changed */
  #values: Values | undefined
  readonly #underWay = new Set<Sent<Values>>()
  /** key of the draft it was opened with, until it has stored its own */
  #key: string | undefined
  /** as this form found or stored it */
  #text: string | undefined
  /** whether this form has stored it */
  #isOwn = false
  #overtaken: Overtaken<Values>
  /** false once the form is left */
  isOpen = false
  /** whether the last input survives the page */
  isKept = Promise.resolve(true)

  constructor(place: DraftPlace, saved: Saved<Values>, draft: Found<Values> | undefined) {
    this.#place = place
    this.restored = draft?.values
    this.#key = draft?.key
    this.#text = draft?.text
    this.#overtaken = draft?.overtaken ?? nothing()
    this.edits = new Edits(saved, draft?.sends ?? [])
  }

  /** Whether it was found, and no form has gone on with it yet. */
  isRestored = () => this.restored !== undefined && this.#values === undefined

  /** What the form opens with. */
  get values(): Values {
    return this.#values ?? this.restored ?? this.edits.saved
  }

  /** Whether the form has something that is not saved. */
  isUnsaved = () => this.#values !== undefined && Object.keys(this.edits.unsaved(this.#values)).length > 0

  /** Whether it has fields of which something newer was saved, and that nobody has put back or typed in since. */
  isOvertaken = () => Object.keys(this.#overtaken.values).length > 0

  /** What was typed in these fields, with what was saved since, to be put back into the form. */
  takeOvertaken(): Partial<Values> {
    const { saved } = this.edits
    const { values, base } = this.#overtaken
    this.#overtaken = nothing()
    // the form may have these values already
    this.edits.changed.emit()
    return pick(merged({ ...saved, ...base }, { ...saved, ...values }, saved), values)
  }

  /** It is not put back. */
  dropOvertaken(): void {
    this.#overtaken = nothing()
    this.change(this.values)
  }

  /** Stores what the form has now and is not saved, or removes the draft if everything is. */
  change(values: Values): void {
    const { edits } = this
    this.#values = values
    const typed = edits.unsaved(values)
    const { values: overtaken, base } = this.#overtaken
    this.#overtaken = { values: leaveOut(overtaken, typed), base: leaveOut(base, typed) }
    edits.changed.emit()
    if (Object.keys(typed).length === 0 && !this.isOvertaken()) {
      this.isKept = Promise.resolve(true)
      return this.remove()
    }
    const ofTyped = (all: Values) => Object.fromEntries(Object.entries(all).filter(([name]) => name in typed))
    const sends = edits.sends.map((one) => ({ values: ofTyped(one.values), base: ofTyped(one.base) }))
    const text = JSON.stringify({
      ...ofTyped(values),
      [BASE]: ofTyped(edits.base(values)),
      [SENDS]: sends,
      [OVERTAKEN]: this.#overtaken,
    } satisfies Stored)
    try {
      const key = this.#isOwn && this.#key !== undefined ? this.#key : newKey(this.#place)
      if (!this.#place.isForADay) localStorage.setItem(key, text)
      const copied = this.#place.isForADay ? storeForADay(key, text) : copySession()
      if (key !== this.#key) this.remove()
      this.#key = key
      this.#text = text
      this.#isOwn = true
      void this.#claim(key)
      // a storage in memory is lost with the page: only the copy survives
      this.isKept = isMemoryStorage(localStorage) ? copied : Promise.resolve(true)
    } catch {
      // storage is full: the form works without a draft, or with the one before
      this.isKept = Promise.resolve(false)
    }
  }

  /** Settles as `send` does, which sends these. */
  async whileSending<Reply>(sent: Sent<Values>, send: () => Promise<Reply>): Promise<Reply> {
    const name = nameOf(this.#place)
    this.#underWay.add(sent)
    beingSent.set(name, this)
    try {
      return await send()
    } finally {
      this.#underWay.delete(sent)
      if (this.#underWay.size === 0 && beingSent.get(name) === this) beingSent.delete(name)
    }
  }

  /** Whether something was sent of which no reply has come, and none is awaited. */
  mayBeSaved = () => this.edits.sends.some((one) => !this.#underWay.has(one))

  /** What was typed is saved, as these values. */
  noteSaved(saved: Saved<Values>): void {
    this.#overtaken = nothing()
    this.edits.noteSaved(saved)
    this.remove()
    // what other tabs stored of the same values is saved, too
    for (const key of keysOf(this.#place)) if (!draftAt(this.#place, key, saved.values)) removeStored(key)
  }

  /** The same of a form that was left. One that was opened since takes it over as saved elsewhere. */
  noteSavedOnceLeft(saved: Saved<Values>): void {
    if (this.isOpen) return
    const values = this.edits.mergedWith(saved.values, this.values)
    this.edits.noteSavedElsewhere(saved)
    this.change(values)
  }

  /** It was not saved. @returns false if a later save has replaced it */
  noteNotSaved(sent: Sent<Values>): boolean {
    const isOutstanding = this.edits.noteNotSaved(sent)
    if (this.#values) this.change(this.#values)
    return isOutstanding
  }

  /** Nothing that was typed is to be saved any more. */
  discard(): void {
    this.#overtaken = nothing()
    this.edits.noteDiscarded()
    this.remove()
  }

  remove(): void {
    const [key, text] = [this.#key, this.#text]
    if (key !== undefined && text !== undefined && textOf(this.#place, key) === text) removeStored(key)
    this.#key = undefined
    this.#text = undefined
    this.#isOwn = false
  }

  /** The form is shown. */
  open(): void {
    this.isOpen = true
  }

  /** The form is left: its draft stays for the next one. */
  close(): void {
    this.isOpen = false
  }

  async #claim(key: string): Promise<void> {
    if ((await claim(key, 0)) || this.#key !== key || !this.#values) return
    // a page that was opened in that moment has it
    this.#isOwn = false
    this.#key = undefined
    this.change(this.#values)
  }
}

/** Undefined if there is none, or none can be read. */
function textOf(place: DraftPlace, key: string): string | undefined {
  try {
    return (place.isForADay ? readUnexpired(key) : localStorage.getItem(key)) ?? undefined
  } catch {
    return undefined
  }
}

/**
 * Undefined if there is none, it cannot be read, or all of it is saved.
 * @param typed elsewhere: in another tab or visit, so that what was saved since is newer for whoever is here
 */
function draftAt<Values extends object>(
  place: DraftPlace,
  key: string,
  saved: Values,
  typed: 'here' | 'elsewhere' = 'here',
): Found<Values> | undefined {
  const text = textOf(place, key)
  if (text === undefined) return undefined
  try {
    const draft = JSON.parse(text) as Partial<Stored>
    const sends = (draft[SENDS] ?? []).map(({ values, base }) => ({ values: overlay(saved, values), base: overlay(saved, base) }))
    const before = editedFrom(overlay(saved, draft[BASE]), sends, saved)
    const ofDraft = overlay(saved, draft)
    const asTyped = merged(before, ofDraft, saved)
    const isSaved = Object.keys(new Edits({ values: saved }, sends).unsaved(asTyped)).length === 0
    // what was typed gives way here
    const asSaved = merged(before, saved, ofDraft)
    const newer = typed === 'elsewhere' ? differing(asSaved, asTyped) : {}
    const values = { ...asTyped, ...pick(saved, newer) }
    const left = overtakenOf(draft[OVERTAKEN])
    const stillLeft = differing(merged(overlay(saved, left.base), overlay(saved, left.values), saved), saved)
    const overtaken = { values: { ...stillLeft, ...pick(asTyped, newer) }, base: pick(saved, { ...stillLeft, ...newer }) }
    return isSaved && Object.keys(overtaken.values).length === 0 ? undefined : { key, text, values, sends, overtaken }
  } catch {
    return undefined
  }
}

const nothing = () => ({ values: {}, base: {} })

/** As a draft has it. */
const overtakenOf = (stored: Partial<Overtaken<object>> = {}): Overtaken<object> => ({ ...nothing(), ...stored })

/** Those of `values` that `names` has, too. */
function pick<Values extends object>(values: Values, names: object): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in names)) as Partial<Values> // some of them
}

/** Those of `values` that `names` has not. */
function leaveOut<Values extends object>(values: Partial<Values>, names: object): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !(name in names))) as Partial<Values> // some of them
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
