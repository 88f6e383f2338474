import { isApiError } from '#app/api/api-error.ts'
import { network, onReachable } from '#app/api/network.ts'
import { waitToRetry } from '#app/api/wait-to-retry.ts'
import { delay } from '#app/delay.ts'
import type { FetchedInstance } from '#app/device/fetch-instance.ts'
import { loadDiscard, loadFetchInstance, loadOutbox, sendNow, sendSoon } from '#app/device/lazy.ts'
import { asReady } from '#app/device/ready-instance.ts'
import { registerScreen } from '#app/device/screen-state.ts'
import { serverGroups, type InstanceRows } from '#app/sync/rows.ts'
import { dismissLate, readInstance, readQuestionnaire, readRows, readRowsIfStored, restoreLate } from '#app/device/store/device-store.ts'
import { isSameInstance, textOfKey, type InstanceKey, type ReadyInstance } from '#app/device/store/stored.ts'
import { onSynced, emitChanged, sentDirectly } from '#app/device/sending/sync-events.ts'
import { session } from '#app/session/session.ts'
import { whenIdle } from '#app/ui/browser/after-paint.ts'
import type { Instance } from '#contract/instances.ts'
import { ScreenAnswers } from './answers.ts'
import { DeviceCopy } from './device-copy.ts'
import { isSubmitted, reopen, submitOrRequestDetails, type SubmitOutcome } from './submit.ts'

// "Save and exit" waits at most this long for the server
const SAVE_AND_EXIT_MS = 3000

/** What the test screen shows: loading, the questionnaire, or why it cannot be opened. QUESTIONS-2 */
export type QuestionnaireState =
  | { state: 'loading' }
  | { state: 'ready'; ready: ReadyInstance; questionnaire: Questionnaire }
  | { state: 'not-found' | 'not-on-device' | 'failed' }

/**
 * One open questionnaire: its state, and every action of the test screen. It is read from the device and from the server at
 * the same time, and shown as soon as one of them replies. The server's answers are merged into the device's rows and never
 * overwrite unsent ones (ANSWERS-12). Offline the device is enough (SESSION-11). It is opened before anything is drawn
 * (`questionnaireOf`) and closes after its last subscriber.
 */
export class Questionnaire {
  readonly key: InstanceKey
  /** resolves when the device was read: true if the questionnaire is stored there */
  readonly loadedFromDevice: Promise<boolean>
  readonly answers: ScreenAnswers
  #language: string
  #state: QuestionnaireState = { state: 'loading' }
  #ready: ReadyInstance | undefined
  #isOpen = true
  #isReadable = true
  #isOwnerSignedIn = true
  readonly #copy: DeviceCopy
  #listeners = new Set<() => void>()
  #unsubscribes: (() => void)[]

