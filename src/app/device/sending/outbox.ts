import { invalidateTags, invalidateChangedBy } from '#app/api/query-port.ts'
import { network, onReachable } from '#app/api/network.ts'
import { SEND_AFTER_ANSWER_MS, SEND_RETRY_MS, SEND_LOCK_DEADLINE_MS } from '#app/constants.ts'
import { arrivedInTime } from '#app/lost-part.ts'
import { withTabLock } from '#app/session/tab-lock.ts'
import { currentLanguage } from '#app/i18n/current-language.ts'
import { session } from '#app/session/session.ts'
import { signsOut } from '#app/session/unfinished-sign-out.ts'
import { instances, type InstanceSummary } from '#contract/instances.ts'
import { isOpen } from '#contract/rules/statuses.ts'
import { apiNetwork, trackSend } from './api-network.ts'
import {
  stateBeforeFetch,
  changeInstance,
  savesDeviceId,
  instancesOf,
  readSyncState,
  storedKeys,
  storeInstance,
} from '#app/device/store/device-store.ts'
import { fetchOwn } from '#app/device/fetch-instance.ts'
import { loadMissingDetails, loadParagraphMarks } from '#app/device/lazy-reads.ts'
import { mayStore } from '#app/device/owner.ts'
import type { LocalizedResults } from '#app/device/results.ts'
import { isMarksKey } from '#app/device/stored-marks.ts'
import { unwrittenMarksOf } from './unwritten-in-tabs.ts'
import { readFailed } from '#app/device/store/store-events.ts'
import type { InstanceKey, StoredInstance } from '#app/device/store/stored.ts'
import { devicePort } from './device-port.ts'
import { sendRowsToServer } from './send-rows-to-server.ts'
import { sendTrouble } from './send-trouble.ts'
import { allowRetryOfMissing, storeMissing } from './store-missing.ts'
import { setSending, emitChanged, sentDirectly } from './sync-events.ts'
import {
  isSubmitWaiting,
  SendFailure,
  syncInstance,
  type AnswerRow,
  type DevicePort,
  type FinishStep,
  type NetworkPort,
  type OperationRow,
} from '#app/sync/sync.ts'

/**
 * Sends what the server has not acknowledged, whenever the API can be reached (ANSWERS-8): soon after an answer, on Next,
 * Save and exit and Submit, at start, on reconnect, when the page becomes visible, and every 30 s while anything waits.
 * It has no queue of its own: what it sends is the set of unacknowledged rows in the store.
 */

let running: Promise<void> | undefined
let isRunDue = false
let sendTimer: ReturnType<typeof setTimeout> | undefined

/** The id of the user whose answers are sent. Undefined while they sign out, in whatever tab: the answers may have been discarded. */
function owner(): string | undefined {
  const userId = session.get().user?.id
  return signsOut(userId) ? undefined : userId
}

/** Sends now; resolves when everything is sent or has to wait. Never rejects. */
export function sendNow(): Promise<void> {
  clearTimeout(sendTimer)
  sendTimer = undefined
  if (running) {
    isRunDue = true
    return running
  }
  running = runRounds().finally(() => {
    running = undefined
  })
  return running
}

/** Sends after a second, so that several taps go into one save. */
export function sendSoon(): void {
  sendTimer ??= setTimeout(() => void sendNow(), SEND_AFTER_ANSWER_MS)
}

async function runRounds(): Promise<void> {
  do {
    isRunDue = false
    if (!network.isReachable() || session.get().status === 'guest' || !sendTrouble.maySend()) return
    try {
      await withTabLock('touchline.outbox', SEND_LOCK_DEADLINE_MS, sendAll)
    } catch (error) {
      console.error('Answers could not be sent', error)
    }
  } while (isRunDue)
}

async function sendAll(): Promise<void> {
  const userId = owner()
  if (userId === undefined) return
  try {
    await sendAnswers(userId)
  } finally {
    // even if the device cannot be read: marks that it did not store are in this page
    if (owner() === userId) await sendMarks(userId)
  }
}

