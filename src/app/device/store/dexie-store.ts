import { Dexie, liveQuery } from 'dexie'
import type { Instance, InstanceSummary } from '#contract/instances.ts'
import { sameValue } from '#contract/rules/merge.ts'
import { isOpen, type InstanceStatus } from '#contract/rules/statuses.ts'
import { db, onDevice } from './db.ts'
import { nextOrder } from '#app/device/edit-order.ts'
import { acknowledged, isOlder, pulled, serverGroups, type InstanceRows, type LateRow, type RowChange } from '#app/sync/rows.ts'
import type { Dated, InstanceKey, InstanceState, ReadyInstance, StoredInstance } from './stored.ts'
import {
  isParkedWhole,
  unsentOf,
  type Acknowledgement,
  type AnswerRow,
  type DeviceState,
  type OperationRow,
  type Trouble,
} from '#app/sync/sync.ts'

/** The functions of device-store.ts that use Dexie. Each is one transaction, and rejects if the disk does not take it within 3 s. */

export { clearRows } from './clear-rows.ts'

/** Opens the database, upgrading an older version. */
export async function openDatabase(): Promise<void> {
  await db.open()
}

const newEdit = () => crypto.randomUUID()

function ofInstance({ userId, instanceId }: InstanceKey): [[string, string, unknown], [string, string, unknown]] {
  return [
    [userId, instanceId, Dexie.minKey],
    [userId, instanceId, Dexie.maxKey],
  ]
}

const idOf = ({ userId, instanceId }: InstanceKey): [string, string] => [userId, instanceId]

const KEY = '[userId+instanceId+questionId]'

async function rowsOf(key: InstanceKey): Promise<InstanceRows> {
  const range = ofInstance(key)
  const [answers, receipts, late] = await Promise.all([
    db.answers
      .where(KEY)
      .between(...range)
      .toArray(),
    db.receipts
      .where(KEY)
      .between(...range)
      .toArray(),
    db.late
      .where(KEY)
      .between(...range)
      .toArray(),
  ])
  return { answers, receipts, late }
}

/** Without receipts whose answer the disk lost: with them the account's answer would be taken for one that is here. */
async function rowsWithAnswers(key: InstanceKey): Promise<InstanceRows> {
  const rows = await rowsOf(key)
  const answered = new Set(rows.answers.map(({ questionId }) => questionId))
  return { ...rows, receipts: rows.receipts.filter(({ questionId }) => answered.has(questionId)) }
}

async function put(key: InstanceKey, change: RowChange): Promise<void> {
  await Promise.all([
    db.answers.bulkPut(change.answers.map((row) => ({ ...row, ...key }))),
    db.receipts.bulkPut(change.receipts.map((row) => ({ ...row, ...key }))),
    db.late.bulkPut(change.late.map((row) => ({ ...row, ...key }))),
  ])
}

/** The ids of everybody who has an instance or a read stored on this device. */
export async function ownersHere(): Promise<string[]> {
  const keys = await onDevice(async () => [
    ...(await db.instances.toCollection().primaryKeys()),
    ...(await db.reads.toCollection().primaryKeys()),
  ])
  return [...new Set(keys.map(([userId]) => userId))]
}

/** A person's instances that are stored on the device. */
export function instancesOf(userId: string): Promise<StoredInstance[]> {
  return onDevice(() => db.instances.where('[userId+instanceId]').between([userId, ''], [userId, '\uffff']).toArray())
}

/** Undefined if the instance is not stored. */
export function readInstance(key: InstanceKey): Promise<StoredInstance | undefined> {
  return onDevice(() => db.instances.get([key.userId, key.instanceId]))
}

function readRows(key: InstanceKey): Promise<InstanceRows> {
  return onDevice(() => db.transaction('r', db.answers, db.receipts, db.late, () => rowsOf(key)))
}

/** The languages in which an instance's questions are stored. */
export async function languagesOf(key: InstanceKey): Promise<string[]> {
  const range = ofInstance(key)
  const keys = await onDevice(() =>
    db.definitions
      .where('[userId+instanceId+language]')
      .between(...range)
      .primaryKeys(),
  )
  return keys.map(([, , language]) => language)
}

/**
 * Stores the server's instance with its questions in one language, and merges its answers without overwriting unsent ones (ANSWERS-11).
 * @param at epoch ms of the reply
 */
export function storeInstance(userId: string, language: string, instance: Instance, at: number): Promise<void> {
  const { sections, responses, groups, hash: _hash, fileSeal, ...summary } = instance
  const key = { userId, instanceId: instance.instanceId }
  return onDevice(() =>
    db.transaction('rw', [db.instances, db.definitions, db.answers, db.receipts, db.late], async () => {
      const stored = await db.instances.get([userId, instance.instanceId])
      await db.definitions.put({ ...key, language, sections })
      await db.instances.put({
        ...key,
        contentVersion: instance.contentVersion,
        summary,
        languages: [...new Set([...(stored?.languages ?? []), language])],
        names: { ...stored?.names, [language]: summary.name },
        finish: stored?.finish ?? null,
        // the server has it, so it is not missing any more
        trouble: stored?.trouble?.code === MISSING ? null : (stored?.trouble ?? null),
        savedAt: stored?.savedAt ?? null,
        storedAt: at,
        fileSeal: fileSeal ?? stored?.fileSeal,
        files: stored?.files,
      })
      if (summary.status !== 'COMPLETED')
        await put(key, pulled(await rowsWithAnswers(key), serverGroups({ sections, responses, groups }), newEdit))
    }),
  )
}

