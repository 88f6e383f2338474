import { emptyGroup, type Answers, type GroupValue, type Question } from '#contract/rules/questionnaire.ts'
import { afterPaint } from '#app/ui/after-paint.ts'
import { readRows, writeAnswer } from '#app/device/store/device-store.ts'
import type { InstanceRows, LateRow } from '#app/sync/rows.ts'
import { answersChannel, type InstanceKey } from '#app/device/store/stored.ts'
import { unsentOf, type AnswerRow, type ReceiptRow } from '#app/sync/sync.ts'
import { noteUnwritten, unwrittenRequested } from '#app/device/sending/unwritten.ts'

/**
 * The answers of one instance while they are on screen: a tap changes one group, tells that group's subscriber,
 * and is written to IndexedDB at once. Every group has its own subscription, so a tap paints one question.
 */

// a failed write is tried again this often; the answer is on screen and marked "not saved" meanwhile
const RETRY_MS = 2000
// a write that takes longer is counted as unwritten until it is done
const SLOW_MS = 300

export interface AnswersEvents {
  /** an answer is on the disk: send it soon */
  saved(): void
  /** an answer could not be written: it goes straight to the server if it can be reached; `isAsked`: the player wants it now */
  notSaved(rows: AnswerRow[], isAsked: boolean): Promise<string[]>
}

export class ScreenAnswers {
  readonly key: InstanceKey
  #rows = new Map<string, AnswerRow>()
  #revisions = new Map<string, number>()
  #acknowledged = new Map<string, string | null>()
  #late: LateRow[] = []
  /** on screen and not on the disk; the account may have them already */
  #failed = new Map<string, AnswerRow>()
  readonly #writing = new Set<AnswerRow>()
  /** the disk has what is on screen, and may be read for it again */
  #isStored = false
  #isSlow = false
  #slow: ReturnType<typeof setTimeout> | undefined
  #isStatusCurrent = true
  #isTelling = false
  #groupListeners = new Map<string, Set<() => void>>()
  #listeners = new Set<() => void>()
  #statusCurrentListeners = new Set<() => void>()
  #snapshot: AnswersSnapshot = { answers: {}, unsent: 0, notSaved: false, late: [] }
  #channel = new BroadcastChannel(answersChannel)
  #retry: ReturnType<typeof setTimeout> | undefined
  #events: AnswersEvents
  #stop: () => void

