import { createEvent } from '#app/api/events.ts'
import { changedParts, editedFrom, includesEdits, merged, type Sent } from './merge.ts'
import { isSame } from './same-values.ts'

/** What is saved of an open form's values, what was sent of them, and so what was edited. */

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

const valueAt = (values: object, name: string) => (values as Record<string, unknown>)[name]

export class Edits<Values extends object> {
  #saved: Saved<Values>
  #waiting: Saved<Values> | undefined
  #sends: readonly Sent<Values>[]
  /** something that decides whether the form is saved */
  readonly changes = createEvent()

  /** @param sends what was sent and may be saved, as no reply has come; latest last */
  constructor(saved: Saved<Values>, sends: readonly Sent<Values>[]) {
    this.#saved = saved
    this.#sends = sends
  }

  /** The form's values as they are saved. */
  get saved(): Values {
    return this.#saved.values
  }

  get version(): string | undefined {
    return this.#saved.version
  }

  get sends(): readonly Sent<Values>[] {
    return this.#sends
  }

  /** What was saved elsewhere, of which a part waits until the field that has the focus is left, or a save has failed. */
  get waiting(): Saved<Values> | undefined {
    return this.#waiting
  }

  /** Another tab or device saved these: only what differs from them is unsaved. */
  noteSavedElsewhere(saved: Saved<Values>, waiting?: Saved<Values>): void {
    this.#saved = saved
    this.#waiting = waiting
    this.#sends = this.#sends.slice(this.#sends.findLastIndex((one) => includesEdits(saved.values, one)) + 1)
    this.changes.emit()
  }

  /** These were saved elsewhere; nothing of it is taken over yet. */
  defer(saved: Saved<Values>): void {
    this.#waiting = saved
  }

  /** A save of these begins: they may be saved until it is known that they are not. */
  noteSending(values: Values): { edited: Edited; sent: Sent<Values> } {
    const sent = { values, base: this.base(values) }
    this.#sends = [...this.#sends, sent]
    return { edited: { fields: Object.keys(changedParts(values, sent.base)), version: this.#saved.version }, sent }
  }

  /** It was not saved. @returns false if a later save has replaced it */
  noteNotSaved(sent: Sent<Values>): boolean {
    const count = this.#sends.length
    this.#sends = this.#sends.filter((one) => one !== sent)
    return this.#sends.length < count
  }

  /** Those of the form's fields that differ from what is, or may be, saved. */
  unsaved(values: Values): Partial<Values> {
    return changedParts(values, this.base(values))
  }

  /** The values from which these were edited: one that was put back after it was sent has been edited from what was sent. */
  base(values: Values): Values {
    const unsaved = changedParts(values, this.saved)
    const base: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(values as Record<string, unknown>)) {
      const sent = name in unsaved ? undefined : this.#sentBefore(name, value)
      if (sent !== undefined) base[name] = sent
    }
    return { ...this.saved, ...base }
  }

  /** What was last sent of a field that was put back since; undefined if it was not, or another device has saved this value. */
  #sentBefore(name: string, value: unknown): unknown {
    const sends = this.#sends.filter((one) => name in changedParts(one.values, one.base))
    const isTypedHere = sends.some((one) => [one.values, one.base].some((all) => isSame(valueAt(all, name), value)))
    return isTypedHere ? sends.map((one) => valueAt(one.values, name)).findLast((sent) => !isSame(sent, value)) : undefined
  }

  /** Nothing that was typed is to be saved any more. */
  noteDiscarded(): void {
    this.#sends = []
    this.changes.emit()
  }

  /** What is typed in the form, with what is saved by now. */
  mergedWith(saved: Values, typed: Values): Values {
    return merged(editedFrom(this.saved, this.#sends, saved), typed, saved)
  }

  /** What was typed is saved, as these values. */
  noteSaved(saved: Saved<Values>): void {
    this.#sends = []
    this.noteSavedElsewhere(saved)
  }
}
