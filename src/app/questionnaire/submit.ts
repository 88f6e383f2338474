import { network } from '#app/api/network.ts'
import type { ScreenAnswers } from './answers.ts'
import { sendNow } from '#app/device/lazy.ts'
import { arrivedInTime } from '#app/lost-part.ts'
import { trySetItem } from '#app/ui/browser/try-set-item.ts'
import { loadMissingDetails } from '#app/device/lazy-reads.ts'
import { PageReloading } from '#app/ui/browser/load-once.ts'
import { changeInstance, loadDexie, readInstance } from '#app/device/store/device-store.ts'
import type { InstanceKey } from '#app/device/store/stored.ts'
import { emitChanged } from '#app/device/sending/sync-events.ts'
import { loadSubmitDirectly } from './lazy.ts'
import type { DirectOutcome } from './submit-directly.ts'

/**
 * `DirectOutcome` if the disk does not take it · results: completed, show the results · open: an item is unanswered after all · waiting: stored
 * here, sent when possible (ANSWERS-10) · part-lost: not submitted, as the part of the app that does it has not arrived
 */
export type SubmitOutcome = DirectOutcome | 'results' | 'open' | 'waiting' | 'part-lost'

/**
 * Submits, unless details of the profile are missing: then 'details', and Submit waits for them (QUESTIONS-19). Rejects with `ApiError`
 * where the server refuses.
 */
export async function submitOrRequestDetails(key: InstanceKey, answers: ScreenAnswers): Promise<SubmitOutcome | 'details'> {
  // until its parts are here: the page may reload for one of them
  noteLostSubmit(key.instanceId)
  // if this part of the app cannot be loaded, nothing is known of the details, as without a stored profile
  const loading = arrivedInTime(loadMissingDetails())
  const details = await loading.catch((error: unknown) => (error instanceof PageReloading ? 'after-reload' : undefined))
  if (details === 'after-reload') {
    // the reloaded page continues from there (use-lost-submit.ts), as after the form; without a reply there is no reload
    await waitForDetails(key)
    return (await network.probe()) ? 'part-lost' : submit(key, answers)
  }
  if (!(await details?.areDetailsMissing(key.userId))) return submit(key, answers)
  forgetLostSubmit()
  await waitForDetails(key)
  return 'details'
}

/**
 * Submits an instance. The step is stored before anything is sent, so an interrupted Submit continues at the next start.
 * Rejects with `ApiError` where the server refuses. QUESTIONS-17, ANSWERS-10
 */
export async function submit(key: InstanceKey, answers?: ScreenAnswers): Promise<SubmitOutcome> {
  const isHere = await arrivedInTime(loadDexie()).catch(() => undefined)
  if (!isHere) return partLost(key)
  forgetLostSubmit()
  if (!(await storeSubmit(key))) {
    const direct = await arrivedInTime(loadSubmitDirectly()).catch(() => undefined)
    return direct ? direct.submitDirectly(key, answers) : partLost(key)
  }
  emitChanged(key)
  await sendNow()
  const instance = await readInstance(key)
  if (instance?.summary.status === 'COMPLETED') return 'results'
  return instance?.finish ? 'waiting' : 'open'
}

/** Resolves to whether the device has stored it. */
async function storeSubmit(key: InstanceKey): Promise<boolean> {
  try {
    await changeInstance(key, { finish: 'save', trouble: null })
    return (await readInstance(key)) !== undefined
  } catch (error) {
    console.warn('Submit cannot be stored on this device', error)
    return false
  }
}

/** Submit waits until the details are given (QUESTIONS-19). Stored, as the tab may be closed meanwhile. */
async function waitForDetails(key: InstanceKey): Promise<void> {
  try {
    await changeInstance(key, { finish: 'details' })
  } catch (error) {
    // the details form is shown all the same; after it Submit may have to be pressed again
    console.warn('Submit cannot be stored on this device', error)
  }
}

/** Whether Submit is under way or done; false while it waits for the details. */
export async function isSubmitted(key: InstanceKey): Promise<boolean> {
  const instance = await readInstance(key)
  return instance?.summary.status === 'COMPLETED' || (instance?.finish ?? 'details') !== 'details'
}

/** The session storage key of an instance whose Submit was lost with a part of the app, also if the page has reloaded for it since. */
const LOST_SUBMIT_KEY = 'lostSubmit'

const noteLostSubmit = (instanceId: string) => trySetItem(LOST_SUBMIT_KEY, instanceId, sessionStorage)
export const wasSubmitLost = (instanceId: string) => sessionStorage.getItem(LOST_SUBMIT_KEY) === instanceId
const forgetLostSubmit = () => sessionStorage.removeItem(LOST_SUBMIT_KEY)

function partLost({ instanceId }: InstanceKey): 'part-lost' {
  noteLostSubmit(instanceId)
  return 'part-lost'
}

/** Cancels a Submit that was not sent yet, so that the player can change answers. */
export async function reopen(key: InstanceKey): Promise<void> {
  await changeInstance(key, { finish: null })
  emitChanged(key)
}
