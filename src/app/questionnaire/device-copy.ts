import { retryDelay } from '#app/api/backoff.ts'
import { FAILED_READ_WAITS } from '#app/constants.ts'
import { sendSoon } from '#app/device/lazy.ts'
import { mayStore } from '#app/device/owner.ts'
import { instancesOf, readQuestionnaire, readRows, readSyncState, restoreInstance } from '#app/device/store/device-store.ts'
import { databaseLost, readFailed } from '#app/device/store/store-events.ts'
import { isSameInstance, type InstanceKey, type ReadyInstance } from '#app/device/store/stored.ts'
import { PartNotFetched } from '#app/lost-part.ts'
import { answersDeviceId } from '#app/session/known-devices.ts'
import { isOlder } from '#app/sync/rows.ts'
import { isParkedWhole, type AnswerRow } from '#app/sync/sync.ts'
import type { ScreenAnswers } from './answers.ts'

// how often storing the questionnaire on the device is retried; while the part of the app that stores is missing, as seldom as a failed read
const STORE_RETRY_MS = 2000
// so much later than the tokens the database may go where all of the site's data are deleted
const DELETION_TAKES_MS = 2000

/** What the copy needs of its questionnaire. */
interface Screen {
  shown: () => ReadyInstance | undefined
  isOpen: () => boolean
  /** reads the device and shows what is stored there; resolves to false if the questionnaire is not */
  load: () => Promise<boolean>
  /** settles when the device was read for the first time */
  firstLoaded: () => Promise<unknown>
}

/**
 * The copy of an open questionnaire on the device. It is stored again whenever the disk has lost it or did not take it: a full disk, a browser
 * short of space, site data that somebody cleared, a sign-out. Until then the answers are in this page alone, and say so.
 */
export class DeviceCopy {
  readonly #key: InstanceKey
  readonly #answers: ScreenAnswers
  readonly #screen: Screen
  readonly #hadDeviceId = answersDeviceId() !== undefined
  /** it is not known yet whether the answers went with the tokens of their owner */
  #mayBeDeleted = false
  /** the instance and its questions are being written to the device */
  #isStoring = false
  #isStored = false
  #storeTimer: ReturnType<typeof setTimeout> | undefined
  /** how often in a row the part of the app that stores could not be fetched */
  #lostStores = 0
  #isChecking = false
  #isCheckDue = false
  readonly close: () => void

  constructor(key: InstanceKey, answers: ScreenAnswers, screen: Screen) {
    this.#key = key
    this.#answers = answers
    this.#screen = screen
    const unsubscribes = [
      databaseLost.subscribe(() => {
        answers.noteDeletion()
        void this.check()
      }),
      readFailed.subscribe((failed) => {
        if (!failed || isSameInstance(failed, key)) void this.#checkReading()
      }),
    ]
    this.close = () => {
      for (const stop of unsubscribes) stop()
    }
  }

  /** Whether it is not known yet what happened to the answers. */
  get mayBeDeleted(): boolean {
    return this.#mayBeDeleted
  }

  /** It was read there. */
  noteStored(): void {
    this.#isStored = true
  }

  /** It is being stored with the server's reply; settles as that does. */
  async noteStoring(stored: Promise<unknown>): Promise<void> {
    this.#isStoring = true
    try {
      await stored
    } finally {
      this.#isStoring = false
    }
  }