  constructor(key: InstanceKey, events: AnswersEvents) {
    this.key = key
    this.#events = events
    this.#stop = unwrittenRequested.subscribe(({ userId, isDiscarded }) => {
      if (userId !== key.userId || this.#failed.size === 0) return
      if (!isDiscarded) return void this.#rescue(true)
      this.#failed.clear()
      this.#tell()
    })
    this.#channel.onmessage = (message: MessageEvent<InstanceKey>) => {
      if (message.data.userId === key.userId && message.data.instanceId === key.instanceId) void this.reload()
    }
  }

  close(): void {
    clearTimeout(this.#retry)
    clearTimeout(this.#slow)
    this.#stop()
    this.#channel.close()
  }

  /** Reads the rows again: when something beside the screen changed them. */
  async reload(): Promise<void> {
    if (!this.#isStored) return
    const rows = await readRows(this.key).catch(() => undefined)
    if (rows && this.#isStored) this.take(rows)
  }

  /** What the device holds goes on screen. */
  take(rows: InstanceRows): void {
    // what is not on the disk yet is newer than what was read
    if (this.#writing.size > 0) return
    this.#isStored = true
    const before = this.#rows
    this.#rows = new Map(rows.answers.map((row) => [row.questionId, row]))
    for (const [questionId, row] of this.#failed) this.#rows.set(questionId, row)
    this.#revisions = new Map(rows.receipts.map((receipt) => [receipt.questionId, receipt.revision]))
    const sentPastDisk = [...this.#failed.values()].filter((row) => this.#acknowledged.get(row.questionId) === row.edit)
    this.#acknowledged = new Map([...rows.receipts, ...sentPastDisk].map(({ questionId, edit }) => [questionId, edit]))
    this.#late = rows.late
    const ids = new Set([...before.keys(), ...this.#rows.keys()])
    for (const id of ids) if (before.get(id)?.edit !== this.#rows.get(id)?.edit) this.#tellGroup(id)
    this.#tell()
  }

  /** Takes what the server has, until the database has it or where that cannot be written: only for the screen. */
  show(rows: readonly AnswerRow[]): void {
    for (const row of rows) {
      if (this.#rows.has(row.questionId)) continue
      this.#rows.set(row.questionId, row)
      this.#revisions.set(row.questionId, row.base)
      this.#acknowledged.set(row.questionId, row.edit)
    }
    this.#tell()
  }

  /** All that is on screen, as a device stores it. */
  rows(): InstanceRows {
    return { answers: [...this.#rows.values()], receipts: this.#receipts(), late: this.#late }
  }

  /** The disk has lost it: what the account has not got is nowhere but here, until it is written or sent. */
  noteLost(): void {
    this.#isStored = false
    for (const row of this.unsent()) this.#failed.set(row.questionId, row)
    this.#tell()
    if (this.#failed.size > 0) void this.#rescue()
  }

  /** What the disk refuses goes to the server now; says whether the account has every answer. */
  async sendPastDisk(): Promise<boolean> {
    if (this.#snapshot.unsent > 0) await this.#rescue(true)
    return this.#snapshot.unsent === 0
  }

  /** The account has them all, and takes no more: the disk need not. */
  noteCompleted(): void {
    clearTimeout(this.#retry)
    this.#failed.clear()
    this.#tell()
  }

  group(question: Question): GroupValue {
    return this.#rows.get(question.id)?.value ?? emptyOf(question)
  }

  /**
   * The one way an answer changes. Returns when it is on the disk (true) or known not to be (false).
   * @param isShown the browser has drawn the radio that was tapped: what it means for its neighbours can wait for the next frame
   */
  async answer(question: Question, sectionName: string, value: GroupValue, isShown = false): Promise<boolean> {
    const row: AnswerRow = {
      questionId: question.id,
      sectionName,
      value,
      edit: crypto.randomUUID(),
      base: this.#revisions.get(question.id) ?? 0,
    }
    this.#rows.set(question.id, row)
    this.#failed.delete(question.id)
    this.#writing.add(row)
    const written = writeAnswer(this.key, row)
    this.#setStatusCurrent(false)
    this.#slow ??= setTimeout(() => {
      this.#isSlow = true
      this.#noteUnwritten()
    }, SLOW_MS)
    if (isShown) afterPaint(() => this.#tellGroup(question.id))
    else this.#tellGroup(question.id)
    try {
      await written
      this.#channel.postMessage(this.key)
      this.#events.saved()
      return true
    } catch {
      if (this.#rows.get(question.id) === row) this.#failed.set(question.id, row)
      void this.#rescue()
      return false
    } finally {
      this.#writing.delete(row)
      if (this.#writing.size === 0) {
        clearTimeout(this.#slow)
        this.#slow = undefined
        this.#isSlow = false
      }
      this.#tellAfterPaint()
    }
  }

  /** Straight to the server, and to the disk again until it takes them: that it did not is said as long. */
  async #rescue(isAsked = false): Promise<void> {
    clearTimeout(this.#retry)
    // a full disk takes no save to be sent either, so Submit sends what it holds as well
    const unsent = isAsked ? this.unsent() : this.unsent([...this.#failed.values()].map(({ edit }) => edit))
    const sent = unsent.length === 0 ? [] : await this.#events.notSaved(unsent, isAsked).catch((): string[] => [])
    for (const row of unsent) if (sent.includes(row.edit)) this.#acknowledged.set(row.questionId, row.edit)
    this.#tell()
    for (const [questionId, row] of this.#failed) {
      try {
        await writeAnswer(this.key, row)
        if (this.#failed.get(questionId) === row) this.#failed.delete(questionId)
        this.#events.saved()
      } catch {
        break
      }
    }
    this.#tell()
    // another tap may have begun a round of its own
    clearTimeout(this.#retry)
    if (this.#failed.size > 0) this.#retry = setTimeout(() => void this.#rescue(), RETRY_MS)
  }

  subscribeGroup(questionId: string, listener: () => void): () => void {
    const listeners = this.#groupListeners.get(questionId) ?? new Set()
    this.#groupListeners.set(questionId, listeners)
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  snapshot = (): AnswersSnapshot => this.#snapshot

  /** What the server has not acknowledged; only these edits, if given. */
  unsent(edits?: readonly string[]): AnswerRow[] {
    const rows = unsentOf({ answers: [...this.#rows.values()], receipts: this.#receipts() })
    return edits ? rows.filter(({ edit }) => edits.includes(edit)) : rows
  }

  #receipts(): ReceiptRow[] {
    return [...this.#acknowledged].map(([questionId, edit]) => ({ questionId, edit, revision: this.#revisions.get(questionId) ?? 0 }))
  }

  subscribeStatusCurrent = (listener: () => void): (() => void) => {
    this.#statusCurrentListeners.add(listener)
    return () => this.#statusCurrentListeners.delete(listener)
  }

  /** False from a tap until the snapshot tells of it: nothing may say "saved" until then (ANSWERS-1). */
  isStatusCurrent = (): boolean => this.#isStatusCurrent

  #setStatusCurrent(isStatusCurrent: boolean): void {
    if (this.#isStatusCurrent === isStatusCurrent) return
    this.#isStatusCurrent = isStatusCurrent
    for (const listener of this.#statusCurrentListeners) listener()
  }

  #tellGroup(questionId: string): void {
    for (const listener of this.#groupListeners.get(questionId) ?? []) listener()
  }

  /** The question that was tapped paints first, and its row is on the disk; then follows what counts and says where answers are. */
  #tellAfterPaint(): void {
    if (this.#isTelling) return
    this.#isTelling = true
    afterPaint(() => {
      this.#isTelling = false
      this.#tell()
    })
  }

  #tell(): void {
    const answers: Answers = {}
    for (const [id, row] of this.#rows) answers[id] = row.value
    this.#snapshot = {
      answers,
      unsent: this.unsent().length,
      notSaved: this.#failed.size > 0,
      late: this.#late,
    }
    this.#noteUnwritten()
    for (const listener of this.#listeners) listener()
    this.#setStatusCurrent(this.#writing.size === 0)
  }

  #noteUnwritten(): void {
    const failed = unsentOf({ answers: [...this.#failed.values()], receipts: this.#receipts() })
    noteUnwritten(
      this.key,
      [...failed, ...(this.#isSlow ? this.#writing : [])].map(({ questionId }) => questionId),
    )
  }
}

export interface AnswersSnapshot {
  answers: Answers
  /** groups that the server has not acknowledged */
  unsent: number
  /** something on screen is not on the disk */
  notSaved: boolean
  late: LateRow[]
}

const empties = new WeakMap<Question, GroupValue>()
/** One object per question, so that an untouched group is the same value at every look. */
function emptyOf(question: Question): GroupValue {
  const known = empties.get(question)
  if (known) return known
  const value = emptyGroup(question)
  empties.set(question, value)
  return value
}
