import { expect, it } from 'vitest'
import { sendPastDisk } from '#app/device/sending/send-directly.ts'
import type { AnswerRow } from '#app/sync/sync.ts'
import type { SaveBody, SaveReply } from '#contract/instances.ts'
import { receiptOf } from '#contract/rules/receipt.ts'

/** Answers that the disk refused and that go straight to the server: what the reply says is what counts, not that one came. */

const rows: AnswerRow[] = ['q1', 'q2'].map((questionId) => ({
  questionId,
  sectionName: 'Section1',
  value: { [questionId]: '1' },
  edit: `edit-of-${questionId}`,
  base: 0,
}))

/** A server that holds these groups of what is sent to it, and has others from another device. */
const holding =
  (...held: string[]) =>
  async (body: string): Promise<SaveReply> => {
    const { responses } = JSON.parse(body) as SaveBody
    const groups = responses.filter(({ id }) => held.includes(id)).map(({ id, answer }) => [id, { [id]: answer }] as const)
    return {
      ...receiptOf(Object.fromEntries(groups)),
      groups: held.map((questionId) => ({ questionId, revision: 1 })),
      superseded: [],
      revision: 1,
      completionStatus: 'IN_PROGRESS',
    }
  }

const identity = () => ({ instanceId: crypto.randomUUID(), deviceId: 'd1', contentVersion: '1' })

it('all that the server holds has arrived', async () => {
  expect(await sendPastDisk(rows, identity(), holding('q1', 'q2'))).toEqual(['edit-of-q1', 'edit-of-q2'])
})

it('a reply whose receipt is of something else says of nothing that it arrived', async () => {
  expect(await sendPastDisk(rows, identity(), holding('q1'))).toEqual([])
})

it('what another device’s answer displaced has not arrived', async () => {
  const save = async (body: string): Promise<SaveReply> => {
    const reply = await holding('q1')(body)
    return { ...reply, superseded: [{ questionId: 'q2', revision: 2, value: { q2: '3' } }] }
  }
  expect(await sendPastDisk(rows, identity(), save)).toEqual(['edit-of-q1'])
})
