import { network } from '#app/api/network.ts'
import type { Section } from '#contract/rules/questionnaire.ts'
import type { LateRow } from '#app/sync/rows.ts'
import type { AnswerRow } from '#app/sync/sync.ts'
import { isSubmitWaiting, unsentOf } from '#app/sync/sync.ts'
import { fetchInstance, isMissing } from './fetch-instance.ts'
import { mayStore } from './owner.ts'
import {
  changeInstance,
  discardUnsent,
  dismissLate,
  readInstance,
  readQuestionnaire,
  readRows,
  stateBeforeFetch,
} from './store/device-store.ts'
import { answersChannel, type InstanceKey } from './store/stored.ts'
import { broadcast } from './sending/broadcast.ts'
import { emitChanged } from './sending/sync-events.ts'

/**
 * Discards unsent answers of an instance, on every screen that shows them. Rejects with `ApiError` if the account's answers cannot be
 * read: then nothing is discarded. ANSWERS-7
 * @param edits only these, which were named to the player
 * @param isEnded the instance is completed or reclaimed: there is nothing to read from the account
 */
export async function discard(key: InstanceKey, language: string, edits: readonly string[], isEnded: boolean): Promise<void> {
  const before = await stateBeforeFetch(key)
  // read first, as the account's answers replace the discarded ones
  const server = isEnded ? 'ended' : await fetchInstance(key, language).catch(missing)
  // otherwise the account's answers would be stored again on a device from which they were just cleared (SESSION-16)
  if (!mayStore(key.userId)) throw new Error('whoever discards has left meanwhile')
  await discardUnsent(key, new Set(edits), server, before)
  // before `emitChanged`, as a screen whose questions do not fit on the disk keeps rows that the disk lacks
  broadcast(answersChannel, { ...key, discarded: [...edits] })
  emitChanged(key)
}

/** A server without the instance will never give its answers: those that wait for it can still be discarded. */
function missing(error: unknown): 'missing' {
  if (isMissing(error)) return 'missing'
  throw error
}

/** What discarding would lose. `sections` has the words of the questions, if they are on this device. */
export interface Loss {
  unsent: readonly AnswerRow[]
  /** replaced by another device's */
  late: readonly LateRow[]
  sections: readonly Section[]
}

/** Discards all that an instance has here and the account has not, as named in `Loss`, with its Submit. Rejects as `discard`. */
export async function discardAll(key: InstanceKey, language: string, { unsent, late }: Loss, isEnded: boolean): Promise<void> {
  if (unsent.length > 0 || isEnded) {
    const edits = unsent.map(({ edit }) => edit)
    await discard(key, language, edits, isEnded)
  }
  for (const one of late) await dismissLate(key, one)
  const finish = (await readInstance(key))?.finish ?? null
  // a Submit that waits for the details was not named, and one that has arrived cannot be cancelled
  await changeInstance(key, { trouble: null, ...(isSubmitWaiting(finish) && { finish: null }) })
  emitChanged(key)
}

/** What `discardAll` would lose, even if the questions are not on the disk. */
export async function lossOf(key: InstanceKey, language: string): Promise<Loss> {
  const [stored, { answers, receipts, late }] = await Promise.all([readQuestionnaire(key, language), readRows(key)])
  return { unsent: unsentOf({ answers, receipts }), late, sections: stored?.sections ?? (await sectionsOf(key, language)) }
}

/** The sections of an assessment whose questions the disk did not take, if the server gives them. */
async function sectionsOf(key: InstanceKey, language: string): Promise<readonly Section[]> {
  if (!network.isReachable()) return []
  return fetchInstance(key, language).then(
    ({ sections }) => sections,
    () => [],
  )
}
