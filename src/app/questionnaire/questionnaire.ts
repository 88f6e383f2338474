import { isApiError } from '#app/api/api-error.ts'
import { network, onReachable } from '#app/api/network.ts'
import { waitToRetry } from '#app/api/wait-to-retry.ts'
import { asReady, fetchAndStoreInstance, fetchInstance, type FetchedInstance } from '#app/device/fetch-instance.ts'
import { loadOutbox, loadRescueFile, sendNow, sendSoon } from '#app/device/lazy.ts'
import { loadMissingDetails } from '#app/device/lazy-reads.ts'
import { mayStore } from '#app/device/owner.ts'
import { serverGroups } from '#app/sync/rows.ts'
import { discardUnsent, dismissLate, editsOf, readQuestionnaire, restoreInstance, takeLate } from '#app/device/store/device-store.ts'
import { databaseLost } from '#app/device/store/store-events.ts'
import type { InstanceKey, ReadyInstance } from '#app/device/store/stored.ts'
import { onSynced, tellChanged } from '#app/device/sending/sync-events.ts'
import { whenIdle } from '#app/ui/after-paint.ts'
import type { Instance } from '#contract/instances.ts'
import { ScreenAnswers } from './answers.ts'
import { isSubmitted, reopen, submit, waitForDetails, type SubmitOutcome } from './submit.ts'

// a disk that does not take the questionnaire itself is tried again this often
const STORE_AGAIN_MS = 2000
// nobody waits longer for a bad line
const SAVE_AND_EXIT_MS = 3000

/** What the test screen has: nothing yet, the questionnaire, or why there is none. QUESTIONS-2 */
export type QuestionnaireState =
  | { state: 'loading' }
  | { state: 'ready'; ready: ReadyInstance; questionnaire: Questionnaire }
  | { state: 'not-found' | 'not-on-device' | 'failed' }

/**
 * One open questionnaire: all that a screen shows of it and does with it. It comes from the device and from the server at once,
 * whichever replies first; the server's groups are merged into the rows, never over what was not sent (ANSWERS-12). Offline,
 * the device is enough (SESSION-11). It begins before anything is drawn and ends with its last subscriber.
 */
export class Questionnaire {
  readonly key: InstanceKey
  /** settles once the device has been looked at */
  readonly looked: Promise<boolean>
  readonly answers: ScreenAnswers
  #language: string
  #shown: QuestionnaireState = { state: 'loading' }
  #ready: ReadyInstance | undefined
  #isOpen = true
  #isReadable = true
  /** the device is writing what the answers belong to */
  #isStoring = false
  #isStored = false
  #listeners = new Set<() => void>()
  #stops: (() => void)[]

