import { network } from '#app/api/network.ts'
import { i18n } from '#app/i18n/i18n.ts'
import type { InstanceSummary } from '#contract/instances.ts'
import { isAnswered } from '#contract/rules/questionnaire.ts'
import { watchInstances } from './store/device-store.ts'
import { absentOf, checkDevice, onReadiness, readinessOf, type Readiness } from './readiness/readiness.ts'
import { answersChannel, type LocalState, type InstanceState } from './store/stored.ts'
import { troubleOf, unsentOf, type FinishStep, type Trouble } from '#app/sync/sync.ts'
import { unwrittenInTabs } from './sending/unwritten-in-tabs.ts'
import { onUnwritten, unwrittenOf } from './sending/unwritten.ts'

/** What this device knows of one instance, for the dashboard. */
export interface DeviceStatus {
  instanceId: string
  /** as the server last sent it, its name in the screen's language if it was ever read in it; undefined if the disk never stored the instance */
  summary: InstanceSummary | undefined
  /** the name is in the screen's language */
  isNamed: boolean
  /** groups that the server has not acknowledged */
  unsent: number
  /** groups that exist only in this page: neither the disk nor the server has them */
  unwritten: number
  /** groups that exist only in another tab */
  unwrittenElsewhere: number
  /** late answers of this device: replaced by another device's, until the player chooses */
  late: number
  /** items answered on this device */
  answered: number
  finish: FinishStep | null
  trouble: Trouble | null
  /** epoch ms of the server's last acknowledgement */
  savedAt: number | null
  /** for use offline; undefined while there is nothing to show */
  readiness: Readiness | undefined
}

type Stored = Omit<DeviceStatus, 'unwritten' | 'unwrittenElsewhere'>

function statusOf(state: InstanceState): Stored {
  const { instance, rows } = state
  const name = instance.names?.[i18n.language]
  return {
    instanceId: instance.instanceId,
    summary: name === undefined ? instance.summary : { ...instance.summary, name },
    isNamed: name !== undefined,
    unsent: unsentOf(rows).length,
    late: rows.late.length,
    answered: rows.answers.flatMap((row) => Object.values(row.value)).filter(isAnswered).length,
    // a Submit that waits for the details has not begun yet
    finish: instance.finish === 'details' ? null : instance.finish,
    trouble: troubleOf({ ...rows, trouble: instance.trouble }),
    savedAt: instance.savedAt,
    readiness: readinessOf(state),
  }
}

/** The status of an instance that is not on the disk. */
const statusWithoutInstance = (instanceId: string): Stored => ({
  instanceId,
  summary: undefined,
  isNamed: false,
  unsent: 0,
  late: 0,
  answered: 0,
  finish: null,
  trouble: null,
  savedAt: null,
  readiness: undefined,
})

/** The status of an open instance that could not be fetched. */
const absentStatus = (instanceId: string): Stored => ({
  ...statusWithoutInstance(instanceId),
  readiness: { state: 'lacking', lack: 'words' },
})

/** One without its instance only if answers of it exist nowhere else. */
function statusesIn({ key, instance, trouble, rows, languages }: LocalState): Stored[] {
  if (instance) return [statusOf({ instance, rows, languages })]
  const unsent = unsentOf(rows).length
  const late = rows.late.length
  return unsent + late > 0 ? [{ ...statusWithoutInstance(key.instanceId), unsent, late, trouble }] : []
}

async function statusesOf(userId: string, states: Promise<LocalState[]>): Promise<DeviceStatus[]> {
  const storedOrError = await states.then((found) => found.flatMap(statusesIn)).catch((error: unknown) => ({ error }))
  // after the stored states: the live query tracks only reads up to the first await that is not the database's
  const unwritten = await unwrittenInTabs(userId)
  if ('error' in storedOrError && unwritten.size === 0) throw storedOrError.error
  const stored = 'error' in storedOrError ? [] : storedOrError
  const known = new Set(stored.map(({ instanceId }) => instanceId))
  const unknown = [...unwritten.keys()].filter((instanceId) => !known.has(instanceId))
  const absent = absentOf(userId).filter((instanceId) => !known.has(instanceId) && !unwritten.has(instanceId))
  return [...stored, ...unknown.map(statusWithoutInstance), ...absent.map(absentStatus)].map((status) => {
    const { instanceId } = status
    const here = unwrittenOf({ userId, instanceId })
    return { ...status, unwritten: here, unwrittenElsewhere: (unwritten.get(instanceId)?.size ?? here) - here }
  })
}

const READ_RETRY_MS = 5000

/**
 * Calls the listener now and after every tap, sync or preparation, in any tab; undefined for as long as the device cannot be read. Returns a
 * function that stops it.
 */
export function watchStatuses(userId: string, listener: (statuses: DeviceStatus[] | undefined) => void): () => void {
  let retry: ReturnType<typeof setTimeout> | undefined
  const read = () =>
    watchInstances(userId, (states) => statusesOf(userId, states), {
      next: listener,
      error: (error: unknown) => {
        console.warn('The device cannot be read', error)
        // what was emitted before may be out of date
        listener(undefined)
        retry = setTimeout(reread, READ_RETRY_MS)
      },
    })
  let stopReading = read()
  const reread = () => {
    clearTimeout(retry)
    stopReading()
    stopReading = read()
  }
  const recheck = () =>
    void checkDevice(userId).catch((error: unknown) => console.warn('Could not check whether this device is ready for use offline', error))
  recheck()
  // the live query does not see the worker's cache, answers the disk refused, or other tabs' taps
  const stopped = [onReadiness(reread), onUnwritten(reread), network.subscribe(reread), network.subscribe(recheck)]
  i18n.on('languageChanged', reread)
  const channel = new BroadcastChannel(answersChannel)
  channel.addEventListener('message', reread)
  // another tab may have been closed with answers that only it had
  document.addEventListener('visibilitychange', reread)
  // the browser may have evicted something meanwhile
  document.addEventListener('visibilitychange', recheck)
  return () => {
    i18n.off('languageChanged', reread)
    document.removeEventListener('visibilitychange', reread)
    document.removeEventListener('visibilitychange', recheck)
    for (const stop of stopped) stop()
    channel.close()
    clearTimeout(retry)
    stopReading()
  }
}
