import { Dexie, liveQuery } from 'dexie'
import type { Instance, InstanceSummary } from '#contract/instances.ts'
import type { InstanceStatus } from '#contract/rules/statuses.ts'
import { db, onDevice } from './db.ts'
import { acknowledged, pulled, serverGroups, type InstanceRows, type RowChange } from '#app/sync/rows.ts'
import type { Dated, InstanceKey, InstanceState, ReadyInstance, StoredInstance } from './stored.ts'
import { unsentOf, type Acknowledgement, type DeviceState, type OperationRow, type Trouble } from '#app/sync/sync.ts'

/** What the store (device-store.ts) does by Dexie. Each function is one transaction. */

export { clearRows } from './clear-rows.ts'

/** Brings an older database up to the present version. */
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

async function put(key: InstanceKey, change: RowChange): Promise<void> {
  await Promise.all([
    db.answers.bulkPut(change.answers.map((row) => ({ ...row, ...key }))),
    db.receipts.bulkPut(change.receipts.map((row) => ({ ...row, ...key }))),
    db.late.bulkPut(change.late.map((row) => ({ ...row, ...key }))),
  ])
}

/** Instances of a person that are on the device. */
export function instancesOf(userId: string): Promise<StoredInstance[]> {
  return onDevice(() => db.instances.where('[userId+instanceId]').between([userId, ''], [userId, '\uffff']).toArray())
}

export function readInstance(key: InstanceKey): Promise<StoredInstance | undefined> {
  return onDevice(() => db.instances.get([key.userId, key.instanceId]))
}

function readRows(key: InstanceKey): Promise<InstanceRows> {
  return onDevice(() => db.transaction('r', db.answers, db.receipts, db.late, () => rowsOf(key)))
}

/** Languages in which the questions of an instance are on the disk. */
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

/** The server's instance in one language: its definition is pinned, its groups are merged (ANSWERS-11). */
export function storeInstance(userId: string, language: string, instance: Instance, at: number): Promise<void> {
  const { sections, responses, groups, hash: _hash, ...summary } = instance
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
        finish: stored?.finish ?? null,
        trouble: stored?.trouble ?? null,
        savedAt: stored?.savedAt ?? null,
        storedAt: at,
      })
      if (summary.status !== 'COMPLETED') await put(key, pulled(await rowsOf(key), serverGroups({ sections, responses, groups }), newEdit))
    }),
  )
}

/**
 * What a screen holds goes to the disk that has lost it, or never had it: all that belongs to its answers, or nobody sends
 * them. What is there already is as new, or newer.
 */
export function restoreInstance({ instance, sections, language }: ReadyInstance, held: InstanceRows): Promise<void> {
  const { userId, instanceId } = instance
  return onDevice(() =>
    db.transaction('rw', [db.instances, db.definitions, db.answers, db.receipts, db.late], async () => {
      if (await db.instances.get([userId, instanceId])) return
      const key = { userId, instanceId }
      const { answers } = await rowsOf(key)
      const since = new Set(answers.map(({ questionId }) => questionId))
      await db.definitions.put({ ...key, language, sections })
      await db.instances.put({ ...instance, languages: [language] })
      await put(key, { ...held, answers: held.answers.filter(({ questionId }) => !since.has(questionId)) })
    }),
  )
}

export function changeInstance(
  key: InstanceKey,
  change: Partial<Pick<StoredInstance, 'finish' | 'trouble' | 'savedAt' | 'summary'>>,
): Promise<unknown> {
  return onDevice(() => db.instances.update([key.userId, key.instanceId], change))
}

/** The own value that another device's had displaced goes out again, on top of what the server holds. ANSWERS-11 */
export function takeLate(key: InstanceKey, questionId: string): Promise<void> {
  return onDevice(() =>
    db.transaction('rw', db.answers, db.receipts, db.late, async () => {
      const id: [string, string, string] = [key.userId, key.instanceId, questionId]
      const [late, row, receipt] = await Promise.all([db.late.get(id), db.answers.get(id), db.receipts.get(id)])
      if (late && row)
        await db.answers.put({ ...row, value: late.value, edit: newEdit(), base: receipt?.revision ?? row.base, isCopy: false })
      await db.late.delete(id)
    }),
  )
}

export function dismissLate(key: InstanceKey, questionId: string): Promise<void> {
  return onDevice(() => db.late.delete([key.userId, key.instanceId, questionId]))
}

/** The edits of an instance that are on this device now. */
export async function editsOf(key: InstanceKey): Promise<Set<string>> {
  return new Set((await readRows(key)).answers.map(({ edit }) => edit))
}

