import { liveQuery } from 'dexie'
import { useEffect, useState } from 'react'
import type { InstanceSummary } from '#contract/instances.ts'
import { countAnswered, type Answers } from '#contract/rules/questionnaire.ts'
import { db } from './db.ts'
import { loadRows } from './device-store.ts'
import { isReadyOffline, onPrepared } from './instances.ts'
import { instancesOf } from './outbox.ts'
import { noteLeaving } from './owner.ts'
import { unsentOf, type FinishStep, type Trouble } from './sync.ts'

/** What this device knows of one instance, for the dashboard. */
export interface DeviceStatus {
  instanceId: string
  /** as the server last sent it */
  summary: InstanceSummary
  /** groups that the server has not acknowledged */
  unsent: number
  /** items answered on this device */
  answered: number
  finish: FinishStep | null
  trouble: Trouble | null
  savedAt: number | null
  isReadyOffline: boolean
}

async function statusesOf(userId: string): Promise<DeviceStatus[]> {
  return Promise.all(
    (await instancesOf(userId)).map(async (instance) => {
      const rows = await loadRows(instance)
      const answers: Answers = Object.fromEntries(rows.answers.map((row) => [row.questionId, row.value]))
      const sections = Object.values(instance.definitions)[0] ?? []
      return {
        instanceId: instance.instanceId,
        summary: instance.summary,
        unsent: unsentOf(rows).length,
        answered: countAnswered(sections, answers),
        finish: instance.finish,
        trouble: instance.trouble,
        savedAt: instance.savedAt,
        isReadyOffline: await isReadyOffline(instance),
      }
    }),
  )
}

/** Lives: a tap, a sync, a preparation or another tab changes it. Empty until read, or where the device cannot be read. */
export function useDeviceStatuses(userId: string | undefined): DeviceStatus[] {
  const [statuses, setStatuses] = useState<DeviceStatus[]>([])
  useEffect(() => {
    if (userId === undefined) return
    const read = () =>
      liveQuery(() => statusesOf(userId)).subscribe({
        next: setStatuses,
        error: (error: unknown) => console.warn('The device cannot be read', error),
      })
    let reading = read()
    // what the worker keeps is not in the database that is watched
    const stop = onPrepared(() => {
      reading.unsubscribe()
      reading = read()
    })
    return () => {
      stop()
      reading.unsubscribe()
    }
  }, [userId])
  return statuses
}

/** Groups of a person that wait, over all instances. */
export async function countUnsentOf(userId: string): Promise<number> {
  const counts = await Promise.all((await instancesOf(userId)).map(async (instance) => unsentOf(await loadRows(instance)).length))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** What a person can see on this device goes. Unsent answers may stay, locked to their owner by their key (ruling 6). */
export async function clearDevice(userId: string, { keepUnsent }: { keepUnsent: boolean }): Promise<void> {
  noteLeaving(userId)
  const tables = [db.answers, db.receipts, db.late, db.operations, db.instances, db.reads]
  const kept = new Set<string>()
  if (keepUnsent) {
    for (const instance of await instancesOf(userId)) {
      if (unsentOf(await loadRows(instance)).length > 0 || instance.finish) kept.add(instance.instanceId)
    }
  }
  await db.transaction('rw', tables, async () => {
    for (const table of [db.answers, db.receipts, db.late, db.operations, db.instances]) {
      await table.filter((row) => row.userId === userId && !kept.has(row.instanceId)).delete()
    }
    await db.reads.filter((row) => row.userId === userId).delete()
  })
}
