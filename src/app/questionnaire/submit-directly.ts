import { isApiError, staysUnknown } from '#app/api/api-error.ts'
import { call } from '#app/api/call.ts'
import { network } from '#app/api/network.ts'
import { invalidateChangedBy } from '#app/api/query-port.ts'
import { mayStore } from '#app/device/owner.ts'
import { removeSent } from '#app/device/store/device-store.ts'
import type { InstanceKey } from '#app/device/store/stored.ts'
import { instances } from '#contract/instances.ts'
import type { ScreenAnswers } from './answers.ts'

/**
 * results: completed, show the results · results-before: completed by an earlier Submit, without what was answered since · not-submitted: the
 * server does not take it now, nor has it taken one · unsure: its reply was lost
 */
export type DirectOutcome = 'results' | 'results-before' | 'not-submitted' | 'unsure'

/** Answers whose direct Submit got no reply. */
const unsure = new WeakSet<ScreenAnswers>()

/** Submits without the disk, which cannot be written: completes at once if the account has every answer. ANSWERS-18 */
export async function submitDirectly(key: InstanceKey, answers: ScreenAnswers | undefined): Promise<DirectOutcome> {
  const params = { instanceId: key.instanceId }
  if (!answers || !mayStore(key.userId)) return 'not-submitted'
  const isUnsure = unsure.has(answers)
  let outcome: DirectOutcome = 'results'
  // only the answers on screen tell whether the account has them all
  if (await answers.sendAll()) {
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
  invalidateChangedBy(instances.complete)
  answers.complete()
  const sent = new Set(answers.rows().answers.map(({ edit }) => edit))
  await removeSent(key, sent).catch((error: unknown) => console.warn('Answers that the account has could not be removed', error))
  return outcome
}
