import type { WaitingCounts } from '#app/session/private-store.ts'
import { DRAFT_KEY } from './assign-draft-key.ts'
import { loadAssignDraft, loadParagraphMarks } from './lazy-reads.ts'
import { localStatesOf, readStored, wasDeleted } from './store/device-store.ts'
import { isSubmitWaiting, troubleOf, unsentOf } from '#app/sync/sync.ts'
import { unwrittenInTabs, unwrittenMarksOf } from './sending/unwritten-in-tabs.ts'
import type { AssignDraft } from './assign-draft.ts'

/** Counts what the server does not have yet of a person, over all instances and tabs. Rejects if the device cannot be read. */
export async function waitingOf(userId: string | undefined): Promise<WaitingCounts> {
  const draft = await hasDraft(userId)
  const marks = userId === undefined ? 0 : await (await loadParagraphMarks()).countUnsentMarks(userId)
  return {
    marks,
    unwrittenMarks: userId === undefined ? 0 : unwrittenMarksOf(userId),
    hasDraft: draft,
    ...(await waitingAnswersOf(userId)),
    // after the count: missing rows may have been deleted meanwhile
    isDeleted: await wasDeleted(),
  }
}

type WaitingAnswers = Omit<WaitingCounts, 'marks' | 'unwrittenMarks' | 'hasDraft' | 'isDeleted'>

/** The answers and Submits among that, which needs no module of its own. */
export async function waitingAnswersOf(userId: string | undefined): Promise<WaitingAnswers> {
  const waiting: WaitingAnswers = { answers: 0, unwritten: 0, late: 0, submits: 0, refusal: undefined }
  if (userId === undefined) return waiting
  // before the rows: an answer that is written meanwhile is counted once, not missed
  const unwritten = await unwrittenInTabs(userId)
  // counted by themselves, as their instance may not be on the disk either
  for (const { size } of unwritten.values()) waiting.unwritten += size
  waiting.answers = waiting.unwritten
  for (const { key, instance, trouble, rows } of await localStatesOf(userId)) {
    const counted = unwritten.get(key.instanceId)
    waiting.answers += unsentOf(rows).filter(({ questionId }) => !counted?.has(questionId)).length
    waiting.late += rows.late.length
    if (instance && isSubmitWaiting(instance.finish)) waiting.submits += 1
    waiting.refusal ??= troubleOf({ ...rows, trouble })?.code
  }
  return waiting
}

/** Whether the coach's list of players has somebody on it who was not sent an assessment. */
async function hasDraft(userId: string | undefined): Promise<boolean> {
  const stored = userId === undefined ? undefined : await readStored<AssignDraft | null>(userId, DRAFT_KEY)
  if (!stored?.value) return false
  const { hasUnsent } = await loadAssignDraft()
  return hasUnsent(stored.value)
}
