import { expect, it } from 'vitest'
import { sendRowsToServer } from '#app/device/sending/send-rows-to-server.ts'
import type { AnswerRow } from '#app/sync/sync.ts'
import type { SaveBody, SaveReply } from '#contract/instances.ts'
import { receiptOf } from '#contract/rules/receipt.ts'

/** Answers that the disk refused are sent straight to the server. The receipt in the reply says which of them it has. */

const rows: AnswerRow[] = ['q1', 'q2'].map((questionId) => ({
  questionId,
  sectionName: 'Section1',
  value: { [questionId]: '1' },
  edit: `edit-of-${questionId}`,
  base: 0,
}))

/** A server that stores these groups of a save, and has other groups from another device. */
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

it('answers confirmed by the receipt count as sent', async () => {
  expect(await sendRowsToServer(rows, identity(), holding('q1', 'q2'))).toEqual(['edit-of-q1', 'edit-of-q2'])
})

it('with a receipt that does not match, no answer counts as sent', async () => {
  expect(await sendRowsToServer(rows, identity(), holding('q1'))).toEqual([])
})

it('an answer displaced by another device’s does not count as sent', async () => {
  const save = async (body: string): Promise<SaveReply> => {
    const reply = await holding('q1')(body)
    return { ...reply, superseded: [{ questionId: 'q2', revision: 2, value: { q2: '3' } }] }
  }
  expect(await sendRowsToServer(rows, identity(), save)).toEqual(['edit-of-q1'])
})

it('an answer displaced by another device’s is not sent again at the next retry of the disk', async () => {
  const who = identity()
  const displacing = async (body: string): Promise<SaveReply> => {
    const isBoth = (JSON.parse(body) as SaveBody).responses.length === 2
    const reply = isBoth ? await holding('q1')(body) : { ...(await holding()(body)) }
    return { ...reply, superseded: [{ questionId: 'q2', revision: 2, value: { q2: '3' } }] }
  }
  expect(await sendRowsToServer(rows, who, displacing)).toEqual(['edit-of-q1'])
  const calls: string[] = []
  const counted = (body: string) => (calls.push(body), displacing(body))
  for (let retry = 0; retry < 5; retry += 1) expect(await sendRowsToServer(rows.slice(1), who, counted)).toEqual([])
  expect(calls).toEqual([])
  // the player presses a button
  await sendRowsToServer(rows.slice(1), who, counted, true)
  expect(calls).toHaveLength(1)
})
