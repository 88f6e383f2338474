import { Dexie, type Table } from 'dexie'
import { pullChange, type InstanceRows, type RowChange, type ServerGroup } from '#app/sync/rows.ts'
import { db } from './db.ts'
import type { InstanceKey, StateBeforeFetch, StoredInstance } from './stored.ts'

/** The rows of one instance's answers. All run in the caller's transaction. */

export const newEdit = () => crypto.randomUUID()

export function ofInstance({ userId, instanceId }: InstanceKey): [[string, string, unknown], [string, string, unknown]] {
  return [
    [userId, instanceId, Dexie.minKey],
    [userId, instanceId, Dexie.maxKey],
  ]
}

export const idOf = ({ userId, instanceId }: InstanceKey): [string, string] => [userId, instanceId]

type RowTable<Row> = Table<Row, [string, string, string]>

const rowsIn = <Row>(table: RowTable<Row>, key: InstanceKey) => table.where('[userId+instanceId+questionId]').between(...ofInstance(key))

export async function rowsOf(key: InstanceKey): Promise<InstanceRows> {
  const [answers, receipts, late] = await Promise.all([
    rowsIn(db.answers, key).toArray(),
    rowsIn(db.receipts, key).toArray(),
    rowsIn(db.late, key).toArray(),
  ])
  return { answers, receipts, late }
}

/** The rows of an instance without receipts whose answer the disk lost: with them the account's answer would count as stored here. */
export async function rowsWithAnswers(key: InstanceKey): Promise<InstanceRows> {
  const rows = await rowsOf(key)
  const answered = new Set(rows.answers.map(({ questionId }) => questionId))
  return { ...rows, receipts: rows.receipts.filter(({ questionId }) => answered.has(questionId)) }
}

export async function put(key: InstanceKey, change: RowChange): Promise<void> {
  await Promise.all([
    db.answers.bulkPut(change.answers.map((row) => ({ ...row, ...key }))),
    db.receipts.bulkPut(change.receipts.map((row) => ({ ...row, ...key }))),
    db.late.bulkPut(change.late.map((row) => ({ ...row, ...key }))),
  ])
}

/** Whether the reply lacks a save that was acknowledged after its request. Without such a save a lower revision means a restored server. */
export function isOlderReply(reply: number, before: StateBeforeFetch, { summary }: StoredInstance): boolean {
  return before.revision !== undefined && before.revision < summary.revision && reply < summary.revision
}

/** Stores the account's answers to questions of which the device has none, as after a sign-out that kept only unsent ones. */
export async function putMissing(key: InstanceKey, groups: readonly ServerGroup[]): Promise<void> {
  const here = new Set((await rowsOf(key)).answers.map(({ questionId }) => questionId))
  const missing = groups.filter(({ questionId }) => !here.has(questionId))
  await put(key, pullChange({ answers: [], receipts: [], late: [] }, missing, newEdit))
}

/** Removes the answers and the save under way; the instance itself stays. */
export async function removeAnswers(key: InstanceKey): Promise<void> {
  await Promise.all([
    rowsIn(db.answers, key).delete(),
    rowsIn(db.receipts, key).delete(),
    rowsIn(db.late, key).delete(),
    db.operations.delete(idOf(key)),
  ])
}
