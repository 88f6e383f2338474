import { Dexie, liveQuery, type Table } from 'dexie'
import type { Instance } from '#contract/instances.ts'
import { isOpen } from '#contract/rules/statuses.ts'
import { alreadyStoredChange, isOlder, pullChange, serverGroups, type InstanceRows } from '#app/sync/rows.ts'
import { isParkedWhole, isSubmitWaiting, unsentOf, type AnswerRow, type Trouble } from '#app/sync/sync.ts'
import { db, refuseIf, withDatabase } from './db.ts'
import { idOf, isOlderReply, newEdit, ofInstance, put, putMissing, rowsOf, rowsWithAnswers } from './instance-rows.ts'
import type { StateBeforeFetch, LocalState, InstanceKey, ReadyInstance, StoredInstance } from './stored.ts'

/** The device's instances with their questions. Each function is one transaction, and rejects if the disk does not take it within 3 s. */

/** The ids of everybody who has an instance, an answer or a read stored on this device. */
export async function ownersOnDevice(): Promise<string[]> {
  const keys = await withDatabase(async () => [
    ...(await db.instances.toCollection().primaryKeys()),
    ...(await db.answers.toCollection().primaryKeys()),
    ...(await db.late.toCollection().primaryKeys()),
    ...(await db.reads.toCollection().primaryKeys()),
  ])
  return [...new Set(keys.map(([userId]) => userId))]
}

/** A person's instances that are stored on the device. */
export function instancesOf(userId: string): Promise<StoredInstance[]> {
  return withDatabase(() => queryInstances(userId))
}

const queryInstances = (userId: string) => db.instances.where('[userId+instanceId]').between([userId, ''], [userId, '\uffff']).toArray()

/**
 * What a person has on the device, by instance: also answers whose instance the disk refused or lost, which are sent once it is
 * stored again.
 */
export function localStatesOf(userId: string): Promise<Omit<LocalState, 'languages'>[]> {
  return withDatabase(() =>
    db.transaction('r', db.instances, db.answers, db.receipts, db.late, db.reads, async () => {
      const stored = await queryInstances(userId)
      const ids = [...(await instanceIdsIn(db.answers, userId)), ...(await instanceIdsIn(db.late, userId))]
      return Promise.all(
        [...new Set([...stored.map(({ instanceId }) => instanceId), ...ids])].map(async (instanceId) => {
          const key = { userId, instanceId }
          const instance = stored.find((one) => one.instanceId === instanceId)
          const trouble = instance ? instance.trouble : await refusalOf(key)
          return { key, instance, trouble, rows: await rowsOf(key) }
        }),
      )
    }),
  )
}

/** The instances that the disk refused or lost although it has answers of them; with the time at which the server last refused each, epoch ms. */
export function unstoredInstancesOf(userId: string): Promise<{ instanceId: string; refusedAt: number | undefined }[]> {
  return withDatabase(() =>
    db.transaction('r', db.instances, db.answers, db.reads, async () => {
      const stored = new Set((await queryInstances(userId)).map(({ instanceId }) => instanceId))
      const ids = [...new Set(await instanceIdsIn(db.answers, userId))].filter((instanceId) => !stored.has(instanceId))
      return Promise.all(ids.map(async (instanceId) => ({ instanceId, refusedAt: (await refusalOf({ userId, instanceId }))?.at })))
    }),
  )
}

/** Key in the `reads` store of why the server refuses an instance that is not stored; the row is removed once the instance is. */
const refusalId = ({ userId, instanceId }: InstanceKey): [string, string] => [userId, `refused ${instanceId}`]

async function refusalOf(key: InstanceKey): Promise<Trouble | null> {
  const row = await db.reads.get(refusalId(key))
  return row ? { code: String(row.value), at: row.at } : null
}

/** @param trouble undefined: it is to be requested from the server again */
export async function setRefusal(key: InstanceKey, trouble: Trouble | undefined): Promise<void> {
  const [userId, name] = refusalId(key)
  await withDatabase(async () => {
    if (trouble) await db.reads.put({ userId, key: name, value: trouble.code, at: trouble.at })
    else await db.reads.delete([userId, name])
  })
}

/** The ids of the instances of which a person has rows in this table. */
async function instanceIdsIn(table: Table<unknown, [string, string, string]>, userId: string): Promise<string[]> {
  const keys = await table.where('[userId+instanceId+questionId]').between([userId], [userId, Dexie.maxKey]).primaryKeys()
  return keys.map(([, instanceId]) => instanceId)
}

/** Undefined if the instance is not stored. */
export function readInstance(key: InstanceKey): Promise<StoredInstance | undefined> {
  return withDatabase(() => db.instances.get([key.userId, key.instanceId]))
}

/** The languages in which an instance's questions are stored. */
export async function languagesOf(key: InstanceKey): Promise<string[]> {
  const range = ofInstance(key)
  const keys = await withDatabase(() =>
    db.definitions
      .where('[userId+instanceId+language]')
      .between(...range)
      .primaryKeys(),
  )
  return keys.map(([, , language]) => language)
}

/**
 * Stores the server's instance with its questions in one language, and merges its answers without overwriting unsent ones (ANSWERS-11).
 * @param before a reply that was requested before the instance ended here does not open it again, and one from before a save was acknowledged
 *   does not make its answers unsent: it only adds those that the device lacks
 * @param hasQuestions without them it takes little room, and is enough to send what the disk has of it
 * @param mayStore asked within the transaction, as this code may have loaded only once its owner had signed out
 */