const MISSING = 'NOT_FOUND'

/**
 * The server says that it has no such instance, so it was put back to a backup from before it: nothing of it counts as acknowledged any
 * more (ANSWERS-17). Resolves to whether anything changed. What has ended, or was never answered here, stays as it is.
 */
export function noteMissing(key: InstanceKey, at: number): Promise<boolean> {
  return onDevice(() =>
    db.transaction('rw', db.instances, db.answers, db.receipts, db.late, async () => {
      const stored = await db.instances.get(idOf(key))
      const rows = await rowsOf(key)
      if (!stored || !isOpen(stored.summary.status) || rows.answers.length === 0) return false
      const change = pulled(rows, [], newEdit)
      if (change.answers.length === 0 && stored.trouble) return false
      await put(key, change)
      if (!isParkedWhole(stored.trouble)) await db.instances.update(idOf(key), { trouble: { code: MISSING, at } })
      return true
    }),
  )
}

/**
 * Stores what a screen shows, after the disk lost the instance or could not store it before. Rows that are stored already and are
 * at least as new stay; if the instance is stored with its questions, nothing is written.
 */
export function restoreInstance({ instance, sections, language }: ReadyInstance, held: InstanceRows): Promise<void> {
  const { userId, instanceId } = instance
  return onDevice(() =>
    db.transaction('rw', [db.instances, db.definitions, db.answers, db.receipts, db.late], async () => {
      const key = { userId, instanceId }
      const stored = await db.instances.get([userId, instanceId])
      // after a sign-out that kept unsent answers there is an instance without its questions
      if (stored && (await db.definitions.get([userId, instanceId, language]))) return
      const since = new Map((await rowsOf(key)).answers.map((row) => [row.questionId, row]))
      await db.definitions.put({ ...key, language, sections })
      await db.instances.put({ ...instance, ...stored, languages: [...new Set([...(stored?.languages ?? []), language])] })
      await put(key, { ...held, answers: held.answers.filter((row) => isNewest(row, since.get(row.questionId))) })
    }),
  )
}

/** Whether a screen's row replaces the stored one. Only an answer of this device does, as the stored one may be the server's latest. */
function isNewest(row: AnswerRow, stored: AnswerRow | undefined): boolean {
  return stored === undefined || (row.order !== undefined && !row.isCopy && !isOlder(row, stored))
}

/** Changes fields of a stored instance; does nothing if it is not stored. */
export function changeInstance(
  key: InstanceKey,
  change: Partial<Pick<StoredInstance, 'finish' | 'trouble' | 'savedAt' | 'summary' | 'fileSeal' | 'files'>>,
): Promise<unknown> {
  return onDevice(() => db.instances.update([key.userId, key.instanceId], change))
}

