import type { Instance } from '#contract/instances.ts'
import { sameValue } from '#contract/rules/merge.ts'
import type { Answers } from '#contract/rules/questionnaire.ts'
import { unsentOf, type Acknowledgement, type AnswerRow, type ReceiptRow } from './sync.ts'

/** What happens to the rows of one instance: pure, so that every device store does exactly this in one transaction. */

/** A value of this device that the server did not take, because another device had changed the group unseen. ANSWERS-11 */
export interface LateRow {
  questionId: string
  value: Answers[string]
}

export interface InstanceRows {
  answers: AnswerRow[]
  receipts: ReceiptRow[]
  late: LateRow[]
}

/** Rows to put; what is not named stays as it is. */
export interface RowChange {
  answers: AnswerRow[]
  receipts: ReceiptRow[]
  late: LateRow[]
}

/**
 * An operation was acknowledged. A row edited after its batch was cut stays unacknowledged: the receipt names the
 * edit that was sent, not the one that is there now.
 */
export function acknowledged(rows: InstanceRows, acknowledgement: Acknowledgement, newEdit: () => string): RowChange {
  const { operation, accepted, superseded } = acknowledgement
  const change: RowChange = { answers: [], receipts: [], late: [] }
  for (const { questionId, revision } of accepted) change.receipts.push({ questionId, edit: operation.edits[questionId] ?? null, revision })
  const answers = new Map(rows.answers.map((row) => [row.questionId, row]))
  for (const { questionId, revision, value } of superseded) {
    const row = answers.get(questionId)
    // edited again since: that edit is sent next and meets the same question
    if (!row || row.edit !== operation.edits[questionId]) continue
    if (!row.isCopy) change.late.push({ questionId, value: row.value })
    const edit = newEdit()
    change.answers.push({ ...row, value, edit, base: revision, isCopy: true })
    change.receipts.push({ questionId, edit, revision })
  }
  return change
}

export interface ServerGroup {
  questionId: string
  sectionName: string
  revision: number
  value: Answers[string]
}

/** A group the server has a revision for, with every item it holds; an item without a response is cleared. */
export function serverGroups({ sections, responses, groups }: Pick<Instance, 'sections' | 'responses' | 'groups'>): ServerGroup[] {
  const answers = new Map(responses.map((response) => [response.id, response.answer]))
  const revisions = new Map(groups.map((group) => [group.questionId, group.revision]))
  return sections.flatMap((section) =>
    section.questions.flatMap((question) => {
      const revision = revisions.get(question.id)
      if (revision === undefined) return []
      const ids = question.subQuestions.length > 0 ? question.subQuestions.map((sub) => sub.id) : [question.id]
      return [
        {
          questionId: question.id,
          sectionName: section.name,
          revision,
          value: Object.fromEntries(ids.map((id) => [id, answers.get(id) ?? null])),
        },
      ]
    }),
  )
}

/**
 * The server's groups, as they come with an instance: they replace what this device has sent, never what it has not. A
 * group whose revision is below its receipt's was restored from a backup (ANSWERS-17): the receipt is dropped, the row is unsent again.
 */
export function pulled(rows: InstanceRows, groups: readonly ServerGroup[], newEdit: () => string): RowChange {
  const unsent = new Set(unsentOf(rows).map((row) => row.questionId))
  const stored = new Map(groups.map((group) => [group.questionId, group]))
  const receipts = new Map(rows.receipts.map((receipt) => [receipt.questionId, receipt]))
  const change: RowChange = { answers: [], receipts: [], late: [] }
  const lost = new Set<string>()
  for (const row of rows.answers) {
    const { questionId } = row
    const acknowledged = receipts.get(questionId)?.revision ?? 0
    const group = stored.get(questionId)
    const revision = group?.revision ?? 0
    // the same number with another value than the one acknowledged: from another history
    const isOther = revision === acknowledged && !row.isCopy && !unsent.has(questionId) && !sameValue(row.value, group?.value ?? {})
    if (revision >= acknowledged && !isOther) continue
    lost.add(questionId)
    change.receipts.push({ questionId, edit: null, revision })
    // this device has not seen what reaches the server from now on, whatever it saw before the backup (ANSWERS-17)
    change.answers.push({ ...row, base: Math.min(row.base, revision) })
  }
  for (const { questionId, sectionName, revision, value } of groups) {
    if (unsent.has(questionId) || lost.has(questionId)) continue
    const row = rows.answers.find((one) => one.questionId === questionId)
    if (revision <= (receipts.get(questionId)?.revision ?? 0) && (!row || sameValue(row.value, value))) continue
    const edit = newEdit()
    change.answers.push({ questionId, sectionName, value, edit, base: revision, isCopy: true })
    change.receipts.push({ questionId, edit, revision })
  }
  return change
}