export function storeInstance(
  userId: string,
  language: string,
  instance: Instance,
  before: StateBeforeFetch,
  { hasQuestions = true, mayStore }: { hasQuestions?: boolean; mayStore?: () => boolean } = {},
): Promise<void> {
  const { sections, responses, groups, hash: _hash, fileSeal, ...summary } = instance
  const key = { userId, instanceId: instance.instanceId }
  return withDatabase(() =>
    db.transaction('rw', [db.instances, db.definitions, db.answers, db.receipts, db.late, db.operations, db.reads], async () => {
      const stored = await db.instances.get([userId, instance.instanceId])
      refuseIf(mayStore?.() === false)
      if (!stored) await db.reads.delete(refusalId(key))
      if (hasQuestions) await db.definitions.put({ ...key, language, sections })
      if (stored && !isOpen(stored.summary.status) && isOpen(summary.status) && !before.hadEnded) return
      const isOutdated = stored !== undefined && isOlderReply(summary.revision, before, stored)
      await db.instances.put({
        ...key,
        contentVersion: instance.contentVersion,
        summary: isOutdated ? stored.summary : summary,
        languages: [...new Set([...(stored?.languages ?? []), ...(hasQuestions ? [language] : [])])],
        names: { ...stored?.names, [language]: summary.name },
        finish: stored?.finish ?? null,
        // the server has it, so it is not missing any more
        trouble: stored?.trouble?.code === MISSING ? null : (stored?.trouble ?? null),
        savedAt: stored?.savedAt ?? null,
        storedAt: before.at,
        fileSeal: fileSeal ?? stored?.fileSeal,
        files: stored?.files,
      })
      const serverHas = serverGroups({ sections, responses, groups })
      if (isOutdated) await putMissing(key, serverHas)
      else if (summary.status !== 'COMPLETED') await put(key, pullChange(await rowsWithAnswers(key), serverHas, newEdit))
      else if (stored) await noteAlreadyDone(key, serverHas)
    }),
  )
}

const MISSING = 'NOT_FOUND'

/**
 * Within a transaction. If the account has every answer of a completed instance, there is no refusal left to decide on, and a Submit
 * whose reply was lost waits for its results only.
 */
async function noteAlreadyDone(key: InstanceKey, groups: ReturnType<typeof serverGroups>): Promise<void> {
  const change = alreadyStoredChange(await rowsOf(key), groups)
  await put(key, change)
  if (unsentOf(await rowsOf(key)).length > 0) return
  if (change.receipts.length > 0) {
    await db.operations.delete(idOf(key))
    await db.instances.update(idOf(key), { trouble: null })
  }
  const stored = await db.instances.get(idOf(key))
  if (isSubmitWaiting(stored?.finish ?? null)) await db.instances.update(idOf(key), { finish: 'results', trouble: null })
}

/**
 * The server has no such instance, so it was restored from an older backup: nothing of the instance counts as acknowledged any more
 * (ANSWERS-17). Resolves to whether anything changed. An instance that has ended, or was never answered here, stays as it is.
 */
export function forgetAcknowledged(key: InstanceKey, at: number): Promise<boolean> {
  return withDatabase(() =>
    db.transaction('rw', db.instances, db.answers, db.receipts, db.late, async () => {
      const stored = await db.instances.get(idOf(key))
      const rows = await rowsOf(key)
      if (!stored || !isOpen(stored.summary.status) || rows.answers.length === 0) return false
      const change = pullChange(rows, [], newEdit)
      if (change.answers.length === 0 && stored.trouble) return false
      await put(key, change)
      if (!isParkedWhole(stored.trouble)) await db.instances.update(idOf(key), { trouble: { code: MISSING, at } })
      return true
    }),
  )
}

/**
 * Stores what a screen shows, after the disk lost the instance or could not store it. Stored rows that are at least as new stay; if
 * the instance is stored with its questions, nothing is written.
 * @param mayStore as for `storeInstance`
 */
export function restoreInstance(
  { instance, sections, language }: ReadyInstance,
  shown: InstanceRows,
  mayStore?: () => boolean,
): Promise<void> {
  const { userId, instanceId } = instance
  return withDatabase(() =>
    db.transaction('rw', [db.instances, db.definitions, db.answers, db.receipts, db.late], async () => {
      const key = { userId, instanceId }
      const stored = await db.instances.get([userId, instanceId])
      refuseIf(mayStore?.() === false)
      // after a sign-out that kept unsent answers there is an instance without its questions
      if (stored && (await db.definitions.get([userId, instanceId, language]))) return
      const onDisk = new Map((await rowsOf(key)).answers.map((row) => [row.questionId, row]))
      await db.definitions.put({ ...key, language, sections })
      await db.instances.put({ ...instance, ...stored, languages: [...new Set([...(stored?.languages ?? []), language])] })
      await put(key, { ...shown, answers: shown.answers.filter((row) => isNewest(row, onDisk.get(row.questionId))) })
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
  return withDatabase(() => db.instances.update([key.userId, key.instanceId], change))
}

async function statesOf(userId: string): Promise<LocalState[]> {
  return Promise.all((await localStatesOf(userId)).map(async (state) => ({ ...state, languages: await languagesOf(state.key) })))
}

/** `watchInstances` of device-store.ts, by a live query. */
export function watchInstances<T>(
  userId: string,
  select: (stored: Promise<LocalState[]>) => Promise<T>,
  observer: { next: (found: T) => void; error: (error: unknown) => void },
): () => void {
  // without databases a live query never starts
  if (typeof indexedDB === 'undefined') {
    void select(Promise.reject(new Error('this browser has no databases'))).then(observer.next, observer.error)
    return () => {}
  }
  const watch = liveQuery(() => select(statesOf(userId))).subscribe(observer)
  return () => watch.unsubscribe()
}
