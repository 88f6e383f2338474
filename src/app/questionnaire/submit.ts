import { isApiError, staysUnknown } from '#app/api/api-error.ts'
import { call } from '#app/api/call.ts'
import { network } from '#app/api/network.ts'
import { noteChanges } from '#app/api/query-port.ts'
import type { ScreenAnswers } from './answers.ts'
import { sendNow } from '#app/device/lazy.ts'
import { loadMissingDetails } from '#app/device/lazy-reads.ts'
import { PageReloading } from '#app/device/load-once.ts'
import { changeInstance, readInstance, removeSent } from '#app/device/store/device-store.ts'
import { mayStore } from '#app/device/owner.ts'
import type { InstanceKey } from '#app/device/store/stored.ts'
import { emitChanged } from '#app/device/sending/sync-events.ts'
import { instances } from '#contract/instances.ts'

/**
 * results: completed, show the results · results-before: completed by an earlier Submit, without what was answered since · open: an item
 * is unanswered after all · waiting: stored here, sent when possible (ANSWERS-10) · not-submitted: neither the disk nor the server takes
 * it now · unsure: the disk does not, and the server's reply was lost
 */
export type SubmitOutcome = 'results' | 'results-before' | 'open' | 'waiting' | 'not-submitted' | 'unsure'

/**
 * Submits, unless details of the profile are missing: then 'details', and Submit waits for them (QUESTIONS-19). Rejects with `ApiError`
 * where the server refuses.
 */
export async function submitOrRequestDetails(key: InstanceKey, answers: ScreenAnswers): Promise<SubmitOutcome | 'details'> {
  // if this part of the app cannot be loaded, nothing is known of the details, as without a stored profile
  const details = await loadMissingDetails().catch((error: unknown) => (error instanceof PageReloading ? 'after-reload' : undefined))
  if (details === 'after-reload') {
    // the reloaded page continues from there (test.screen.tsx), as after the form; without a reply there is no reload
    await waitForDetails(key)
    return (await network.probe()) ? 'waiting' : submit(key, answers)
  }
  if (!(await details?.areDetailsMissing(key.userId))) return submit(key, answers)
  await waitForDetails(key)
  return 'details'
}

/**
 * Submits an instance. The step is stored before anything is sent, so an interrupted Submit continues at the next start.
 * Rejects with `ApiError` where the server refuses. QUESTIONS-17, ANSWERS-10
 */
export async function submit(key: InstanceKey, answers?: ScreenAnswers): Promise<SubmitOutcome> {
  try {
    await changeInstance(key, { finish: 'save', trouble: null })
    if ((await readInstance(key)) === undefined) return await submitDirectly(key, answers)
  } catch (error) {
    console.warn('Submit cannot be stored on this device', error)
    return submitDirectly(key, answers)
  }
  emitChanged(key)
  await sendNow()
  const instance = await readInstance(key)
  if (instance?.summary.status === 'COMPLETED') return 'results'
  return instance?.finish ? 'waiting' : 'open'
}

/** Of which Submit was sent without the disk, and its reply was lost. */
const unsure = new WeakSet<ScreenAnswers>()

/** Submits without the disk, which cannot be written: completes at once if the account has every answer. ANSWERS-18 */
async function submitDirectly(key: InstanceKey, answers: ScreenAnswers | undefined): Promise<SubmitOutcome> {
  const params = { instanceId: key.instanceId }
  if (!answers || !mayStore(key.userId)) return 'not-submitted'
  const isUnsure = unsure.has(answers)
  let outcome: SubmitOutcome = 'results'
  // only the answers on screen tell whether the account has them all
  if (await answers.sendDirectly()) {
    // without a connection it is known that nothing was sent
    if (!isUnsure && !(await network.probe())) return 'not-submitted'
    try {
      await call(instances.complete, { params }, { userId: key.userId })
    } catch (error) {
      if (!staysUnknown(isUnsure, error)) {
        if (isApiError(error) && error.isTransient) return 'not-submitted'
        throw error
      }
      unsure.add(answers)
      return 'unsure'
    }
  } else {
    if (!isUnsure) return 'not-submitted'
    // what was answered since is refused if it has been completed
    const { status } = await call(instances.get, { params, query: { sections: 'none' } }, { userId: key.userId })
    if (status !== 'COMPLETED') return 'not-submitted'
    outcome = 'results-before'
  }
  noteChanges(instances.complete)
  answers.noteCompleted()
  const sent = new Set(answers.rows().answers.map(({ edit }) => edit))
  await removeSent(key, sent).catch((error: unknown) => console.warn('Answers that the account has could not be removed', error))
  return outcome
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

/** Cancels a Submit that was not sent yet, so that the player can change answers. */
export async function reopen(key: InstanceKey): Promise<void> {
  await changeInstance(key, { finish: null })
  emitChanged(key)
}
