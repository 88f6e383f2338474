import { emptyGroup, type Answers, type GroupValue, type Question } from '#contract/rules/questionnaire.ts'
import { afterPaint } from '#app/ui/browser/after-paint.ts'
import { readRows, readRowsIfStored, writeAnswer } from '#app/device/store/device-store.ts'
import { isOlder, type InstanceRows, type LateRow } from '#app/sync/rows.ts'
import { nextOrder, raiseOrder } from '#app/device/edit-order.ts'
import { mayStore } from '#app/device/owner.ts'
import { answersChannel, isSameInstance, type AnswersMessage, type InstanceKey } from '#app/device/store/stored.ts'
import { unsentOf, type AnswerRow, type ReceiptRow } from '#app/sync/sync.ts'
import { AnswerListeners } from './answer-listeners.ts'
import { AnswerTimes } from './answer-times.ts'
import { ShownRows } from './shown-rows.ts'
import { broadcast } from '#app/device/sending/broadcast.ts'
import { unwrittenRequested } from '#app/device/sending/unwritten-requests.ts'
import { setUnwritten } from '#app/device/sending/unwritten.ts'

// a failed write is tried again this often; the answer is on screen and marked "not saved" meanwhile
const RETRY_MS = 2000
// a write that takes longer is counted as unwritten until it is done
const SLOW_MS = 300

interface AnswersEvents {
  /** an answer is on the disk and can be sent */
  onSaved(): void
  /**
   * Answers that could not be written go straight to the server, if it can be reached.
   * @param isManual the player pressed a button
   * @returns the edits that the server took
   */
  sendDirectly(rows: AnswerRow[], isManual: boolean): Promise<string[]>
}

/** How an answer was given. */
interface AnswerOptions {
  /** the browser has drawn the tapped radio itself, so the question may render after the next frame */
  isShown?: boolean
  /** the statements of a ranking whose number was given without a tap on it */
  filled?: readonly string[]
}

/**
 * The answers of one instance while they are on screen: which they are, and whether the disk and the account have them. A tap changes one
 * group, and is written to IndexedDB at once.
 */
export class ScreenAnswers {
  readonly key: InstanceKey
  readonly listeners = new AnswerListeners()
  readonly #shown = new ShownRows()
  readonly #times = new AnswerTimes()
  /** on screen and not on the disk; the account may have them already */
  #failed = new Map<string, AnswerRow>()
  /** unsent when the database was deleted: nothing older replaces them until it is known what the new one has */
  readonly #atRisk = new Map<string, AnswerRow>()
  /** edits that a sign-out discards, until it ends: they may still be read from the disk, and are not stored again if that is deleted meanwhile */
  readonly #discarded = new Set<string>()
  readonly #writing = new Set<AnswerRow>()
  /** rows were read while a tap was being written, so they must be read again */
  #isReloadDue = false
  /** the instance is on the disk, so its rows may be read from there again */
  #isStored = false
  #isSlow = false
  #slowTimer: ReturnType<typeof setTimeout> | undefined
  #snapshot: ShownAnswers = { answers: {}, unsent: 0, hasFailedWrites: false, late: [] }
  #channel = new BroadcastChannel(answersChannel)
  #retryTimer: ReturnType<typeof setTimeout> | undefined
  #events: AnswersEvents
  #unsubscribe: () => void