async function sendAnswers(userId: string): Promise<void> {
  const stored = await instancesOf(userId).catch(announceFailedRead())
  for (const { instanceId, finish } of stored) await sendInstance({ userId, instanceId }, finish)
  // last, as it reads the account first, which must not delay the others
  for (const instanceId of await storeMissing(userId)) await sendInstance({ userId, instanceId }, null)
}

const announceFailedRead =
  (key?: InstanceKey) =>
  (error: unknown): never => {
    readFailed.emit(key)
    throw error
  }

/** Marks on the paragraphs of results, after the answers. Never rejects. */
async function sendMarks(userId: string): Promise<void> {
  try {
    const isMarked = unwrittenMarksOf(userId) > 0 || (await storedKeys(userId)).some(isMarksKey)
    if (isMarked) await (await loadParagraphMarks()).sendMarks(userId)
  } catch (error) {
    console.warn('Marks could not be sent', error)
  }
}

/** Never rejects, so that one instance's failure does not stop the others (ANSWERS-7). */
async function sendInstance(key: InstanceKey, finish: FinishStep | null): Promise<void> {
  try {
    if (finish === 'details') await continueAfterDetails(key)
    await syncInstance({
      device: announcingDevice(key),
      network: announcingNetwork(key),
      pull: () => pull(key),
      isOwner: () => owner() === key.userId,
      randomId: () => crypto.randomUUID(),
      // the device's clock, as for every time on these screens
      now: Date.now,
      instanceId: key.instanceId,
      deviceId: await savesDeviceId(),
    })
  } catch (error) {
    console.error(`Answers of ${key.instanceId} could not be sent`, error)
  } finally {
    setSending(undefined)
    emitChanged(key)
  }
}

/** Reads the instance and merges the account's answers into this device's. Rejects with `SendFailure`. */
async function pull({ userId, instanceId }: InstanceKey): Promise<void> {
  const language = currentLanguage()
  const before = await stateBeforeFetch({ userId, instanceId })
  const instance = await trackSend(fetchOwn({ userId, instanceId }, language))
  if (mayStore(userId)) await storeInstance(userId, language, instance, before, { mayStore: () => mayStore(userId) })
}

/**
 * Revisions in the account's list that are below this device's, and open instances missing from it, mean a server restored from a
 * backup: reads those instances and sends what the server lost. ANSWERS-17 Reads also what the list has as completed while its Submit
 * waits here: the reply was lost.
 */
export async function compareWithList(
  userId: string,
  list: readonly Pick<InstanceSummary, 'instanceId' | 'revision' | 'status'>[],
): Promise<void> {
  const listed = new Map(list.map((summary) => [summary.instanceId, summary]))
  const differs = ({ instanceId, summary, trouble, finish }: StoredInstance) => {
    const there = listed.get(instanceId)
    if (there) return there.revision < summary.revision || (there.status === 'COMPLETED' && isSubmitWaiting(finish))
    // one with a refusal was read before
    return isOpen(summary.status) && summary.revision > 0 && trouble === null
  }
  const different = (await instancesOf(userId)).filter(differs)
  if (different.length === 0 || !network.isReachable()) return
  for (const { instanceId } of different) {
    // the read itself notes a missing instance
    await pull({ userId, instanceId }).catch((error: unknown) => {
      if (!(error instanceof SendFailure) || error.reason === 'unreachable') throw error
    })
    emitChanged({ userId, instanceId })
  }
  await sendNow()
}

/** Continues a Submit that waits for the details (QUESTIONS-19), if they were given meanwhile, here or on another device. */
async function continueAfterDetails(key: InstanceKey): Promise<void> {
  // without this part of the app Submit goes on waiting, but the answers are sent
  const details = await arrivedInTime(loadMissingDetails()).catch(() => undefined)
  if (details && !(await details.areDetailsMissing(key.userId))) await changeInstance(key, { finish: 'save' })
}

/** `devicePort` that an open questionnaire hears of where it fails, and whose rows are sent without it where it cannot be written. */
function announcingDevice(key: InstanceKey): DevicePort<LocalizedResults> {
  const device = devicePort(key, () => emitChanged(key))
  return {
    ...device,
    load: () => device.load().catch(announceFailedRead(key)),
    storeOperation: (operation) => storeOrSendWithout(key, device, operation),
  }
}

