import { describe, expect, it } from 'vitest'
import { acknowledgementChange, type InstanceRows } from '#app/sync/rows.ts'
import { unsentOf, type AnswerRow, type OperationRow } from '#app/sync/sync.ts'

const answer = { questionId: 'p1', sectionName: 'Section2', edit: 'sent', base: 4 }
const sent: AnswerRow = { ...answer, value: { p1: 'A' }, order: 9 }
const operation: OperationRow = { id: 'o', edits: { p1: 'sent' }, groups: { p1: { p1: 'A' } }, body: '' }

/** The rows once the save under way was acknowledged at revision 5. */
function acknowledged(rows: InstanceRows): InstanceRows {
  const acknowledgement = { operation, accepted: [{ questionId: 'p1', revision: 5 }], superseded: [], revision: 5, at: 7 }
  const { answers, receipts, late } = acknowledgementChange(rows, acknowledgement, () => 'new-edit')
  return {
    answers: answers.length > 0 ? answers : rows.answers,
    receipts: receipts.length > 0 ? receipts : rows.receipts,
    late,
  }
}

describe('an acknowledgement of an answer that the disk lost while it was sent', () => {
  const copy = (value: string | null, revision: number): InstanceRows => ({
    answers: [{ ...answer, value: { p1: value }, edit: 'copy', base: revision, isCopy: true }],
    receipts: [{ questionId: 'p1', edit: 'copy', revision }],
    late: [],
  })

  it('replaces the older value of the account that was read meanwhile, and never sends it', () => {
    const rows = acknowledged(copy(null, 4))
    expect(rows.answers).toMatchObject([{ value: { p1: 'A' }, base: 5 }])
    expect(unsentOf(rows)).toEqual([])
  })

  it('leaves a newer value of the account that was read meanwhile, and does not send it', () => {
    const rows = acknowledged(copy('B', 6))
    expect(rows.answers).toMatchObject([{ value: { p1: 'B' }, base: 6 }])
    expect(rows.receipts).toEqual([{ questionId: 'p1', edit: 'copy', revision: 6 }])
  })

  it('still sends a value that a restored server lost (ANSWERS-17)', () => {
    const { answers, late } = copy('B', 4)
    const rows = acknowledged({ answers, receipts: [{ questionId: 'p1', edit: null, revision: 4 }], late })
    expect(unsentOf(rows)).toMatchObject([{ value: { p1: 'B' } }])
  })
})

it('an acknowledgement leaves an answer that was changed since unsent', () => {
  const rows = acknowledged({ answers: [{ ...sent, value: { p1: 'B' }, edit: 'newer', order: 10 }], receipts: [], late: [] })
  expect(unsentOf(rows)).toMatchObject([{ edit: 'newer' }])
})