  constructor(key: InstanceKey, language: string) {
    this.key = key
    this.#language = language
    this.answers = new ScreenAnswers(key, {
      onSaved: () => this.#copy.noteSaved(),
      // until the content version is known, rows that another tab could not write are only kept here, and written when the disk takes them
      sendDirectly: async (rows, isManual) =>
        this.#ready ? (await loadOutbox()).sendDirectly(key, this.#ready.instance.contentVersion, rows, isManual) : [],
    })
    this.#copy = new DeviceCopy(key, this.answers, {
      shown: () => this.#ready,
      isOpen: () => this.#isOpen,
      load: () => this.#loadFromDevice(),
      firstLoaded: () => this.loadedFromDevice,
    })
    this.#unsubscribes = [
      onSynced((changed) => {
        if (isSameInstance(changed, key)) void this.#loadFromDevice()
      }),
      sentDirectly.subscribe((sent) => {
        if (isSameInstance(sent, key)) this.answers.noteSent(sent.edits)
      }),
      onReachable(() => this.#recheckServer()),
      session.subscribe(() => this.#onSessionChange()),
      registerScreen(key, () => ({ instance: this.#ready?.instance, rows: this.answers.rows(), unwritten: this.answers.unwritten() })),
    ]
    this.loadedFromDevice = this.#open()
    void this.loadedFromDevice.then(() => whenIdle(() => void sendNow()))
  }

  get = (): QuestionnaireState => this.#state

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      // React may unsubscribe and subscribe again in the same task
      queueMicrotask(() => this.#listeners.size === 0 && this.#close())
    }
  }

  /** Loads the questions in another language; the answers stay. */
  setLanguage(language: string): void {
    if (language === this.#language) return
    this.#language = language
    void this.#open()
  }

  /** Sends what is unsent. */
  send = sendNow

  /** Clears the server's refusal and sends the answers again, as the player asked. Rejects if the device cannot be written. ANSWERS-7 */
  async retry(): Promise<void> {
    await (await loadOutbox()).retry(this.key)
  }

  /** Discards unsent answers (device/discard.ts). Rejects with `ApiError` if the account's answers cannot be read. ANSWERS-7 */
  async discardUnsent(edits: readonly string[] | undefined, isEnded: boolean): Promise<void> {
    const discarded = this.answers.unsent(edits).map(({ edit }) => edit)
    await (await loadDiscard()).discard(this.key, this.#language, discarded, isEnded)
  }

  /**
   * Resolves a late answer, which another device's newer one replaced. ANSWERS-11
   * @param isRestored true: this device's answer is used again and sent; false: it is dropped
   */
  async resolveLate(questionId: string, isRestored: boolean): Promise<void> {
    const late = this.answers.snapshot().late.find((one) => one.questionId === questionId)
    if (late) await (isRestored ? restoreLate : dismissLate)(this.key, late)
    emitChanged(this.key)
    await this.answers.reload()
    if (isRestored) void sendSoon()
  }

  /** Submits, unless details of the profile are missing (submit.ts). */
  submit(): Promise<SubmitOutcome | 'details'> {
    return submitOrRequestDetails(this.key, this.answers)
  }

  /** Cancels a Submit that was not sent yet, so that the player can change answers. */
  reopen(): Promise<void> {
    return reopen(this.key)
  }

  /** The player came back from the details form: Submit continues if the details are complete, else it must be pressed again. */
  async returnFromDetails(): Promise<void> {
    await sendNow()
    if (!(await isSubmitted(this.key))) await this.reopen()
  }

  /** Sends what is unsent before the dashboard shows, for at most 3 s; offline it returns at once, as the answers are on the disk. QUESTIONS-18 */
  async saveAndExit(): Promise<void> {
    if (!network.isReachable()) return
    await Promise.race([sendNow(), delay(SAVE_AND_EXIT_MS)])
  }

  /** Stays open until all answers are on the disk: they are retried, shown again if the player comes back, and announced to other tabs. */
  #close(): void {
    const { answers } = this
    const isWritten = () => !this.#copy.mayBeDeleted && !answers.snapshot().hasFailedWrites && answers.listeners.isStatusCurrent()
    if (!isWritten()) {
      const closeIfWritten = () => {
        if (!isWritten()) return
        for (const stop of stops) stop()
        if (this.#listeners.size === 0) this.#close()
      }
      const stops = [answers.listeners.subscribe(closeIfWritten), answers.listeners.subscribeStatusCurrent(closeIfWritten)]
      return
    }
    this.#isOpen = false
    openQuestionnaires.delete(textOfKey(this.key))
    for (const stop of this.#unsubscribes) stop()
    this.#copy.close()
    this.answers.close()
  }

  #open(): Promise<boolean> {
    const { userId, instanceId } = this.key
    const language = this.#language
    const fetched = loadFetchInstance().then(({ fetchAndStoreInstance }) => fetchAndStoreInstance(userId, instanceId, language))
    const loaded = this.#loadFromDevice()
    void this.#finishOpening(loaded, fetched)
    return loaded
  }

  /** Tries to open it again once there is a connection. */
  async #retryOpening(): Promise<void> {
    await waitToRetry()
    if (this.#isOpen && !this.#ready) void this.#open()
  }

  async #finishOpening(loaded: Promise<boolean>, fetched: Promise<FetchedInstance>): Promise<void> {
    fetched.catch(() => undefined)
    // answers given before the app had loaded, which stores the questions: only the disk has them
    const rowsHere = (await loaded) || !this.#isReadable ? undefined : readRows(this.key).catch(() => undefined)
    try {
      const { instance, stored } = await fetched
      const rows = await rowsHere
      if (!this.#isOpen) return
      const storing = this.#copy.noteStoring(stored)
      // shown while the device is still writing it; a tap meanwhile is stored before its instance is
      if (!this.#ready) this.#showServerReply(instance, rows)
      // the browser may have deleted since what was read while the questions were fetched
      if (rows && rows.answers.length > 0) void this.#copy.check()
      await storing
      const isStored = this.#isReadable && (await this.#loadFromDevice())
      if (this.answers.snapshot().unsent === 0) return
      // answers were given meanwhile to a questionnaire that the disk refused
      if (isStored) await sendSoon()
      else await this.#copy.store()
    } catch (error) {
      if (!this.#isOpen || this.#ready) return
      const state = problemOf(error)
      this.#show({ state })
      if (state === 'not-on-device') void this.#retryOpening()
    }
  }

  /** Shows what is stored on the device; resolves to false if it is not stored there. */
  async #loadFromDevice(): Promise<boolean> {
    const known = this.#ready && { language: this.#ready.language, contentVersion: this.#ready.instance.contentVersion }
    const stored = await readQuestionnaire(this.key, this.#language, known).catch(() => {
      this.#isReadable = false
    })
    if (!this.#isOpen) return false
    if (!stored) return this.#isReadable && this.#loadWithoutQuestions()
    // the same objects for the same sections, so that a sync renders only what changed
    const sections = stored.sections ?? this.#ready?.sections
    if (!sections) return false
    this.#copy.noteStored()
    this.answers.applyRows(stored.rows)
    this.#ready = { instance: stored.instance, sections, language: stored.language }
    this.#show({ state: 'ready', ready: this.#ready, questionnaire: this })
    return true
  }

  /** Reads an instance that is stored without its questions, for which the disk has no room. */
  async #loadWithoutQuestions(): Promise<false> {
    if (!this.#ready) return false
    const rows = await readRowsIfStored(this.key).catch(() => undefined)
    const instance = rows && (await readInstance(this.key).catch(() => undefined))
    if (!instance || !this.#isOpen) return false
    this.answers.mergeRows(rows)
    // read every 2 s, which must not render the screen each time
    if (JSON.stringify(instance) === JSON.stringify(this.#ready.instance)) return false
    this.#ready = { ...this.#ready, instance }
    this.#show({ state: 'ready', ready: this.#ready, questionnaire: this })
    return false
  }

  /**
   * Shows the server's reply before it is stored. Where the device cannot be written (private mode, a full disk) this is all
   * there is: the questionnaire opens and says "not saved on this device".
   */
  #showServerReply(instance: Instance, rowsHere: InstanceRows | undefined): void {
    this.answers.showServerRows(
      serverGroups(instance).map(({ questionId, sectionName, value, revision }) => ({
        questionId,
        sectionName,
        value,
        edit: `server-${revision}`,
        base: revision,
        isCopy: true,
      })),
    )
    if (rowsHere) this.answers.mergeRows(rowsHere)
    this.#ready = asReady(this.key.userId, this.#language, instance)
    this.#show({ state: 'ready', ready: this.#ready, questionnaire: this })
  }

  /** A sign-out removes the instance from the disk while answers that the disk refused are still in this page: they are stored again when the owner returns. */
  #onSessionChange(): void {
    const isSignedIn = session.get().user?.id === this.key.userId
    // a refresh of the session does not change the user
    if (isSignedIn === this.#isOwnerSignedIn) return
    this.#isOwnerSignedIn = isSignedIn
    if (!isSignedIn) this.#copy.noteSignedOut()
    else if (this.#isOpen) void this.#openForOwner()
  }

  /** Stores what is on screen, and reads what the account got meanwhile. */
  async #openForOwner(): Promise<void> {
    await this.#copy.storeForOwner()
    if (this.#isOpen) void this.#open()
  }

  /** A server that was unreachable may have been restored from a backup (ANSWERS-17). Sending unsent answers shows it; without any, the instance is read again. */
  #recheckServer(): void {
    const isOpening = this.#state.state === 'not-on-device'
    if (!isOpening && this.answers.snapshot().unsent === 0) void this.#open()
  }

  #show(state: QuestionnaireState): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}

const openQuestionnaires = new Map<string, Questionnaire>()

/** The open questionnaire of this instance; opens it if needed. There is one per instance and page. */
export function questionnaireOf(key: InstanceKey, language: string): Questionnaire {
  const known = openQuestionnaires.get(textOfKey(key))
  if (known) return known
  const opened = new Questionnaire(key, language)
  openQuestionnaires.set(textOfKey(key), opened)
  return opened
}

/** Offline, an instance that was never opened on this device is 'not-on-device', not 'not-found'. */
function problemOf(error: unknown): 'not-found' | 'not-on-device' | 'failed' {
  if (!isApiError(error)) return 'failed'
  if (error.code === 'NOT_FOUND') return 'not-found'
  return error.kind === 'HTTP' ? 'failed' : 'not-on-device'
}
