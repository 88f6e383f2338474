import type { Section } from '#contract/rules/questionnaire.ts'
import type { AnswerRow } from '#app/sync/sync.ts'
import { unsentOf } from '#app/sync/sync.ts'
import { fetchInstance } from './fetch-instance.ts'
import { discardUnsent, editsOf, readQuestionnaire } from './store/device-store.ts'
import type { InstanceKey } from './store/stored.ts'
import { tellChanged } from './sending/sync-events.ts'

/**
 * Discards unsent answers of an instance. Rejects with `ApiError` if the account's answers cannot be read: then nothing is
 * discarded. ANSWERS-7
 * @param edits only these; undefined: all
 * @param isEnded the instance is completed or reclaimed: there is nothing to read from the account
 */
export async function discard(key: InstanceKey, language: string, edits: readonly string[] | undefined, isEnded: boolean): Promise<void> {
  const discarded = edits ? new Set(edits) : await editsOf(key)
  // read first, as the account's answers replace the discarded ones
  const instance = isEnded ? undefined : await fetchInstance(key.instanceId, language)
  await discardUnsent(key, discarded, instance)
  tellChanged(key)
}

/** What discarding an instance's unsent answers would lose. `sections` has the words of the questions, if they are on this device. */
export async function unsentAnswersOf(key: InstanceKey, language: string): Promise<{ unsent: AnswerRow[]; sections: readonly Section[] }> {
  const stored = await readQuestionnaire(key, language)
  return { unsent: stored ? unsentOf(stored.rows) : [], sections: stored?.sections ?? [] }
}
