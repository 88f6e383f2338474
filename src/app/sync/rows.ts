import type { Instance } from '#contract/instances.ts'
import { sameValue } from '#contract/rules/merge.ts'
import { itemIdsOf, type Answers } from '#contract/rules/questionnaire.ts'
import { unsentOf, type Acknowledgement, type AnswerRow, type ReceiptRow } from './sync.ts'

/** A value of this device that the server did not take, because another device had changed the group before. ANSWERS-11 */
export interface LateRow {
  questionId: string
  value: Answers[string]
}

/** All rows of one instance. The functions below are pure: a device store applies their result in one transaction. */
export interface InstanceRows {
  answers: AnswerRow[]
  receipts: ReceiptRow[]
  late: LateRow[]
}

/** Rows to write; all others stay as they are. */
export type RowChange = InstanceRows

/**
 * The changes after an operation was acknowledged. A row that was edited after the operation was made stays unsent, as the
 * receipt names the edit that was sent. The account's own value, read after the disk lost that edit, never becomes unsent by it.
 * @param newEdit makes a random edit name
 */
export function acknowledgementChange(rows: InstanceRows, acknowledgement: Acknowledgement, newEdit: () => string): RowChange {
  const { operation, accepted, superseded } = acknowledgement
  const change: RowChange = { answers: [], receipts: [], late: [] }
  const answers = new Map(rows.answers.map((row) => [row.questionId, row]))
  const receipts = new Map(rows.receipts.map((receipt) => [receipt.questionId, receipt]))
  for (const { questionId, revision } of accepted) {
    const row = answers.get(questionId)
    const edit = operation.edits[questionId] ?? null
    if (row?.edit !== edit && isFromAccount(row, receipts.get(questionId)?.edit)) {
      if (row.base >= revision) continue
      change.answers.push({ ...row, value: operation.groups[questionId] ?? row.value, edit: edit ?? row.edit, base: revision })
    }
    change.receipts.push({ questionId, edit, revision })
  }
  for (const { questionId, revision, value, isOwn } of superseded) {
    const row = answers.get(questionId)
    // edited again since: that edit is sent next and gets its own reply
    if (!row || row.edit !== operation.edits[questionId]) continue
    if (!row.isCopy && !isOwn) change.late.push({ questionId, value: row.value })
    const edit = newEdit()
    change.answers.push({ ...row, value, edit, base: revision, isCopy: true })
    change.receipts.push({ questionId, edit, revision })
  }
  return change
}

/** Whether the row is the account's value, and not one that a restored server lost and needs again (ANSWERS-17). `acknowledged`: its receipt's edit. */
export function isFromAccount(row: AnswerRow | undefined, acknowledged: string | null | undefined): row is AnswerRow {
  return row?.isCopy === true && acknowledged === row.edit
}

/** Whether this row must not replace the stored one: that is a newer edit of this device, or the server's value that replaced this edit. */
export function isOlder(row: AnswerRow, stored: AnswerRow | undefined): boolean {
  if (stored?.order === undefined || stored.edit === row.edit) return false
  return (row.order ?? 0) <= stored.order
}

/** One group as the server has it. */
export interface ServerGroup {
  questionId: string
  sectionName: string
  revision: number
  value: Answers[string]
}

/** The groups of a reply for which the server has a revision, with a value for every item: null where there is no response. */
export function serverGroups({ sections, responses, groups }: Pick<Instance, 'sections' | 'responses' | 'groups'>): ServerGroup[] {
  const answers = new Map(responses.map((response) => [response.id, response.answer]))
  const revisions = new Map(groups.map((group) => [group.questionId, group.revision]))
  return sections.flatMap((section) =>
    section.questions.flatMap((question) => {
      const revision = revisions.get(question.id)
      if (revision === undefined) return []
      return [
        {
          questionId: question.id,
          sectionName: section.name,
          revision,
          value: Object.fromEntries(itemIdsOf(question).map((id) => [id, answers.get(id) ?? null])),
        },
      ]
    }),
  )
}

/**
 * The changes after an instance was read from the server: its groups replace rows that were sent, never unsent ones. A group
 * whose revision is below its receipt's was restored from a backup (ANSWERS-17): its row becomes unsent again.
 * @param newEdit makes a random edit name
 */
export function pullChange(rows: InstanceRows, groups: readonly ServerGroup[], newEdit: () => string): RowChange {
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
    // the same revision with another value: the server was restored, and reached this revision again
    const hasOtherValue = revision === acknowledged && !row.isCopy && !unsent.has(questionId) && !sameValue(row.value, group?.value ?? {})
    if (revision >= acknowledged && !hasOtherValue) continue
    lost.add(questionId)
    change.receipts.push({ questionId, edit: null, revision })
    // revisions above the restored one will be new to this device, whatever it saw before (ANSWERS-17)
    change.answers.push({ ...row, base: Math.min(row.base, revision) })
  }
  for (const { questionId, sectionName, revision, value } of groups) {
    if (unsent.has(questionId) || lost.has(questionId)) continue
    const row = rows.answers.find((one) => one.questionId === questionId)
    if (revision <= (receipts.get(questionId)?.revision ?? 0) && (!row || sameValue(row.value, value))) continue
    const edit = newEdit()
    const order = row?.order === undefined ? {} : { order: row.order }
    change.answers.push({ questionId, sectionName, value, edit, base: revision, isCopy: true, ...order })
    change.receipts.push({ questionId, edit, revision })
  }
  return change
}

/** Receipts for unsent rows of a completed instance whose value the account has, as after a restore of an older and then of a newer backup (ANSWERS-17). */
export function alreadyStoredChange(rows: InstanceRows, groups: readonly ServerGroup[]): RowChange {
  const stored = new Map(groups.map((group) => [group.questionId, group]))
  const receipts = unsentOf(rows).flatMap(({ questionId, edit, value }) => {
    const group = stored.get(questionId)
    return group && sameValue(value, group.value) ? [{ questionId, edit, revision: group.revision }] : []
  })
  return { answers: [], receipts, late: [] }
}
