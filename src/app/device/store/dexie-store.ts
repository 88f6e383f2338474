import { Dexie } from 'dexie'
import type { Instance } from '#contract/instances.ts'
import type { InstanceStatus } from '#contract/rules/statuses.ts'
import { currentLanguage } from '#app/i18n/i18n.ts'
import { db, onDevice } from './db.ts'
import type { ReadyInstance } from '#app/device/fetch-instance.ts'
import { loadResults } from '#app/device/lazy.ts'
import type { ResultsRead } from '#app/device/results.ts'
import { acknowledged, pulled, serverGroups, type InstanceRows, type RowChange } from '#app/sync/rows.ts'
import type { InstanceKey, StoredInstance } from './stored.ts'
import { unsentOf, type DevicePort, type DeviceState, type FinishStep } from '#app/sync/sync.ts'

/** One player's copy of one instance in IndexedDB. Each method is one transaction. */

const newEdit = () => crypto.randomUUID()

function ofInstance({ userId, instanceId }: InstanceKey): [[string, string, unknown], [string, string, unknown]] {
  return [
    [userId, instanceId, Dexie.minKey],
    [userId, instanceId, Dexie.maxKey],
  ]
}

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

export function loadRows(key: InstanceKey): Promise<InstanceRows> {
  return onDevice(() => db.transaction('r', db.answers, db.receipts, db.late, () => rowsOf(key)))
}

export function loadInstance(key: InstanceKey): Promise<StoredInstance | undefined> {
  return onDevice(() => db.instances.get([key.userId, key.instanceId]))
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
  return new Set((await loadRows(key)).answers.map(({ edit }) => edit))
}

/**
 * Discards what was not sent, on the player's word. ANSWERS-7
 * @param edits what they saw when they said so: what is parked alone, or all; whatever was answered since stays
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

/** Refusals that tell how an instance ended elsewhere: it takes no answer any more. ANSWERS-14, ASSIGN-21 */
const ENDINGS: Readonly<Record<string, InstanceStatus>> = { ALREADY_COMPLETED: 'COMPLETED', INSTANCE_RECLAIMED: 'RECLAIMED' }

/** The device side of the sync core, on Dexie. `changed` is told after each transaction that touched rows. */
export function dexieDevice(key: InstanceKey, changed: () => void): DevicePort<ResultsRead> {
  const id: [string, string] = [key.userId, key.instanceId]
  return {
    load: () =>
      onDevice(() =>
        db.transaction('r', db.instances, db.answers, db.receipts, db.late, db.operations, async (): Promise<DeviceState | undefined> => {
          const [instance, operation, rows] = await Promise.all([db.instances.get(id), db.operations.get(id), rowsOf(key)])
          if (!instance) return undefined
          const { contentVersion, finish, trouble, summary } = instance
          return { ...rows, operation, contentVersion, revision: summary.revision, finish, trouble }
        }),
      ),
    storeOperation: async (operation) => {
      await onDevice(() => db.operations.put({ ...operation, ...key }))
    },
    dropOperation: () => onDevice(() => db.operations.delete(id)),
    acknowledge: async (acknowledgement) => {
      await onDevice(() =>
        db.transaction('rw', db.instances, db.answers, db.receipts, db.late, db.operations, async () => {
          // signed out meanwhile: what was cleared stays cleared
          if (!(await db.instances.get(id))) return
          await put(key, acknowledged(await rowsOf(key), acknowledgement, newEdit))
          await db.operations.delete(id)
          await db.instances.update(id, { savedAt: acknowledgement.at, 'summary.revision': acknowledgement.revision })
        }),
      )
      changed()
    },
    setFinish: async (finish: FinishStep | null) => {
      await changeInstance(key, { finish })
      changed()
    },
    setTrouble: async (trouble) => {
      const ending = trouble && ENDINGS[trouble.code]
      await onDevice(() => db.instances.update(id, { trouble, ...(ending ? { 'summary.status': ending } : {}) }))
      changed()
    },
    done: async (completed) => {
      const language = currentLanguage()
      const { storeResults, storeResultsInOtherLanguages } = await loadResults()
      await storeResults(key.userId, language, completed)
      void storeResultsInOtherLanguages(key.userId, key.instanceId, language).catch(() => undefined)
      const { summary } = completed
      await onDevice(() =>
        db.transaction('rw', db.instances, db.answers, db.receipts, db.late, db.operations, async () => {
          // after the receipt the raw answers leave the device; what was never sent stays with its reason (ANSWERS-20)
          const unsent = unsentOf(await rowsOf(key)).length > 0
          if (!unsent) await removeAnswers(key)
          await db.instances.update(id, { finish: null, trouble: unsent ? { code: 'ALREADY_COMPLETED', at: Date.now() } : null, summary })
        }),
      )
      changed()
    },
  }
}
