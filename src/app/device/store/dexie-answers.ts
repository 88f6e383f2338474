import { nextOrder } from '#app/device/edit-order.ts'
import { acknowledgementChange, pullChange, serverGroups, type LateRow } from '#app/sync/rows.ts'
import { unsentOf, type Acknowledgement, type DeviceState, type OperationRow, type Trouble } from '#app/sync/sync.ts'
import type { Instance, InstanceSummary } from '#contract/instances.ts'
import { sameValue } from '#contract/rules/merge.ts'
import type { InstanceStatus } from '#contract/rules/statuses.ts'
import { db, withDatabase } from './db.ts'
import { idOf, isOlderReply, newEdit, put, putMissing, removeAnswers, rowsOf } from './instance-rows.ts'
import type { InstanceKey, StateBeforeFetch } from './stored.ts'

/** Sending an instance's answers, and the player's decisions about them. Each function is one transaction, and rejects if the disk does not take it within 3 s. */

/** The state that the sync core starts from; undefined if the instance is not stored. */
export function readSyncState(key: InstanceKey): Promise<DeviceState | undefined> {
  const id = idOf(key)
  return withDatabase(() =>
    db.transaction('r', db.instances, db.answers, db.receipts, db.late, db.operations, async (): Promise<DeviceState | undefined> => {
      const [instance, operation, rows] = await Promise.all([db.instances.get(id), db.operations.get(id), rowsOf(key)])
      if (!instance) return undefined
      const { contentVersion, finish, trouble, summary } = instance
      return { ...rows, operation, contentVersion, revision: summary.revision, finish, trouble }
    }),
  )
}

/** Stores the save under way; there is one per instance. */
export async function storeOperation(key: InstanceKey, operation: OperationRow): Promise<void> {
  await withDatabase(() => db.operations.put({ ...operation, ...key }))
}

export function removeOperation(key: InstanceKey): Promise<void> {
  return withDatabase(() => db.operations.delete(idOf(key)))
}

/** Stores the server's reply to an operation: receipts, late values, and removes the operation. */
export function acknowledge(key: InstanceKey, acknowledgement: Acknowledgement): Promise<void> {
  const id = idOf(key)
  return withDatabase(() =>
    db.transaction('rw', db.instances, db.answers, db.receipts, db.late, db.operations, async () => {
      // the user signed out meanwhile and the rows were cleared
      if (!(await db.instances.get(id))) return
      await put(key, acknowledgementChange(await rowsOf(key), acknowledgement, newEdit))
      await db.operations.delete(id)
      await db.instances.update(id, { savedAt: acknowledgement.at, 'summary.revision': acknowledgement.revision })
    }),
  )
}

/** Refusals that mean the instance ended elsewhere, and its status then. ANSWERS-14, ASSIGN-21 */
const ENDINGS: Readonly<Record<string, InstanceStatus>> = { ALREADY_COMPLETED: 'COMPLETED', INSTANCE_RECLAIMED: 'RECLAIMED' }

/** Stores why the server refused answers, and the instance's status if it has ended; null clears the trouble. */
export async function setTrouble(key: InstanceKey, trouble: Trouble | null): Promise<void> {
  const ending = trouble && ENDINGS[trouble.code]
  await withDatabase(() => db.instances.update(idOf(key), { trouble, ...(ending ? { 'summary.status': ending } : {}) }))
}

/** Marks an instance completed and removes its answers; if some are unsent, all stay, with the reason (ANSWERS-20). */
export function complete(key: InstanceKey, summary: InstanceSummary): Promise<void> {
  return withDatabase(() =>
    db.transaction('rw', db.instances, db.answers, db.receipts, db.late, db.operations, async () => {
      const unsent = unsentOf(await rowsOf(key)).length > 0
      if (!unsent) await removeAnswers(key)
      const trouble = unsent ? { code: 'ALREADY_COMPLETED', at: Date.now() } : null
      await db.instances.update(idOf(key), { finish: null, trouble, summary })
    }),
  )
}

/** Removes a completed instance's answers if all stored edits are among these, which the account has. Works on a full disk too. ANSWERS-18 */
export function removeSent(key: InstanceKey, edits: ReadonlySet<string>): Promise<void> {
  return withDatabase(() =>
    db.transaction('rw', db.answers, db.receipts, db.late, db.operations, async () => {
      const { answers } = await rowsOf(key)
      if (answers.every(({ edit }) => edits.has(edit))) await removeAnswers(key)
    }),
  )
}

/** Makes a late value the present one again, as a new edit based on the server's revision, so that it is sent; nothing if another has replaced it since it was shown. ANSWERS-11 */
export function restoreLate(key: InstanceKey, { questionId, value }: LateRow): Promise<void> {
  return withDatabase(() =>
    db.transaction('rw', db.answers, db.receipts, db.late, async () => {
      const id: [string, string, string] = [key.userId, key.instanceId, questionId]
      const [late, row, receipt] = await Promise.all([db.late.get(id), db.answers.get(id), db.receipts.get(id)])
      if (!late || !sameValue(late.value, value)) return
      if (row)
        await db.answers.put({
          ...row,
          value,
          edit: newEdit(),
          order: nextOrder(),
          base: receipt?.revision ?? row.base,
          isCopy: false,
        })
      await db.late.delete(id)
    }),
  )
}

/** Removes a late value, unless another has replaced it since it was shown; the server's stays. ANSWERS-11 */
export function dismissLate(key: InstanceKey, { questionId, value }: LateRow): Promise<void> {
  return withDatabase(() =>
    db.transaction('rw', db.late, async () => {
      const id: [string, string, string] = [key.userId, key.instanceId, questionId]
      const stored = await db.late.get(id)
      if (stored && sameValue(stored.value, value)) await db.late.delete(id)
    }),
  )
}

/**
 * Discards unsent answers, as the player asked. ANSWERS-7
 * @param edits the edits that the player saw when asked; answers given since then stay
 * @param server the account's instance, whose answers replace the discarded ones in the same transaction; 'ended': all its answers are
 *   removed; 'missing': the account has nothing of it, so what was not named is unsent
 * @param before what the device had before the request: answers acknowledged since then stay acknowledged
 */
export function discardUnsent(
  key: InstanceKey,
  edits: ReadonlySet<string>,
  server: Instance | 'ended' | 'missing',
  before: StateBeforeFetch,
): Promise<void> {
  return withDatabase(() =>
    db.transaction('rw', db.instances, db.answers, db.receipts, db.late, db.operations, async () => {
      if (server === 'ended') await removeAnswers(key)
      else {
        const discarded = unsentOf(await rowsOf(key)).filter(({ edit }) => edits.has(edit))
        const ids = discarded.map(({ questionId }): [string, string, string] => [key.userId, key.instanceId, questionId])
        await Promise.all([db.answers, db.receipts, db.late].map((table) => table.bulkDelete(ids)))
        // the operation may contain discarded answers
        await db.operations.delete([key.userId, key.instanceId])
        const stored = await db.instances.get(idOf(key))
        const groups = server === 'missing' ? [] : serverGroups(server)
        if (stored && server !== 'missing' && isOlderReply(server.revision, before, stored)) await putMissing(key, groups)
        else await put(key, pullChange(await rowsOf(key), groups, newEdit))
      }
      await db.instances.update([key.userId, key.instanceId], { finish: null, trouble: null })
    }),
  )
}
