import { call } from '#app/api/call.ts'
import { instances, type Instance } from '#contract/instances.ts'
import { mayStore } from './owner.ts'
import { storeInstance } from './store/device-store.ts'
import type { ReadyInstance } from './store/stored.ts'
import { currentContent, fetchWords } from './content-words.ts'

/** An instance as the questionnaire shows it: from the server, and from this device. */

export interface FetchedInstance {
  instance: Instance
  /** resolves when the device has it, or is known not to take it */
  stored: Promise<void>
}

/** From the server, and on to the device where it lets us. Rejects with `ApiError`. */
export async function fetchAndStoreInstance(userId: string, instanceId: string, language: string): Promise<FetchedInstance> {
  const instance = await fetchInstance(instanceId, language)
  const stored = store(userId, language, instance)
  return { instance, stored: stored.catch((error: unknown) => console.warn('The instance is not stored on this device', error)) }
}

/** What is this player's from the API, and the words beside it from their file; where there is none, all from the API. Rejects with `ApiError`. */
export async function fetchInstance(instanceId: string, language: string): Promise<Instance> {
  const params = { instanceId }
  if (currentContent === undefined) return call(instances.get, { params }, { language })
  const current = fetchWords(currentContent, language)
  const instance = await call(instances.get, { params, query: { sections: 'none' } }, { language })
  const { contentVersion } = instance
  const sections = await (contentVersion === currentContent ? current : fetchWords(contentVersion, language))
  return sections ? { ...instance, sections } : call(instances.get, { params }, { language })
}

async function store(userId: string, language: string, instance: Instance): Promise<void> {
  if (mayStore(userId)) await storeInstance(userId, language, instance, Date.now())
}

/** An instance as the server sent it, in the form in which it is stored. */
export function asReady(
  userId: string,
  language: string,
  { sections, responses: _responses, groups: _groups, hash: _hash, ...summary }: Instance,
): ReadyInstance {
  return {
    sections,
    language,
    instance: {
      userId,
      instanceId: summary.instanceId,
      contentVersion: summary.contentVersion,
      summary,
      languages: [],
      finish: null,
      trouble: null,
      savedAt: null,
      storedAt: Date.now(),
    },
  }
}