  constructor(key: InstanceKey, language: string) {
    this.key = key
    this.#language = language
    this.answers = new ScreenAnswers(key, {
      saved: () => this.#noteSaved(),
      notSaved: async (rows, isAsked) => (await loadOutbox()).sendDirectly(key, this.#ready?.instance.contentVersion ?? '', rows, isAsked),
    })
    this.#stops = [
      onSynced((changed) => {
        if (changed.userId === key.userId && changed.instanceId === key.instanceId) void this.#look()
      }),
      databaseLost.subscribe(() => void this.#checkStored()),
      onReachable(() => this.#compare()),
    ]
    this.looked = this.#begin()
    void this.looked.then(() => whenIdle(() => void sendNow()))
  }

  get = (): QuestionnaireState => this.#shown

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      // a screen that is drawn again subscribes again at once
      queueMicrotask(() => this.#listeners.size === 0 && this.#close())
    }
  }

  /** The same answers in other words. */
  setLanguage(language: string): void {
    if (language === this.#language) return
    this.#language = language
    void this.#begin()
  }

  /** Sends what is unsent. */
  send = sendNow

  /** The player wants it sent although the server refused it: the reason is forgotten. ANSWERS-7 */
  async retry(): Promise<void> {
    await (await loadOutbox()).retry(this.key)
  }

  /** Saves answers of this device as a file; only these edits, if given. ANSWERS-7 */
  async saveFile(edits?: readonly string[]): Promise<void> {
    await (await loadRescueFile()).saveRescueFile(this.key, edits)
  }

  /**
   * Discards what was not sent. ANSWERS-7
   * @param edits only these; undefined: all
   * @param isEnded the account takes no answers of it any more
   */
  async discardUnsent(edits: readonly string[] | undefined, isEnded: boolean): Promise<void> {
    const discarded = edits ? new Set(edits) : await editsOf(this.key)
    // nothing is discarded before the account's answers are here to replace it
    const instance = isEnded ? undefined : await fetchInstance(this.key.instanceId, this.#language)
    await discardUnsent(this.key, discarded, instance)
    tellChanged(this.key)
  }

  /** Settles an answer that another device's has displaced: this device's takes its place again, or is dropped. ANSWERS-11 */
  async settleLate(questionId: string, isTaken: boolean): Promise<void> {
    await (isTaken ? takeLate : dismissLate)(this.key, questionId)
    await this.answers.reload()
    if (isTaken) void sendSoon()
  }

  /** Before Submit is sent, the details that are missing are asked for. QUESTIONS-19 */
  async submit(): Promise<SubmitOutcome | 'details'> {
    const { areDetailsMissing } = await loadMissingDetails()
    if (!(await areDetailsMissing(this.key.userId))) return submit(this.key, this.answers)
    await waitForDetails(this.key)
    return 'details'
  }

  /** The player wants to change something before it is sent. */
  reopen(): Promise<void> {
    return reopen(this.key)
  }

  /** Back from the details: given meanwhile, Submit goes on; without them it is to be pressed again. */
  async returnFromDetails(): Promise<void> {
    await sendNow()
    if (!(await isSubmitted(this.key))) await this.reopen()
  }

  /** Everything is on the disk already; where there is a connection, the account gets it before the dashboard shows. QUESTIONS-18 */
  async saveAndExit(): Promise<void> {
    if (!network.isReachable()) return
    await Promise.race([sendNow(), new Promise((resolve) => setTimeout(resolve, SAVE_AND_EXIT_MS))])
  }

  /** Not while it holds what the disk has refused: that is tried again until it is somewhere, and shown to a player who comes back. */
  #close(): void {
    if (this.answers.snapshot().notSaved) {
      const stop = this.answers.subscribe(() => {
        if (this.answers.snapshot().notSaved) return
        stop()
        if (this.#listeners.size === 0) this.#close()
      })
      return
    }
    this.#isOpen = false
    open.delete(nameOf(this.key))
    for (const stop of this.#stops) stop()
    this.answers.close()
  }

  #begin(): Promise<boolean> {
    const fetched = fetchAndStoreInstance(this.key.userId, this.key.instanceId, this.#language)
    const looked = this.#look()
    void this.#follow(looked, fetched)
    return looked
  }

  /** The connection is all that is missing: with it, this goes on by itself. */
  async #beginAgain(): Promise<void> {
    await waitToRetry()
    if (this.#isOpen && !this.#ready) void this.#begin()
  }

  async #follow(looked: Promise<boolean>, fetched: Promise<FetchedInstance>): Promise<void> {
    fetched.catch(() => undefined)
    await looked
    try {
      const { instance, stored } = await fetched
      if (!this.#isOpen) return
      this.#isStoring = true
      // on screen while the device writes it: a tap in between is a row whose instance follows a moment later
      if (!this.#ready) this.#showFresh(instance)
      await stored.finally(() => {
        this.#isStoring = false
      })
      if (this.#isReadable && (await this.#look()) && this.answers.snapshot().unsent > 0) await sendSoon()
    } catch (error) {
      if (!this.#isOpen || this.#ready) return
      const state = problemOf(error)
      this.#show({ state })
      if (state === 'not-on-device') void this.#beginAgain()
    }
  }

  /** What the device holds goes on screen; false when it holds nothing. */
  async #look(): Promise<boolean> {
    const known = this.#ready && { language: this.#ready.language, contentVersion: this.#ready.instance.contentVersion }
    const stored = await readQuestionnaire(this.key, this.#language, known).catch(() => {
      this.#isReadable = false
    })
    if (!stored || !this.#isOpen) return false
    // the same words are the same objects, so that a sync paints nothing that did not change
    const sections = stored.sections ?? this.#ready?.sections
    if (!sections) return false
    this.#isStored = true
    this.answers.take(stored.rows)
    this.#ready = { instance: stored.instance, sections, language: stored.language }
    this.#show({ state: 'ready', ready: this.#ready, questionnaire: this })
    return true
  }

  /**
   * Straight from the server. Where the device cannot be written (private mode, a full disk), it stays so: the
   * questionnaire still opens, and says "not saved on this device".
   */
  #showFresh(instance: Instance): void {
    this.answers.show(
      serverGroups(instance).map(({ questionId, sectionName, value, revision }) => ({
        questionId,
        sectionName,
        value,
        edit: `server-${revision}`,
        base: revision,
        isCopy: true,
      })),
    )
    this.#ready = asReady(this.key.userId, this.#language, instance)
    this.#show({ state: 'ready', ready: this.#ready, questionnaire: this })
  }

  #noteSaved(): void {
    if (this.#isStored) void sendSoon()
    else if (!this.#isStoring) void this.#storeNow()
  }

  /** The disk takes answers again: what they belong to must be there too, or nobody sends them. */
  async #storeNow(): Promise<void> {
    if (!this.#ready || this.#isStoring || !mayStore(this.key.userId)) return
    this.#isStoring = true
    try {
      await restoreInstance(this.#ready, this.answers.rows())
    } catch (error) {
      console.warn('The questionnaire is not stored on this device', error)
    } finally {
      this.#isStoring = false
    }
    if (!(await this.#look()) && this.#isOpen) setTimeout(() => void this.#storeAgain(), STORE_AGAIN_MS)
    await sendSoon()
  }

  async #storeAgain(): Promise<void> {
    if (this.#isOpen && !this.#isStored) await this.#storeNow()
  }

  /** What was away may have been put back to a backup (ANSWERS-17). What waits is sent, whose reply tells; else it is asked. */
  #compare(): void {
    const isOnItsWay = this.#shown.state === 'not-on-device'
    if (!isOnItsWay && this.answers.snapshot().unsent === 0) void this.#begin()
  }

  /** The disk may have lost what it held (site data cleared, a browser short of space). */
  async #checkStored(): Promise<void> {
    if (!this.#isStored) return
    const isThere = await readQuestionnaire(this.key, this.#language).catch(() => true)
    if (isThere || !this.#isStored || !this.#isOpen || !mayStore(this.key.userId)) return
    this.#isStored = false
    this.answers.noteLost()
    await this.#storeNow()
  }

  #show(state: QuestionnaireState): void {
    this.#shown = state
    for (const listener of this.#listeners) listener()
  }
}

const open = new Map<string, Questionnaire>()
const nameOf = ({ userId, instanceId }: InstanceKey) => `${userId}/${instanceId}`

/** The one that is open, or opens it. */
export function questionnaireOf(key: InstanceKey, language: string): Questionnaire {
  const known = open.get(nameOf(key))
  if (known) return known
  const opened = new Questionnaire(key, language)
  open.set(nameOf(key), opened)
  return opened
}

/** Offline, what was never opened here is not "not found". */
function problemOf(error: unknown): 'not-found' | 'not-on-device' | 'failed' {
  if (!isApiError(error)) return 'failed'
  if (error.code === 'NOT_FOUND') return 'not-found'
  return error.kind === 'HTTP' ? 'failed' : 'not-on-device'
}