/**
 * Discards what was not sent, on the player's word. ANSWERS-7
 * @param edits what they saw when they said so: what is parked by itself, or all; whatever was answered since stays
 * @param server the instance as the account has it, whose answers take their place in the same moment; undefined once it has
 *   ended, when nothing shows them any more
 */
export function discardUnsent(key: InstanceKey, edits: ReadonlySet<string>, server: Instance | undefined): Promise<void> {
  return onDevice(() =>
    db.transaction('rw', db.instances, db.answers, db.receipts, db.late, db.operations, async () => {
      if (!server) await removeAnswers(key)
      else {
        const discarded = unsentOf(await rowsOf(key)).filter(({ edit }) => edits.has(edit))
        const ids = discarded.map(({ questionId }): [string, string, string] => [key.userId, key.instanceId, questionId])
        await Promise.all([db.answers, db.receipts, db.late].map((table) => table.bulkDelete(ids)))
        // it may carry some of them
        await db.operations.delete([key.userId, key.instanceId])
        await put(key, pulled(await rowsOf(key), serverGroups(server), newEdit))
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

export function watchInstances<T>(
  userId: string,
  look: (stored: Promise<InstanceState[]>) => Promise<T>,
  tell: { next: (found: T) => void; error: (error: unknown) => void },
): () => void {
  const watch = liveQuery(() => look(statesOf(userId))).subscribe(tell)
  return () => watch.unsubscribe()
}

/** What the sync core begins with; undefined: this instance is not on the device. */
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

export async function storeOperation(key: InstanceKey, operation: OperationRow): Promise<void> {
  await onDevice(() => db.operations.put({ ...operation, ...key }))
}

export function removeOperation(key: InstanceKey): Promise<void> {
  return onDevice(() => db.operations.delete(idOf(key)))
}

export function acknowledge(key: InstanceKey, acknowledgement: Acknowledgement): Promise<void> {
  const id = idOf(key)
  return onDevice(() =>
    db.transaction('rw', db.instances, db.answers, db.receipts, db.late, db.operations, async () => {
      // signed out meanwhile: what was cleared stays cleared
      if (!(await db.instances.get(id))) return
      await put(key, acknowledged(await rowsOf(key), acknowledgement, newEdit))
      await db.operations.delete(id)
      await db.instances.update(id, { savedAt: acknowledgement.at, 'summary.revision': acknowledgement.revision })
    }),
  )
}

/** Refusals that tell how an instance ended elsewhere: it takes no answer any more. ANSWERS-14, ASSIGN-21 */
const ENDINGS: Readonly<Record<string, InstanceStatus>> = { ALREADY_COMPLETED: 'COMPLETED', INSTANCE_RECLAIMED: 'RECLAIMED' }

export async function setTrouble(key: InstanceKey, trouble: Trouble | null): Promise<void> {
  const ending = trouble && ENDINGS[trouble.code]
  await onDevice(() => db.instances.update(idOf(key), { trouble, ...(ending ? { 'summary.status': ending } : {}) }))
}

/** After the last receipt the raw answers leave the device; what was never sent stays with its reason (ANSWERS-20). */
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

/** A completed instance's answers, once the account has all these edits; a disk too full to store still removes. ANSWERS-18 */
export function removeSent(key: InstanceKey, edits: ReadonlySet<string>): Promise<void> {
  return onDevice(() =>
    db.transaction('rw', db.answers, db.receipts, db.late, db.operations, async () => {
      const { answers } = await rowsOf(key)
      if (answers.every(({ edit }) => edits.has(edit))) await removeAnswers(key)
    }),
  )
}

export async function readStored<T>(userId: string, key: string): Promise<Dated<T> | undefined> {
  const row = await onDevice(() => db.reads.get([userId, key]))
  return row && { value: row.value as T, at: row.at }
}

export async function writeStored(userId: string, key: string, value: unknown, at = Date.now()): Promise<void> {
  await onDevice(() => db.reads.put({ userId, key, value, at }))
}

/** Of this device, whoever is signed in. */
export async function readDeviceValue(key: string): Promise<string | undefined> {
  return (await onDevice(() => db.device.get(key)))?.value
}

export async function writeDeviceValue(key: string, value: string): Promise<void> {
  await onDevice(() => db.device.put({ key, value }))
}

let ownId: string | undefined
let isIdStored = false

/** This device's id, made once; answers name it so that a device's own earlier saves count as seen. */
export async function deviceId(): Promise<string> {
  if (ownId !== undefined && isIdStored) return ownId
  try {
    ownId = await onDevice(storedDeviceId)
    isIdStored = true
  } catch {
    // a device that stores nothing is the same one for as long as its page is open
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
