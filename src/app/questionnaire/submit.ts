import { isApiError } from '#app/api/api-error.ts'
import { call } from '#app/api/call.ts'
import { noteChanges } from '#app/api/query-port.ts'
import type { ScreenAnswers } from './answers.ts'
import { sendNow } from '#app/device/lazy.ts'
import { changeInstance, readInstance, removeSent } from '#app/device/store/device-store.ts'
import { mayStore } from '#app/device/owner.ts'
import type { InstanceKey } from '#app/device/store/stored.ts'
import { tellChanged } from '#app/device/sending/sync-events.ts'
import { instances } from '#contract/instances.ts'

/**
 * results: completed, go there · open: something is unanswered after all · waiting: done here, sent when it can be (ANSWERS-10) ·
 * not-submitted: neither the disk nor the server takes it now
 */
export type SubmitOutcome = 'results' | 'open' | 'waiting' | 'not-submitted'

/** Submit: the chain is on the disk before anything is sent, and goes on at the next start if it dies. QUESTIONS-17, ANSWERS-10 */
export async function submit(key: InstanceKey, answers?: ScreenAnswers): Promise<SubmitOutcome> {
  try {
    await changeInstance(key, { finish: 'save', trouble: null })
    if ((await readInstance(key)) === undefined) return await submitPastDisk(key, answers)
  } catch (error) {
    console.warn('Submit cannot be stored on this device', error)
    return submitPastDisk(key, answers)
  }
  tellChanged(key)
  await sendNow()
  const instance = await readInstance(key)
  if (instance?.summary.status === 'COMPLETED') return 'results'
  return instance?.finish ? 'waiting' : 'open'
}

/** A disk that takes nothing need not prevent Submit: where the account has every answer, it is completed at once. ANSWERS-18 */
async function submitPastDisk(key: InstanceKey, answers: ScreenAnswers | undefined): Promise<SubmitOutcome> {
  // only who has them on screen knows whether the account has them all
  if (!(await answers?.sendPastDisk()) || !answers || !mayStore(key.userId)) return 'not-submitted'
  try {
    await call(instances.complete, { params: { instanceId: key.instanceId } })
  } catch (error) {
    if (isApiError(error) && error.isTransient) return 'not-submitted'
    throw error
  }
  noteChanges(instances.complete)
  answers.noteCompleted()
  const sent = new Set(answers.rows().answers.map(({ edit }) => edit))
  await removeSent(key, sent).catch((error: unknown) => console.warn('Answers that the account has could not be removed', error))
  return 'results'
}

/** Submit waits until the details are given (QUESTIONS-19); it is on the disk too, for the tab may die over them. */
export async function waitForDetails(key: InstanceKey): Promise<void> {
  try {
    await changeInstance(key, { finish: 'details' })
  } catch (error) {
    // the details are asked for all the same; after them Submit may have to be pressed again
    console.warn('Submit cannot be stored on this device', error)
  }
}

/** Submit is on its way, or done. */
export async function isSubmitted(key: InstanceKey): Promise<boolean> {
  const instance = await readInstance(key)
  return instance?.summary.status === 'COMPLETED' || (instance?.finish ?? 'details') !== 'details'
}

/** The player wants to change something before it is sent. */
export async function reopen(key: InstanceKey): Promise<void> {
  await changeInstance(key, { finish: null })
  tellChanged(key)
}
