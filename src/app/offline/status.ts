import { liveQuery } from 'dexie'
import type { Waiting } from '#app/session/private-store.ts'
import { isAnswered } from '#contract/rules/questionnaire.ts'
import { db } from './db.ts'
import { loadRows } from './device-store.ts'
import { isReadyOffline, onPrepared } from './prepare.ts'
import { instancesOf } from './outbox.ts'
import { noteLeaving } from './owner.ts'
import { answersChannel } from './stored.ts'
import { unsentOf } from './sync.ts'
import { discardUnwritten, onUnwritten, unwrittenOf } from './unwritten.ts'
import type { DeviceStatus } from './use-device-statuses.ts'

async function statusesOf(userId: string): Promise<DeviceStatus[]> {
  return Promise.all(
    (await instancesOf(userId)).map(async (instance) => {
      const rows = await loadRows(instance)
      return {
        instanceId: instance.instanceId,
        summary: instance.summary,
        unsent: unsentOf(rows).length,
        unwritten: unwrittenOf(instance),
        answered: rows.answers.flatMap((row) => Object.values(row.value)).filter(isAnswered).length,
        // until the details are given nothing is finished
        finish: instance.finish === 'details' ? null : instance.finish,
        trouble: instance.trouble,
        savedAt: instance.savedAt,
        isReadyOffline: await isReadyOffline(instance),
      }
    }),
  )
}

/** Tells now and whenever a tap, a sync, a preparation or another tab changes it; returns the way to stop. */
export function watchStatuses(userId: string, tell: (statuses: DeviceStatus[]) => void): () => void {
  const read = () =>
    liveQuery(() => statusesOf(userId)).subscribe({
      next: tell,
      error: (error: unknown) => console.warn('The device cannot be read', error),
    })
  let reading = read()
  const readAgain = () => {
    reading.unsubscribe()
    reading = read()
  }
  // what the worker keeps, the disk refused, and other tabs' taps are not seen by the watch
  const stopped = [onPrepared(readAgain), onUnwritten(readAgain)]
  const channel = new BroadcastChannel(answersChannel)
  channel.addEventListener('message', readAgain)
  return () => {
    for (const stop of stopped) stop()
    channel.close()
    reading.unsubscribe()
  }
}

/** What the server has not got yet of a person, over all instances. */
export async function waitingOf(userId: string | undefined): Promise<Waiting> {
  const waiting: Waiting = { answers: 0, submits: 0, refusal: undefined }
  for (const instance of userId === undefined ? [] : await instancesOf(userId)) {
    waiting.answers += unsentOf(await loadRows(instance)).length + unwrittenOf(instance)
    // after `complete` only the result is left to be read
    if (instance.finish === 'save' || instance.finish === 'complete') waiting.submits += 1
    waiting.refusal ??= instance.trouble?.code
  }
  return waiting
}

/** What a person can see on this device goes. Unsent answers may stay, locked to their owner by their key (ruling 6). */
export async function clearDevice(userId: string, { keepUnsent }: { keepUnsent: boolean }): Promise<void> {
  noteLeaving(userId)
  if (!keepUnsent) discardUnwritten(userId)
  const ofInstances = [db.answers, db.receipts, db.late, db.operations, db.definitions, db.instances]
  const kept = new Set<string>()
  if (keepUnsent) {
    for (const instance of await instancesOf(userId)) {
      if (unsentOf(await loadRows(instance)).length > 0 || instance.finish) kept.add(instance.instanceId)
    }
  }
  await db.transaction('rw', [...ofInstances, db.reads], async () => {
    for (const table of ofInstances) {
      await table.filter((row) => row.userId === userId && !kept.has(row.instanceId)).delete()
    }
    await db.reads.filter((row) => row.userId === userId).delete()
  })
}
