import { call } from '#app/api/call.ts'
import { instances, type Instance } from '#contract/instances.ts'
import type { Section } from '#contract/rules/questionnaire.ts'
import { mayStore } from './owner.ts'
import { loadDeviceStore } from './lazy.ts'
import type { StoredInstance } from './store/stored.ts'
import { currentContent, fetchWords } from './content-words.ts'

/** An instance as the questionnaire shows it: from the server, and from this device. */

export interface ReadyInstance {
  instance: StoredInstance
  sections: Section[]
  /** of the sections */
  language: string
}

export interface FetchedInstance {
  instance: Instance
  /** resolves when the device has it, or is known not to take it */
  kept: Promise<void>
}

/** From the server, and on to the device where it lets us. Rejects with `ApiError`. */
export async function fetchInstance(userId: string, instanceId: string, language: string): Promise<FetchedInstance> {
  const instance = await readInstance(instanceId, language)
  const kept = keep(userId, language, instance)
  return { instance, kept: kept.catch((error: unknown) => console.warn('The instance is not kept on this device', error)) }
}

/** What is this player's from the API, and the words beside it from their file; where there is none, all from the API. Rejects with `ApiError`. */
export async function readInstance(instanceId: string, language: string): Promise<Instance> {
  const params = { instanceId }
  if (currentContent === undefined) return call(instances.get, { params }, { language })
  const current = fetchWords(currentContent, language)
  const instance = await call(instances.get, { params, query: { sections: 'none' } }, { language })
  const { contentVersion } = instance
  const sections = await (contentVersion === currentContent ? current : fetchWords(contentVersion, language))
  return sections ? { ...instance, sections } : call(instances.get, { params }, { language })
}

async function keep(userId: string, language: string, instance: Instance): Promise<void> {
  const { storeInstance } = await loadDeviceStore()
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
