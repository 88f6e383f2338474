import { isApiError } from '#app/api/api-error.ts'
import { call } from '#app/api/call.ts'
import { instances, type Instance } from '#contract/instances.ts'
import { mayStore, mayStoreReads } from './owner.ts'
import { emitChanged } from './sending/sync-events.ts'
import { stateBeforeFetch, forgetAcknowledged, storeInstance } from './store/device-store.ts'
import type { StateBeforeFetch, InstanceKey } from './store/stored.ts'
import { currentContent, fetchSections } from './content-words.ts'

export interface FetchedInstance {
  instance: Instance
  /** whether the device stored it; never rejects */
  stored: Promise<boolean>
}

/** Reads an instance from the server and starts storing it on the device. Rejects with `ApiError`. */
export async function fetchAndStoreInstance(userId: string, instanceId: string, language: string): Promise<FetchedInstance> {
  const reading = stateBeforeFetch({ userId, instanceId })
  const instance = await fetchOwn({ userId, instanceId }, language)
  const stored = reading
    .then((before) => store(userId, language, instance, before))
    .catch((error: unknown) => {
      console.warn('The instance is not stored on this device', error)
      return false
    })
  return { instance, stored }
}

/** `fetchInstance` for a stored instance: notes on the device if the server does not have it any more. ANSWERS-17 */
export async function fetchOwn(key: InstanceKey, language: string): Promise<Instance> {
  try {
    return await fetchInstance(key, language)
  } catch (error) {
    if (isMissing(error) && mayStore(key.userId))
      await forgetAcknowledged(key, Date.now()).then(
        (isChanged) => isChanged && emitChanged(key),
        (problem: unknown) => console.warn('Could not record what the server lost', problem),
      )
    throw error
  }
}

/** Whether our own server says that it has no such instance. */
export const isMissing = (error: unknown) => isApiError(error) && error.code === 'NOT_FOUND'

/** Reads the player's data from the API and the sections from their file; without a file, all from the API. Rejects with `ApiError`. */
export async function fetchInstance({ userId, instanceId }: InstanceKey, language: string): Promise<Instance> {
  const params = { instanceId }
  if (currentContent === undefined) return call(instances.get, { params }, { language, userId })
  const current = fetchSections(currentContent, language)
  const instance = await call(instances.get, { params, query: { sections: 'none' } }, { language, userId })
  const { contentVersion } = instance
  const sections = await (contentVersion === currentContent ? current : fetchSections(contentVersion, language))
  return sections ? { ...instance, sections } : call(instances.get, { params }, { language, userId })
}

async function store(userId: string, language: string, instance: Instance, before: StateBeforeFetch): Promise<boolean> {
  if (!mayStoreReads(userId)) return false
  await storeInstance(userId, language, instance, before, { mayStore: () => mayStoreReads(userId) })
  return true
}
