import type { Instance } from '#contract/instances.ts'
import type { ReadyInstance } from './store/stored.ts'

/** Converts the server's instance into the form in which it is stored. */
export function asReady(
  userId: string,
  language: string,
  { sections, responses: _responses, groups: _groups, hash: _hash, fileSeal, ...summary }: Instance,
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
      fileSeal,
    },
  }
}