/** Stores an operation. Sends its rows without it where the disk refuses it, and rejects all the same. */
async function storeOrSendWithout(key: InstanceKey, device: DevicePort<LocalizedResults>, operation: OperationRow): Promise<void> {
  try {
    await device.storeOperation(operation)
  } catch (error) {
    // one refused answer says nothing of the others, which wait until the disk takes an operation
    await sendWithoutOperation(key, operation).catch((failure: unknown) => console.warn('Could not send without the disk', failure))
    throw error
  }
}

/** Edits that the account has and a disk that cannot be written goes on having as unsent: each is sent once by this page. */
const sentWithoutOperation = new Set<string>()

/** Sends the rows of an operation that the disk refused. Rejects with `SendFailure`. ANSWERS-18 */
async function sendWithoutOperation(key: InstanceKey, { edits }: OperationRow): Promise<void> {
  const state = await readSyncState(key)
  const rows = state?.answers.filter(({ questionId, edit }) => edits[questionId] === edit && !sentWithoutOperation.has(edit)) ?? []
  if (!state || rows.length === 0) return
  const sent = await sendDirectly(key, state.contentVersion, rows, false)
  for (const edit of sent) sentWithoutOperation.add(edit)
  sentDirectly.emit({ ...key, edits: sent })
}

/** `apiNetwork` that also announces to screens that the instance is being sent. */
function announcingNetwork(key: InstanceKey): NetworkPort<LocalizedResults> {
  const { instanceId } = key
  const calls = apiNetwork(key)
  return {
    save: async (body) => {
      setSending(instanceId)
      return calls.save(body)
    },
    complete: async () => {
      setSending(instanceId)
      await calls.complete()
      invalidateChangedBy(instances.complete)
    },
    results: async () => {
      setSending(instanceId)
      return calls.results()
    },
  }
}

/**
 * Sends rows that the disk refused straight to the server. Rejects with `SendFailure`. ANSWERS-18
 * @returns the edits that the server took; none while it cannot be reached
 */
export async function sendDirectly(
  key: InstanceKey,
  contentVersion: string,
  rows: readonly AnswerRow[],
  isManual: boolean,
): Promise<string[]> {
  const isReachable = isManual ? await network.probe() : network.isReachable()
  if (!isReachable || owner() !== key.userId) return []
  const identity = { instanceId: key.instanceId, deviceId: await savesDeviceId(), contentVersion }
  const sent = await sendRowsToServer(rows, identity, (body) => apiNetwork(key).save(body), isManual)
  // the dashboard cannot read the progress from the disk, so it fetches it
  if (sent.length > 0) invalidateTags(['AssessmentInstance'])
  return sent
}

/** Clears the reason of a refusal and sends the answers again, as the player asked. ANSWERS-7 */
export async function retry(key: InstanceKey): Promise<void> {
  await changeInstance(key, { trouble: null })
  await allowRetryOfMissing(key)
  emitChanged(key)
  await sendNow()
}

/** A session listener that calls `listener` when a user becomes verified, but not after a mere token refresh (SESSION-10). */
function onSignedIn(listener: () => void): () => void {
  let before: string | undefined
  return () => {
    const { status, user } = session.get()
    const now = status === 'verified' ? user?.id : undefined
    if (now !== undefined && now !== before) listener()
    before = now
  }
}

/** Starts sending at every moment listed above. Called once, by start.ts. */
export function startOutbox(): void {
  const sendIfAllowed = () => sendTrouble.mayRetry() && void sendNow()
  onReachable(sendIfAllowed)
  // whoever signs in does not wait for the back-off
  session.subscribe(onSignedIn(() => void sendNow()))
  document.addEventListener('visibilitychange', sendIfAllowed)
  addEventListener('pagehide', sendIfAllowed)
  setInterval(sendIfAllowed, SEND_RETRY_MS)
  sendIfAllowed()
}