/** Makes a late value the present one again, as a new edit based on the server's revision, so that it is sent; nothing if another has replaced it since it was shown. ANSWERS-11 */
export function takeLate(key: InstanceKey, { questionId, value }: LateRow): Promise<void> {
  return onDevice(() =>
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
  return onDevice(() =>
    db.transaction('rw', db.late, async () => {
      const id: [string, string, string] = [key.userId, key.instanceId, questionId]
      const stored = await db.late.get(id)
      if (stored && sameValue(stored.value, value)) await db.late.delete(id)
    }),
  )
}

/** The edits of an instance that are stored now. */
export async function editsOf(key: InstanceKey): Promise<Set<string>> {
  return new Set((await readRows(key)).answers.map(({ edit }) => edit))
}

/**
 * Discards unsent answers, as the player asked. ANSWERS-7
 * @param edits the edits that the player saw when asked; answers given since then stay
 * @param server the account's instance, whose answers replace the discarded ones in the same transaction; 'ended': all its answers are
 *   removed; 'missing': the account has nothing of it, so what was not named is unsent
 */
export function discardUnsent(key: InstanceKey, edits: ReadonlySet<string>, server: Instance | 'ended' | 'missing'): Promise<void> {
  return onDevice(() =>
    db.transaction('rw', db.instances, db.answers, db.receipts, db.late, db.operations, async () => {
      if (server === 'ended') await removeAnswers(key)
      else {
        const discarded = unsentOf(await rowsOf(key)).filter(({ edit }) => edits.has(edit))
        const ids = discarded.map(({ questionId }): [string, string, string] => [key.userId, key.instanceId, questionId])
        await Promise.all([db.answers, db.receipts, db.late].map((table) => table.bulkDelete(ids)))
        // the operation may contain discarded answers
        await db.operations.delete([key.userId, key.instanceId])
        await put(key, pulled(await rowsOf(key), server === 'missing' ? [] : serverGroups(server), newEdit))
      }
      await db.instances.update([key.userId, key.instanceId], { finish: null, trouble: null })
    }),
  )
}

async function removeAnswers(key: InstanceKey): Promise<void> {
  const range = ofInstance(key)
  await Promise.all([
    db.answers
      .where(KEY)
      .between(...range)
      .delete(),
    db.receipts
      .where(KEY)
      .between(...range)
      .delete(),
    db.late
      .where(KEY)
      .between(...range)
      .delete(),
    db.operations.delete([key.userId, key.instanceId]),
  ])
}

async function statesOf(userId: string): Promise<InstanceState[]> {
  return Promise.all(
    (await instancesOf(userId)).map(async (instance) => {
      const rows = await readRows(instance)
      return { instance, rows, languages: await languagesOf(instance) }
    }),
  )
}

/** `watchInstances` of device-store.ts, by a live query. */
export function watchInstances<T>(
  userId: string,
  look: (stored: Promise<InstanceState[]>) => Promise<T>,
  tell: { next: (found: T) => void; error: (error: unknown) => void },
): () => void {
  const watch = liveQuery(() => look(statesOf(userId))).subscribe(tell)
  return () => watch.unsubscribe()
}

/** The state that the sync core starts from; undefined if the instance is not stored. */
export function readSyncState(key: InstanceKey): Promise<DeviceState | undefined> {
  const id = idOf(key)
  return onDevice(() =>
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
  await onDevice(() => db.operations.put({ ...operation, ...key }))
}

export function removeOperation(key: InstanceKey): Promise<void> {
  return onDevice(() => db.operations.delete(idOf(key)))
}

/** Stores the server's reply to an operation: receipts, late values, and removes the operation. */
export function acknowledge(key: InstanceKey, acknowledgement: Acknowledgement): Promise<void> {
  const id = idOf(key)
  return onDevice(() =>
    db.transaction('rw', db.instances, db.answers, db.receipts, db.late, db.operations, async () => {
      // the user signed out meanwhile and the rows were cleared
      if (!(await db.instances.get(id))) return
      await put(key, acknowledged(await rowsOf(key), acknowledgement, newEdit))
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
  await onDevice(() => db.instances.update(idOf(key), { trouble, ...(ending ? { 'summary.status': ending } : {}) }))
}

/** Marks an instance completed and removes its answers; if some are unsent, all stay, with the reason (ANSWERS-20). */
export function complete(key: InstanceKey, summary: InstanceSummary): Promise<void> {
  return onDevice(() =>
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
  return onDevice(() =>
    db.transaction('rw', db.answers, db.receipts, db.late, db.operations, async () => {
      const { answers } = await rowsOf(key)
      if (answers.every(({ edit }) => edits.has(edit))) await removeAnswers(key)
    }),
  )
}

/** A stored read by its key; the value is not checked. */
export async function readStored<T>(userId: string, key: string): Promise<Dated<T> | undefined> {
  const row = await onDevice(() => db.reads.get([userId, key]))
  return row && { value: row.value as T, at: row.at }
}

/** @param at epoch ms of the value */
export async function writeStored(userId: string, key: string, value: unknown, at = Date.now()): Promise<void> {
  await onDevice(() => db.reads.put({ userId, key, value, at }))
}

/**
 * Changes a stored read in one transaction, so that two tabs do not overwrite each other's change.
 * @param change given the stored value, or undefined if there is none
 */
export async function changeStored(userId: string, key: string, change: (value: unknown) => unknown): Promise<void> {
  await onDevice(() =>
    db.transaction('rw', db.reads, async () => {
      const row = await db.reads.get([userId, key])
      await db.reads.put({ userId, key, value: change(row?.value), at: Date.now() })
    }),
  )
}

/** The keys of a person's stored reads. */
export async function storedKeys(userId: string): Promise<string[]> {
  const keys = await onDevice(() => db.reads.where('[userId+key]').between([userId, ''], [userId, '\uffff']).primaryKeys())
  return keys.map(([, key]) => key)
}

/** A value of the device, independent of who is signed in. */
export async function readDeviceValue(key: string): Promise<string | undefined> {
  return (await onDevice(() => db.device.get(key)))?.value
}

export async function writeDeviceValue(key: string, value: string): Promise<void> {
  await onDevice(() => db.device.put({ key, value }))
}

let ownId: string | undefined
let isIdStored = false

/** This device's random id. Each save carries it, so that the server knows a device's own earlier saves as seen. Never rejects. */
export async function deviceId(): Promise<string> {
  if (ownId !== undefined && isIdStored) return ownId
  try {
    ownId = await onDevice(storedDeviceId)
    isIdStored = true
  } catch {
    // without a working disk the id lasts as long as the page
    ownId ??= crypto.randomUUID()
  }
  return ownId
}

async function storedDeviceId(): Promise<string> {
  return db.transaction('rw', db.device, async () => {
    const known = await db.device.get('id')
    if (known) return known.value
    const value = ownId ?? crypto.randomUUID()
    await db.device.add({ key: 'id', value })
    return value
  })
}