  /** An answer was written. */
  noteSaved(): void {
    if (this.#isStored) void sendSoon()
    else if (!this.#isStoring) void this.store()
  }

  /** Stores the instance again once the disk takes answers again. */
  async store(isRetry = false): Promise<void> {
    const shown = this.#screen.shown()
    if (!shown || this.#isStoring || !mayStore(this.#key.userId)) return
    this.#isStoring = true
    try {
      await restoreInstance(shown, this.#answers.rows(), () => mayStore(this.#key.userId))
      this.#lostStores = 0
    } catch (error) {
      this.#lostStores = error instanceof PartNotFetched ? this.#lostStores + 1 : 0
      console.warn('The questionnaire is not stored on this device', error)
    } finally {
      this.#isStoring = false
    }
    const isStored = await this.#screen.load()
    clearTimeout(this.#storeTimer)
    const wait = this.#lostStores > 0 ? retryDelay(this.#lostStores, undefined, FAILED_READ_WAITS) : STORE_RETRY_MS
    if (!isStored && this.#screen.isOpen()) this.#storeTimer = setTimeout(() => void this.#retry(), wait)
    // where there is no room for the questions the outbox stores it without them; a retry must not make it send more calls
    if (isStored || !isRetry) await sendSoon()
  }

  async #retry(): Promise<void> {
    if (this.#screen.isOpen() && !this.#isStored) await this.store(true)
  }

  /** The owner is back: stores what is on screen. */
  async storeForOwner(): Promise<void> {
    if (!this.#isStored) await this.store()
    // also if it was read here while they were away: the disk may have lost it since
    await this.check()
  }

  /** A sign-out removes the instance from the disk while answers that the disk refused are still in this page: they are stored again when the owner returns. */
  noteSignedOut(): void {
    this.#isStored = false
    this.#answers.noteSignedOut()
    if (this.#isEverythingDeleted() && this.#answers.unsent().length > 0) this.#awaitDeletion()
  }

  /** By hand or by the browser: a sign-out leaves the device's id. Where there was none, it cannot be told from one. */
  #isEverythingDeleted(): boolean {
    return this.#hadDeviceId && answersDeviceId() === undefined
  }

  /** Whoever deletes the site's data deletes tokens and answers: this page keeps what is unsent until it is stored again. */
  #awaitDeletion(): void {
    this.#mayBeDeleted = true
    const stop = databaseLost.subscribe(() => {
      if (this.#isEverythingDeleted()) this.#answers.treatAllAsUnwritten()
    })
    setTimeout(() => {
      stop()
      this.#mayBeDeleted = false
      // the questionnaire waits for this event to close
      this.#answers.listeners.emit()
    }, DELETION_TAKES_MS)
    // not every browser reports that it deleted a database: opening it again does
    void readRows(this.#key).catch(() => undefined)
  }

  /** Checks whether the disk lost the instance (site data cleared, a browser short of space), and stores it again. */
  async check(isRepeated = false): Promise<void> {
    // otherwise rows that are being read now would count as stored after the disk lost them
    await this.#screen.firstLoaded()
    // also for an assessment that is not on the device: another tab may have announced answers to this one
    if (!this.#screen.isOpen()) return
    if (this.#isChecking) {
      this.#isCheckDue = true
      return
    }
    this.#isChecking = true
    const isStillStored = await this.#isStillStored().catch(() => undefined)
    this.#isChecking = false
    // a first check may still read the deleted database, through a connection that is not closed yet: another one is due then
    if (isStillStored && !this.#isCheckDue) this.#answers.noteStored()
    // deferred, as reading may reopen the database, which reports a loss each time; but at once if the first check found everything
    if (this.#isCheckDue) setTimeout(() => void this.check(true), isStillStored && !isRepeated ? 0 : STORE_RETRY_MS)
    this.#isCheckDue = false
    if (isStillStored !== false || !this.#screen.isOpen()) return
    this.#isStored = false
    // while the owner is away it is not stored: once they return (storeForOwner)
    if (!mayStore(this.#key.userId)) return
    this.#answers.treatAllAsUnwritten()
    await this.store()
  }

  /** Makes the page send what the disk has and cannot be read from it, except what the server refused. */
  async #checkReading(): Promise<void> {
    // all that sending reads, once more: a device that is only slow must not be called unreadable
    const isReadable = await Promise.all([instancesOf(this.#key.userId), readSyncState(this.#key)]).then(
      () => true,
      () => false,
    )
    const trouble = this.#screen.shown()?.instance.trouble ?? null
    if (!isReadable && this.#screen.isOpen() && !isParkedWhole(trouble)) this.#answers.treatAsUnwritten(trouble?.edits)
  }

  /** Whether the disk still has the instance, unless it never took it, and every written answer: another tab may have stored the instance anew. */
  async #isStillStored(): Promise<boolean> {
    const language = this.#screen.shown()?.language
    const stored =
      this.#isStored && language !== undefined ? await readQuestionnaire(this.#key, language) : { rows: await readRows(this.#key) }
    if (!stored) return false
    const onDisk = new Map(stored.rows.answers.map((row) => [row.questionId, row]))
    const unwritten = this.#answers.unwritten()
    const isOnDisk = (row: AnswerRow) => onDisk.get(row.questionId)?.edit === row.edit || isOlder(row, onDisk.get(row.questionId))
    return this.#answers.unsent().every((row) => unwritten.has(row.questionId) || isOnDisk(row))
  }
}