  constructor(key: InstanceKey, events: AnswersEvents) {
    this.key = key
    this.#events = events
    this.#unsubscribe = unwrittenRequested.subscribe(({ userId, isDiscarded, until }) => {
      if (userId !== key.userId) return
      if (isDiscarded) this.#discardUnsent(until)
      else if (this.#failed.size > 0) void this.#retryFailed(true)
    })
    this.#channel.onmessage = ({ data }: MessageEvent<AnswersMessage>) => {
      if (isSameInstance(data, key)) this.#receive(data)
    }
  }

  close(): void {
    clearTimeout(this.#retryTimer)
    clearTimeout(this.#slowTimer)
    this.#unsubscribe()
    this.#channel.close()
  }

  /** Another tab changed rows, or could not write them: this one keeps those too, as that tab may be closed first. */
  #receive({ unwritten = [], discarded = [], isCompleted = false }: AnswersMessage): void {
    if (isCompleted) return this.#clearFailed()
    if (discarded.length > 0) return void this.#removeDiscarded(discarded)
    raiseOrder(unwritten)
    const newer = unwritten.filter((row) => !isOlder(row, this.#shown.get(row.questionId)))
    for (const row of newer) {
      this.#shown.set(row)
      this.#failed.set(row.questionId, row)
      this.listeners.emitGroup(row.questionId)
    }
    if (newer.length > 0) void this.#retryFailed()
    else void this.reload()
  }

  /** Reads the rows again, after a sync or another tab changed them. */
  async reload(): Promise<void> {
    const wasStored = this.#isStored
    const rows = await (wasStored ? readRowsIfStored : readRows)(this.key).catch(() => undefined)
    if (!rows || wasStored !== this.#isStored) return
    // while the owner signs out, the disk loses what the account has
    if (wasStored && mayStore(this.key.userId)) this.applyRows(rows)
    else this.mergeRows(rows)
  }

  /**
   * Shows the rows that the device has stored.
   * @param onDisk those of `rows` that were read from there
   */
  applyRows(rows: InstanceRows, onDisk: readonly AnswerRow[] = rows.answers): void {
    // a tap that is still being written is newer than the rows that were read
    this.#isReloadDue = this.#writing.size > 0
    if (this.#isReloadDue) return
    this.#isStored = true
    raiseOrder(rows.answers)
    const lost = this.#lostRows(rows.receipts, onDisk)
    for (const row of lost) this.#failed.set(row.questionId, row)
    const answers = rows.answers.filter(({ edit }) => !this.#discarded.has(edit))
    const stored = new Map(answers.map((row) => [row.questionId, row]))
    for (const [questionId, row] of this.#failed) if (isOlder(row, stored.get(questionId))) this.#failed.delete(questionId)
    const changed = this.#shown.replace({ ...rows, answers }, [...this.#failed.values()])
    for (const questionId of changed) this.listeners.emitGroup(questionId)
    this.#publish()
    if (lost.length > 0) void this.#retryFailed()
  }

  /** The rows at risk that the disk lacks, or has an older edit of. */
  #lostRows(receipts: readonly ReceiptRow[], onDisk: readonly AnswerRow[]): AnswerRow[] {
    const stored = new Map(onDisk.map((row) => [row.questionId, row]))
    const sent = new Set(receipts.map(({ edit }) => edit))
    return [...this.#atRisk.values()].filter((row) => {
      const now = stored.get(row.questionId)
      return now?.edit !== row.edit && !isOlder(row, now) && !sent.has(row.edit)
    })
  }

  /** Shows the stored rows of an instance that is not completely stored: an answer that the disk lacks, or has an older copy of, stays on screen. */
  mergeRows(rows: InstanceRows): void {
    this.applyRows(this.#shown.mergedWith(rows), rows.answers)
    this.#isStored = false
  }

  /** Shows the server's answers, without storing them: until the database has them, or where it cannot be written. */
  showServerRows(rows: readonly AnswerRow[]): void {
    this.#shown.addFromAccount(rows)
    this.#publish()
  }

  /** All answers on screen, in the form in which they are stored. */
  rows(): InstanceRows {
    return this.#shown.all()
  }

  /** The questions whose row on screen is newer than the disk's. */
  unwritten(): Set<string> {
    return new Set([...this.#failed.keys(), ...[...this.#writing].map(({ questionId }) => questionId)])
  }

  /** The database was deleted, though its rows may still be read for a moment. */
  noteDeletion(): void {
    for (const row of this.unsent()) this.#atRisk.set(row.questionId, row)
  }

  /** The disk has everything that was at risk. */
  noteStored(): void {
    this.#atRisk.clear()
  }

  /** A sign-out took the account's answers from the disk: rows that are read there are not the whole instance. */
  noteSignedOut(): void {
    this.#isStored = false
    this.#discarded.clear()
  }

  /** The disk lost the instance: unsent answers exist only here until they are written or sent. */
  treatAllAsUnwritten(): void {
    this.#isStored = false
    this.#atRisk.clear()
    this.#sendFromPage(this.unsent())
  }

  /** The account has these edits, whether or not the disk says so. */
  noteSent(edits: readonly string[]): void {
    for (const row of this.unsent(edits)) this.#shown.acknowledge(row)
    this.#publish()
  }

  /** The disk cannot be read: what it took, but for these edits, is sent from here, and counts as unwritten until it can be. */
  treatAsUnwritten(refused: readonly string[] = []): void {
    this.#sendFromPage(this.unsent().filter(({ edit }) => !refused.includes(edit)))
  }

  #sendFromPage(rows: readonly AnswerRow[]): void {
    for (const row of rows) this.#failed.set(row.questionId, row)
    this.#publish()
    if (this.#failed.size > 0) void this.#retryFailed()
  }

  /** The player discarded these edits, here or in another tab. */
  async #removeDiscarded(edits: readonly string[]): Promise<void> {
    this.#remove(edits)
    await this.reload()
    this.#publish()
  }

  /** The owner signs out, here or in another tab, without what is unsent; `until`: they may have signed in again and answered since. */
  #discardUnsent(until = Number.POSITIVE_INFINITY): void {
    const edits = this.unsent()
      .filter(({ order = 0 }) => order <= until)
      .map(({ edit }) => edit)
    for (const edit of edits) this.#discarded.add(edit)
    this.#remove(edits)
    for (const [questionId, { order = 0 }] of this.#failed) if (order <= until) this.#failed.delete(questionId)
    this.#publish()
  }

  #remove(edits: readonly string[]): void {
    for (const questionId of this.#shown.remove(edits)) {
      this.#failed.delete(questionId)
      this.#atRisk.delete(questionId)
      this.listeners.emitGroup(questionId)
    }
  }

  /** Sends what the disk refused straight to the server. Resolves to whether the account has every answer. */
  async sendAll(): Promise<boolean> {
    if (this.#snapshot.unsent > 0) await this.#retryFailed(true)
    return this.#snapshot.unsent === 0
  }

  /** The assessment is completed: the account has every answer, so nothing needs to be written any more. */
  complete(): void {
    this.#clearFailed()
    broadcast(answersChannel, { ...this.key, isCompleted: true })
  }

  #clearFailed(): void {
    clearTimeout(this.#retryTimer)
    this.#failed.clear()
    this.#atRisk.clear()
    this.#publish()
  }

  /** A question's row if it was answered on this device; undefined if it was not, or if its value is the account's. */
  ownRow(question: Question): AnswerRow | undefined {
    const row = this.#shown.get(question.id)
    return row?.isCopy ? undefined : row
  }

  /** The present value of a question's group; empty if it was not answered. */
  group(question: Question): GroupValue {
    return this.#shown.get(question.id)?.value ?? emptyOf(question)
  }

  /** The only function that changes an answer. Resolves to true once it is on the disk, to false if it could not be written. Never rejects. */
  async answer(
    question: Question,
    sectionName: string,
    value: GroupValue,
    { isShown = false, filled = [] }: AnswerOptions = {},
  ): Promise<boolean> {
    const tookMs = this.#times.next(this.#shown.get(question.id))
    const row: AnswerRow = {
      questionId: question.id,
      sectionName,
      value,
      edit: crypto.randomUUID(),
      base: this.#shown.revision(question.id),
      order: nextOrder(),
      ...(tookMs !== undefined && { tookMs }),
      ...(filled.length > 0 && { filled }),
    }
    this.#shown.set(row)
    this.#failed.delete(question.id)
    this.#atRisk.delete(question.id)
    this.#writing.add(row)
    const written = writeAnswer(this.key, row)
    this.listeners.setStatusCurrent(false)
    this.#slowTimer ??= setTimeout(() => {
      this.#isSlow = true
      this.#noteUnwritten()
    }, SLOW_MS)
    if (isShown) afterPaint(() => this.listeners.emitGroup(question.id))
    else this.listeners.emitGroup(question.id)
    try {
      await written
      this.#channel.postMessage(this.key)
      this.#events.onSaved()
      return true
    } catch {
      if (this.#shown.get(question.id) === row) {
        this.#failed.set(question.id, row)
        this.#channel.postMessage({ ...this.key, unwritten: [row] } satisfies AnswersMessage)
      }
      void this.#retryFailed()
      return false
    } finally {
      this.#writing.delete(row)
      if (this.#writing.size === 0) {
        clearTimeout(this.#slowTimer)
        this.#slowTimer = undefined
        this.#isSlow = false
        if (this.#isReloadDue) void this.reload()
      }
      this.listeners.afterPaint(() => this.#publish())
    }
  }

  /** How long each answer took that was given on this device. */
  tookMs(): Map<string, number> {
    return new Map(this.#shown.answers().flatMap(({ questionId, tookMs }) => (tookMs === undefined ? [] : [[questionId, tookMs]])))
  }

  /** Sends failed rows straight to the server and tries the disk again every RETRY_MS; the screen says "not saved" until the disk takes them. */
  async #retryFailed(isManual = false): Promise<void> {
    clearTimeout(this.#retryTimer)
    // a full disk cannot store an operation either, so Submit also sends the rows that are on the disk directly
    const unsent = isManual ? this.unsent() : this.unsent([...this.#failed.values()].map(({ edit }) => edit))
    const sent = unsent.length === 0 ? [] : await this.#events.sendDirectly(unsent, isManual).catch((): string[] => [])
    this.noteSent(sent)
    let hasWritten = false
    for (const [questionId, row] of this.#failed) {
      try {
        await writeAnswer(this.key, row, false)
        if (this.#failed.get(questionId) === row) this.#failed.delete(questionId)
        hasWritten = true
        this.#events.onSaved()
      } catch {
        break
      }
    }
    if (hasWritten) {
      // a tab that was opened meanwhile shows older rows
      broadcast(answersChannel, this.key)
      // the disk may have a newer edit of another tab
      await this.reload()
    }
    this.#publish()
    // another tap may have started its own retry timer meanwhile
    clearTimeout(this.#retryTimer)
    if (this.#failed.size > 0) this.#retryTimer = setTimeout(() => void this.#retryFailed(), RETRY_MS)
  }

  snapshot = (): ShownAnswers => this.#snapshot

  /** What the server has not acknowledged; only these edits, if given. */
  unsent(edits?: readonly string[]): AnswerRow[] {
    const rows = this.#shown.unsent()
    return edits ? rows.filter(({ edit }) => edits.includes(edit)) : rows
  }

  #publish(): void {
    const answers: Answers = {}
    for (const { questionId, value } of this.#shown.answers()) answers[questionId] = value
    this.#snapshot = {
      answers,
      unsent: this.unsent().length,
      hasFailedWrites: this.#failed.size > 0,
      late: this.#shown.late(),
    }
    this.#noteUnwritten()
    this.listeners.emit()
    this.listeners.setStatusCurrent(this.#writing.size === 0)
  }

  #noteUnwritten(): void {
    const failed = unsentOf({ answers: [...this.#failed.values()], receipts: this.#shown.receipts() })
    setUnwritten(
      this.key,
      [...failed, ...(this.#isSlow ? this.#writing : [])].map(({ questionId }) => questionId),
    )
  }
}

/** All answers of the instance, and where they are. */
export interface ShownAnswers {
  answers: Answers
  /** groups that the server has not acknowledged */
  unsent: number
  /** something on screen is not on the disk */
  hasFailedWrites: boolean
  late: LateRow[]
}

const empties = new WeakMap<Question, GroupValue>()
/** One object per question: React compares by identity, so an empty group must be the same object each time. */
function emptyOf(question: Question): GroupValue {
  const known = empties.get(question)
  if (known) return known
  const value = emptyGroup(question)
  empties.set(question, value)
  return value
}
