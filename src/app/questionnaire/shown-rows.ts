import { isFromAccount, type InstanceRows, type LateRow } from '#app/sync/rows.ts'
import { unsentOf, type AnswerRow, type ReceiptRow } from '#app/sync/sync.ts'

/** The rows of one instance as the screen shows them, and which edit of each the account has. Where else they are stored it does not know. */
export class ShownRows {
  #rows = new Map<string, AnswerRow>()
  #revisions = new Map<string, number>()
  #acknowledged = new Map<string, string | null>()
  #late: LateRow[] = []
  /** edits that the account took directly, until the disk has their receipts */
  readonly #sentDirectly = new Set<string>()

  get(questionId: string): AnswerRow | undefined {
    return this.#rows.get(questionId)
  }

  set(row: AnswerRow): void {
    this.#rows.set(row.questionId, row)
  }

  /** The account's last known revision of the question, 0 before the first. */
  revision(questionId: string): number {
    return this.#revisions.get(questionId) ?? 0
  }

  answers(): AnswerRow[] {
    return [...this.#rows.values()]
  }

  /** In the form in which they are stored. */
  all(): InstanceRows {
    return { answers: this.answers(), receipts: this.receipts(), late: this.#late }
  }

  late(): LateRow[] {
    return this.#late
  }

  receipts(): ReceiptRow[] {
    return [...this.#acknowledged].map(([questionId, edit]) => ({ questionId, edit, revision: this.revision(questionId) }))
  }

  /** What the account has not acknowledged. */
  unsent(): AnswerRow[] {
    return unsentOf({ answers: this.answers(), receipts: this.receipts() })
  }

  /**
   * Shows these rows instead.
   * @param unwritten newer rows, which no storage has
   * @returns the questions that have another answer now
   */
  replace(rows: InstanceRows, unwritten: readonly AnswerRow[]): string[] {
    const before = this.#rows
    this.#rows = new Map([...rows.answers, ...unwritten].map((row) => [row.questionId, row]))
    this.#revisions = new Map(rows.receipts.map((receipt) => [receipt.questionId, receipt.revision]))
    for (const { edit } of rows.receipts) this.#sentDirectly.delete(edit ?? '')
    const sentDirectly = rows.answers.filter(({ edit }) => this.#sentDirectly.has(edit))
    const unwrittenAndSent = unwritten.filter((row) => this.#acknowledged.get(row.questionId) === row.edit)
    this.#acknowledged = new Map([...rows.receipts, ...sentDirectly, ...unwrittenAndSent].map(({ questionId, edit }) => [questionId, edit]))
    this.#late = rows.late
    const ids = new Set([...before.keys(), ...this.#rows.keys()])
    return [...ids].filter((id) => before.get(id)?.edit !== this.#rows.get(id)?.edit)
  }

  /** The stored rows of an instance that is not completely stored, with what the storage lacks, or has an older copy of. */
  mergedWith(rows: InstanceRows): InstanceRows {
    const receipts = new Map(rows.receipts.map((receipt) => [receipt.questionId, receipt]))
    const unsent = new Set(unsentOf(rows))
    // on screen is the account's later answer, for which the disk had no room
    const isBehind = (row: AnswerRow) =>
      !unsent.has(row) && this.#rows.has(row.questionId) && (receipts.get(row.questionId)?.revision ?? 0) < this.revision(row.questionId)
    const taken = rows.answers.filter((row) => !isBehind(row))
    const stored = new Set(taken.map(({ questionId }) => questionId))
    const isOnScreenOnly = ({ questionId }: { questionId: string }) => !stored.has(questionId)
    return {
      answers: [...this.answers().filter(isOnScreenOnly), ...taken],
      // a receipt whose answer the disk lost says nothing of what is on screen
      receipts: [...this.receipts().filter(isOnScreenOnly), ...rows.receipts.filter(({ questionId }) => stored.has(questionId))],
      late: rows.late,
    }
  }

  /** Adds the account's rows of questions that have none. */
  addFromAccount(rows: readonly AnswerRow[]): void {
    for (const row of rows) {
      if (this.#rows.has(row.questionId)) continue
      this.#rows.set(row.questionId, row)
      this.#revisions.set(row.questionId, row.base)
      this.#acknowledged.set(row.questionId, row.edit)
    }
  }

  /** The account has taken this edit. */
  acknowledge({ questionId, edit }: AnswerRow): void {
    // discarded meanwhile: the account's value is shown
    if (isFromAccount(this.#rows.get(questionId), this.#acknowledged.get(questionId))) return
    this.#acknowledged.set(questionId, edit)
    this.#sentDirectly.add(edit)
  }

  /** @returns the questions whose row had one of these edits, and has none now */
  remove(edits: readonly string[]): string[] {
    const ids = this.answers().flatMap(({ questionId, edit }) => (edits.includes(edit) ? [questionId] : []))
    for (const id of ids) this.#rows.delete(id)
    return ids
  }
}
