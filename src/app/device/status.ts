import { liveQuery } from 'dexie'
import { network } from '#app/api/network.ts'
import type { Waiting } from '#app/session/private-store.ts'
import { isAnswered } from '#contract/rules/questionnaire.ts'
import { DRAFT_KEY } from './assign-draft-key.ts'
import { db, onDevice } from './store/db.ts'
import { languagesOf, loadRows } from './store/dexie-store.ts'
import { loadAssignDraft } from './lazy.ts'
import { instancesOf } from './sending/outbox.ts'
import { lookAtDevice, onReadiness, readinessOf } from './readiness/readiness.ts'
import { answersChannel } from './store/stored.ts'
import { troubleOf, unsentOf } from '#app/sync/sync.ts'
import { unwrittenInTabs } from './sending/unwritten-in-tabs.ts'
import { onUnwritten, unwrittenOf } from './sending/unwritten.ts'
import type { AssignDraft } from './assign-draft.ts'
import type { DeviceStatus } from './use-device-statuses.ts'

type Stored = Omit<DeviceStatus, 'unwritten' | 'unwrittenElsewhere'>

async function storedStatusesOf(userId: string): Promise<Stored[]> {
  return Promise.all(
    (await instancesOf(userId)).map(async (instance) => {
      const rows = await loadRows(instance)
      const stored = await languagesOf(instance)
      return {
        instanceId: instance.instanceId,
        summary: instance.summary,
        unsent: unsentOf(rows).length,
        late: rows.late.length,
        answered: rows.answers.flatMap((row) => Object.values(row.value)).filter(isAnswered).length,
        // until the details are given nothing is finished
        finish: instance.finish === 'details' ? null : instance.finish,
        trouble: troubleOf({ ...rows, trouble: instance.trouble }),
        savedAt: instance.savedAt,
        readiness: readinessOf(instance, stored),
      }
    }),
  )
}

/** What a disk that takes nothing, or does not respond, says of an instance whose answers are in an open page alone. */
const notStored = (instanceId: string): Stored => ({
  instanceId,
  summary: undefined,
  unsent: 0,
  late: 0,
  answered: 0,
  finish: null,
  trouble: null,
  savedAt: null,
  readiness: undefined,
})

async function statusesOf(userId: string): Promise<DeviceStatus[]> {
  const storedOrError = await storedStatusesOf(userId).catch((error: unknown) => ({ error }))
  // last: after it the watch sees no more of the database
  const unwritten = await unwrittenInTabs(userId)
  if ('error' in storedOrError && unwritten.size === 0) throw storedOrError.error
  const stored = 'error' in storedOrError ? [] : storedOrError
  const known = new Set(stored.map(({ instanceId }) => instanceId))
  const unknown = [...unwritten.keys()].filter((instanceId) => !known.has(instanceId))
  return [...stored, ...unknown.map(notStored)].map((status) => {
    const { instanceId } = status
    const here = unwrittenOf({ userId, instanceId })
    return { ...status, unwritten: here, unwrittenElsewhere: (unwritten.get(instanceId)?.size ?? here) - here }
  })
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
  lookAtDevice(userId).catch((error: unknown) => console.warn('Not known whether this device is ready for no signal', error))
  // what the worker keeps, the disk refused, and other tabs' taps are not seen by the watch
  const stopped = [onReadiness(readAgain), onUnwritten(readAgain), network.subscribe(readAgain)]
  const channel = new BroadcastChannel(answersChannel)
  channel.addEventListener('message', readAgain)
  // another tab may have gone with what it alone held
  document.addEventListener('visibilitychange', readAgain)
  return () => {
    document.removeEventListener('visibilitychange', readAgain)
    for (const stop of stopped) stop()
    channel.close()
    reading.unsubscribe()
  }
}

/** What the server has not got yet of a person, over all instances and all tabs. */
export async function waitingOf(userId: string | undefined): Promise<Waiting> {
  const waiting: Waiting = { answers: 0, unwritten: 0, late: 0, submits: 0, hasDraft: await hasDraft(userId), refusal: undefined }
  if (userId === undefined) return waiting
  // first: what is written meanwhile is counted once all the same
  const unwritten = await unwrittenInTabs(userId)
  // a disk that takes nothing may not have their instance either
  for (const { size } of unwritten.values()) waiting.unwritten += size
  waiting.answers = waiting.unwritten
  for (const instance of await instancesOf(userId)) {
    const rows = await loadRows(instance)
    const counted = unwritten.get(instance.instanceId)
    waiting.answers += unsentOf(rows).filter(({ questionId }) => !counted?.has(questionId)).length
    waiting.late += rows.late.length
    // after `complete` only the result is left to be read
    if (instance.finish === 'save' || instance.finish === 'complete') waiting.submits += 1
    waiting.refusal ??= troubleOf({ ...rows, trouble: instance.trouble })?.code
  }
  return waiting
}

/** A coach's list of players with somebody on it who was not sent an assessment. */
async function hasDraft(userId: string | undefined): Promise<boolean> {
  const stored = userId === undefined ? undefined : await onDevice(() => db.reads.get([userId, DRAFT_KEY]))
  if (!stored?.value) return false
  const { isUnsent } = await loadAssignDraft()
  return isUnsent(stored.value as AssignDraft) // written by keepAssignDraft alone
}
