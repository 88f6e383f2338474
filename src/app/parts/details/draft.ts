import { LEFT_PAGE_MS } from '#app/constants.ts'
import { removeStored, storeForADay } from '#app/session/expiring-storage.ts'
import { session } from '#app/session/session.ts'
import { copySession } from '#app/session/stored-copy.ts'
import { isMemoryStorage } from '#app/ui/browser/memory-storage.ts'
import { lockDraft } from './draft-owner.ts'
import { Edits, type Saved } from './edits.ts'
import { leaveOut, merged, pick, type Sent } from './merge.ts'
import {
  draftAt,
  draftText,
  forgetKeyOfTab,
  keyOfTab,
  keysOf,
  newKey,
  noneOvertaken,
  readText,
  type DraftPlace,
  type StoredDraft,
  type Overtaken,
} from './stored-draft.ts'

/**
 * Unsaved form input, stored on the device by user id (OFFLINE-11), so that a reload, a killed tab or browser or a lost connection
 * loses nothing. Signing out clears it with the rest of the local storage (SESSION-16).
 */

/**
 * The draft that a form opens with: after a reload the tab's own, else the newest of those that no open page has and that are not saved.
 * Undefined if there is none, or none can be read.
 */
async function findDraft<Values extends object>(place: DraftPlace, saved: Values): Promise<StoredDraft<Values> | undefined> {
  const ofTab = keyOfTab(place)
  // reads all of them, since reading removes drafts older than a day
  const keys = keysOf(place).filter((key) => draftAt(place, key, saved))
  const others = keys.filter((key) => key !== ofTab).toReversed()
  for (const key of ofTab !== null && keys.includes(ofTab) ? [ofTab, ...others] : others) {
    // of a page that is just being left
    const isLocked = await lockDraft(key, key === ofTab ? LEFT_PAGE_MS : 0)
    // its owner may have removed it meanwhile
    const draft = isLocked ? draftAt(place, key, saved, key === ofTab ? 'here' : 'elsewhere') : undefined
    if (draft) return draft
    // a duplicated tab has the key of its original
    if (key === ofTab) forgetKeyOfTab(place)
  }
  return undefined
}

const nameOf = ({ form, owner }: DraftPlace) => `${form} ${owner}`

/** Drafts of which a save is under way, by their place: a form that is left meanwhile and opened again goes on with the same. */
const beingSent = new Map<string, unknown>()
// nothing that somebody typed outlives their session in this page
session.subscribe(() => {
  if (session.get().status === 'guest') beingSent.clear()
})

/** The draft of a form that opens now. */
export async function openDraft<Values extends object>(place: DraftPlace, saved: Saved<Values>): Promise<OwnDraft<Values>> {
  const left = beingSent.get(nameOf(place)) as OwnDraft<Values> | undefined // the same form's
  return left ?? new OwnDraft(place, saved, await findDraft(place, saved.values))
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
  /** resolves to whether the last input survives the page */
  kept = Promise.resolve(true)

  constructor(place: DraftPlace, saved: Saved<Values>, draft: StoredDraft<Values> | undefined) {
    this.#place = place
    this.restored = draft?.values
    this.#key = draft?.key
    this.#text = draft?.text
    this.#overtaken = draft?.overtaken ?? noneOvertaken()
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
    this.#overtaken = noneOvertaken()
    // the form may have these values already
    this.edits.changes.emit()
    return pick(merged({ ...saved, ...base }, { ...saved, ...values }, saved), values)
  }

  /** It is not put back. */
  dropOvertaken(): void {
    this.#overtaken = noneOvertaken()
    this.change(this.values)
  }

  /** Stores what the form has now and is not saved, or removes the draft if everything is. */
  change(values: Values): void {
    const { edits } = this
    this.#values = values
    const typed = edits.unsaved(values)
    const { values: overtaken, base } = this.#overtaken
    this.#overtaken = { values: leaveOut(overtaken, typed), base: leaveOut(base, typed) }
    edits.changes.emit()
    if (Object.keys(typed).length === 0 && !this.isOvertaken()) {
      this.kept = Promise.resolve(true)
      return this.remove()
    }
    const text = draftText(values, { typed, base: edits.base(values), sends: edits.sends, overtaken: this.#overtaken })
    try {
      const key = this.#isOwn && this.#key !== undefined ? this.#key : newKey(this.#place)
      if (!this.#place.isForADay) localStorage.setItem(key, text)
      const copied = this.#place.isForADay ? storeForADay(key, text) : copySession()
      if (key !== this.#key) this.remove()
      this.#key = key
      this.#text = text
      this.#isOwn = true
      void this.#lock(key)
      // a storage in memory is lost with the page: only the copy survives
      this.kept = isMemoryStorage(localStorage) ? copied : Promise.resolve(true)
    } catch {
      // storage is full: the form works without a draft, or with the one before
      this.kept = Promise.resolve(false)
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
    this.#overtaken = noneOvertaken()
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
    this.#overtaken = noneOvertaken()
    this.edits.noteDiscarded()
    this.remove()
  }

  remove(): void {
    const key = this.#key
    const text = this.#text
    if (key !== undefined && text !== undefined && readText(this.#place, key) === text) removeStored(key)
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

  async #lock(key: string): Promise<void> {
    if ((await lockDraft(key, 0)) || this.#key !== key || !this.#values) return
    // a page that was opened in that moment has it
    this.#isOwn = false
    this.#key = undefined
    this.change(this.#values)
  }
}
