import { isApiError } from '#app/api/api-error.ts'
import { onReachable } from '#app/api/network.ts'
import { waitToRetry } from '#app/api/wait-to-retry.ts'
import { ScreenAnswers } from './answers.ts'
import { asReady, fetchAndStoreInstance, type FetchedInstance } from '#app/device/fetch-instance.ts'
import { loadOutbox, sendNow, sendSoon } from '#app/device/lazy.ts'
import { mayStore } from '#app/device/owner.ts'
import { serverGroups } from '#app/sync/rows.ts'
import { readQuestionnaire, restoreInstance } from '#app/device/store/device-store.ts'
import { databaseLost } from '#app/device/store/store-events.ts'
import type { InstanceKey, ReadyInstance } from '#app/device/store/stored.ts'
import { onSynced } from '#app/device/sending/sync-events.ts'
import { whenIdle } from '#app/ui/after-paint.ts'
import type { Instance } from '#contract/instances.ts'

// a disk that does not take the questionnaire itself is tried again this often
const KEEP_AGAIN_MS = 2000

/** What the test screen has: nothing yet, the questionnaire, or why there is none. QUESTIONS-2 */
export type Questionnaire =
  | { state: 'loading' }
  | { state: 'ready'; ready: ReadyInstance; answers: ScreenAnswers }
  | { state: 'not-found' | 'not-on-device' | 'failed' }

/**
 * An instance from the device and from the server at once, whichever answers first; the server's groups are merged
 * into the rows, never over what was not sent (ANSWERS-12). Offline, the device alone is enough (SESSION-11).
 * It begins before anything is drawn and ends with its last subscriber.
 */
export class OpenQuestionnaire {
  readonly key: InstanceKey
  /** settles once the device has been looked at */
  readonly looked: Promise<boolean>
  #language: string
  #answers: ScreenAnswers
  #shown: Questionnaire = { state: 'loading' }
  #ready: ReadyInstance | undefined
  #isOpen = true
  #isReadable = true
  /** the device is writing what the answers belong to */
  #isKeeping = false
  #isStored = false
  #listeners = new Set<() => void>()
  #stops: (() => void)[]

  constructor(key: InstanceKey, language: string) {
    this.key = key
    this.#language = language
    this.#answers = new ScreenAnswers(key, {
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

  get = (): Questionnaire => this.#shown

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      // a screen that is drawn anew subscribes again at once
      queueMicrotask(() => this.#listeners.size === 0 && this.#close())
    }
  }

  /** The same answers in other words. */
  setLanguage(language: string): void {
    if (language === this.#language) return
    this.#language = language
    void this.#begin()
  }

  /** Not while it holds what the disk has refused: that is tried again until it is somewhere, and shown to whoever comes back. */
  #close(): void {
    if (this.#answers.snapshot().notSaved) {
      const stop = this.#answers.subscribe(() => {
        if (this.#answers.snapshot().notSaved) return
        stop()
        if (this.#listeners.size === 0) this.#close()
      })
      return
    }
    this.#isOpen = false
    open.delete(nameOf(this.key))
    for (const stop of this.#stops) stop()
    this.#answers.close()
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
      this.#isKeeping = true
      // on screen while the device writes it: a tap meanwhile is a row that finds its instance a moment later
      if (!this.#ready) this.#showFresh(instance)
      await stored.finally(() => {
        this.#isKeeping = false
      })
      if (this.#isReadable && (await this.#look()) && this.#answers.snapshot().unsent > 0) await sendSoon()
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
    this.#answers.take(stored.rows)
    this.#ready = { instance: stored.instance, sections, language: stored.language }
    this.#show({ state: 'ready', ready: this.#ready, answers: this.#answers })
    return true
  }

  /**
   * Straight from the server. Where the device cannot be written (private mode, a full disk), it stays so: the
   * questionnaire still opens, and says "not saved on this device".
   */
  #showFresh(instance: Instance): void {
    this.#answers.show(
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
    this.#show({ state: 'ready', ready: this.#ready, answers: this.#answers })
  }

  #noteSaved(): void {
    if (this.#isStored) void sendSoon()
    else if (!this.#isKeeping) void this.#keepNow()
  }

  /** The disk takes answers again: what they belong to must be there too, or nobody sends them. */
  async #keepNow(): Promise<void> {
    if (!this.#ready || this.#isKeeping || !mayStore(this.key.userId)) return
    this.#isKeeping = true
    try {
      await restoreInstance(this.#ready, this.#answers.held())
    } catch (error) {
      console.warn('The questionnaire is not kept on this device', error)
    } finally {
      this.#isKeeping = false
    }
    if (!(await this.#look()) && this.#isOpen) setTimeout(() => void this.#keepAgain(), KEEP_AGAIN_MS)
    await sendSoon()
  }

  async #keepAgain(): Promise<void> {
    if (this.#isOpen && !this.#isStored) await this.#keepNow()
  }

  /** What was away may have been put back to a backup (ANSWERS-17). What waits is sent, whose reply tells; else it is asked. */
  #compare(): void {
    const isOnItsWay = this.#shown.state === 'not-on-device'
    if (!isOnItsWay && this.#answers.snapshot().unsent === 0) void this.#begin()
  }

  /** The disk may have lost what it held (site data cleared, a browser short of space). */
  async #checkStored(): Promise<void> {
    if (!this.#isStored) return
    const isThere = await readQuestionnaire(this.key, this.#language).catch(() => true)
    if (isThere || !this.#isStored || !this.#isOpen || !mayStore(this.key.userId)) return
    this.#isStored = false
    this.#answers.noteLost()
    await this.#keepNow()
  }

  #show(questionnaire: Questionnaire): void {
    this.#shown = questionnaire
    for (const listener of this.#listeners) listener()
  }
}

const open = new Map<string, OpenQuestionnaire>()
const nameOf = ({ userId, instanceId }: InstanceKey) => `${userId}/${instanceId}`

/** The one that is open, or opens it. */
export function questionnaireOf(key: InstanceKey, language: string): OpenQuestionnaire {
  const known = open.get(nameOf(key))
  if (known) return known
  const opened = new OpenQuestionnaire(key, language)
  open.set(nameOf(key), opened)
  return opened
}

/** Offline, what was never opened here is not "not found". */
function problemOf(error: unknown): 'not-found' | 'not-on-device' | 'failed' {
  if (!isApiError(error)) return 'failed'
  if (error.code === 'NOT_FOUND') return 'not-found'
  return error.kind === 'HTTP' ? 'failed' : 'not-on-device'
}
