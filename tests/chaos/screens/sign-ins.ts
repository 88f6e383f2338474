import { disk } from './disk.ts'
import type { Clock } from './clock.ts'
import type { Phone } from './phone.ts'
import type { Tab } from './tab.ts'

/** Who is signed in on a phone: the person who signed in last and has not signed out, in every tab, whatever failed meanwhile. SESSION-16 */

/** Tabs hear of each other, and of a database that does not respond, within this time; ms. */
const QUIET_MS = 2500

interface SignInsPorts {
  phone: Phone
  clock: Clock
  fail: (what: string) => never
}

export class SignIns {
  readonly #phone: Phone
  readonly #clock: Clock
  readonly #fail: (what: string) => never
  /** undefined: nobody */
  #present: string | undefined
  /** the server, or what the browser lost, may have ended it or brought another one back */
  #isUnknown = false
  /** the second copy of the sign-in has the present state: a killed browser restarts with it */
  #isCopied = false
  /** and so has local storage on the disk */
  #isFlushed = false
  /** a database that was dropped and made again on a full disk has no copy, as after a sign-out */
  #isCopyLost = false
  /** since the last change: local storage may be older than it */
  #isKilled = false
  #changedAt = Number.NEGATIVE_INFINITY
  /** who signs out, by the tab in which they do */
  readonly #leaving = new Map<Tab, string>()

  constructor({ phone, clock, fail }: SignInsPorts) {
    this.#phone = phone
    this.#clock = clock
    this.#fail = fail
  }

  /** `signedIn` rejects if the storage was full. */
  async signIn(userId: string, signedIn: Promise<void>): Promise<void> {
    // a sign-out before it is over, as this tab had nobody signed in
    this.#leaving.clear()
    this.#set(userId)
    const wasHung = this.#phone.isCopyHung
    const isOwn = () => this.#present === userId
    try {
      await signedIn
      if (isOwn()) this.#isCopied = !wasHung && !this.#phone.isCopyHung && !disk.isFull
    } catch {
      if (isOwn()) this.noteUnknown()
    }
  }

  /** From here on this tab signs out, and another one finishes it if this one is closed. */
  leave(tab: Tab, userId: string): void {
    this.#leaving.set(tab, userId)
  }

  /** The tab has signed out, or was closed before it had. */
  endLeaving(tab: Tab): void {
    const userId = this.#leaving.get(tab)
    this.#leaving.delete(tab)
    // somebody else has signed in meanwhile
    if (userId === undefined || userId !== this.#present) return
    // that the copy is gone says something only where there was one
    const wasCopied = this.#isCopied
    this.#set(undefined)
    this.#isCopied = wasCopied && !this.#phone.isCopyHung
    // what a closed tab was doing is noted in local storage, if that had room for it
    if (tab.isDead && disk.isFull) this.noteUnknown()
  }

  noteKilled(): void {
    const isLeaving = this.#leaving.size > 0
    this.#leaving.clear()
    if (isLeaving || !(this.#isCopied || this.#isFlushed)) this.noteUnknown()
    this.#isKilled = true
    this.#changedAt = this.#clock.now
  }

  /** A page starts: after a kill it may need the copy, and room in local storage to restore it. */
  noteStart(): void {
    if (this.#isKilled && !this.#isFlushed && (this.#phone.isCopyHung || disk.isFull)) this.noteUnknown()
  }

  noteCopyLost(): void {
    this.#isCopyLost = true
    this.#isCopied = this.#isFlushed = false
  }

  noteFlushed(): void {
    this.#isFlushed = this.#leaving.size === 0 && !this.#isCopyLost
  }

  noteCleared(): void {
    this.#set(undefined)
  }

  noteEnded(userId: string): void {
    if (this.#present === userId) this.noteUnknown()
  }

  noteUnknown(): void {
    this.#isUnknown = true
  }

  #set(userId: string | undefined): void {
    this.#present = userId
    this.#isUnknown = this.#isCopied = this.#isFlushed = this.#isCopyLost = this.#isKilled = false
    this.#changedAt = this.#clock.now
  }

  check(): void {
    if (this.#isUnknown || this.#leaving.size > 0 || this.#clock.now - this.#changedAt < QUIET_MS) return
    for (const tab of this.#phone.tabs) {
      const shown = tab.page.status() === 'guest' ? undefined : tab.page.userId()
      if (shown !== this.#present)
        this.#fail(
          `a tab shows ${shown ?? 'nobody'} as signed in, but ${this.#present ?? 'nobody'} is: ${JSON.stringify([...this.#phone.local.keys()])}`,
        )
    }
  }
}
