import type { FileContent, FileRow } from '#contract/rules/answers-file.ts'
import { fateInFile, type LateGroup, type LoggedGroup, type StoredGroup } from '#contract/rules/merge.ts'
import {
  completionStatusOf,
  emptyGroup,
  groupProblem,
  type GroupValue,
  type Question,
  type Section,
} from '#contract/rules/questionnaire.ts'
import { hashOf } from '#contract/rules/receipt.ts'
import { ATTEMPTS, type AnswersChange, type AnswersPort, type AnswersSnapshot } from './save-answers.ts'

/**
 * Merging an answers file (decision 0047): a save whose operation id is the file's, decided group by group by `fateInFile`. Pure,
 * behind the same port as saveAnswers, so that it runs in the simulation of `tests/chaos/`.
 */

/** A file whose seal was opened. */
interface OpenedFile extends FileContent {
  instanceId: string
  userId: string
  contentVersion: string
}

/** Numbers of questions. */
interface FileCounts {
  stored: number
  there: number
  elsewhere: number
  refused: number
}

type FileRefusal =
  | 'ANSWERS_FILE_UNKNOWN'
  | 'ANSWERS_FILE_DAMAGED'
  | 'ALREADY_COMPLETED'
  | 'INSTANCE_RECLAIMED'
  | 'CONTENT_VERSION_MISMATCH'
  /** other saves came first each time: a retry may succeed */
  | 'BUSY'

type FileOutcome = { counts: FileCounts } | { refusal: FileRefusal }

/** Stores what the account does not have, or says why not. Throws nothing of its own; errors of the port pass through. */
export async function mergeFile(
  port: AnswersPort,
  sectionsOf: (contentVersion: string) => readonly Section[],
  file: OpenedFile,
): Promise<FileOutcome> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const snapshot = await port.read(file.instanceId, file.userId, file.id, 'fresh')
    if (!snapshot) return { refusal: 'ANSWERS_FILE_UNKNOWN' }
    // after the snapshot: what is logged in between changes the revision, so the write below finds out
    const known = await port.readLogged(file.instanceId, file.known)
    const decision = decide(snapshot, known, sectionsOf, file)
    if (!('change' in decision)) return decision
    if ((await port.write(decision.change)) !== undefined) return { counts: decision.counts }
  }
  return { refusal: 'BUSY' }
}

type Decision = FileOutcome | { change: AnswersChange; counts: FileCounts }

function decide(
  snapshot: AnswersSnapshot,
  logged: readonly LoggedGroup[],
  sectionsOf: (contentVersion: string) => readonly Section[],
  file: OpenedFile,
): Decision {
  const sections = sectionsOf(snapshot.contentVersion)
  const { groups: sent, refused } = groupsIn(sections, file.rows)
  const contentHash = hashOf(JSON.stringify([file.rows, file.known, file.saving, file.device]))
  // a repeat gets the first reply, even if the instance has been completed since
  const { operation } = snapshot
  if (operation) {
    if (operation.contentHash !== contentHash) return { refusal: 'ANSWERS_FILE_DAMAGED' }
    return { counts: countsOf(operation.groups.length, operation.superseded.length, sent.length, refused) }
  }
  if (snapshot.status === 'COMPLETED') return { refusal: 'ALREADY_COMPLETED' }
  if (snapshot.status === 'RECLAIMED') return { refusal: 'INSTANCE_RECLAIMED' }
  if (file.contentVersion !== snapshot.contentVersion) return { refusal: 'CONTENT_VERSION_MISMATCH' }

  const known = new Map<string, number>()
  for (const { questionId, revision } of logged) known.set(questionId, Math.max(revision, known.get(questionId) ?? 0))
  const current = new Map(snapshot.groups)
  const changed: StoredGroup[] = []
  const added: StoredGroup[] = []
  const groups: LoggedGroup[] = []
  const superseded: LateGroup[] = []
  for (const one of sent) {
    const { questionId, value, base } = one
    const stored = current.get(questionId)
    const fate = fateInFile(stored, one, file.device, known.get(questionId) ?? 0)
    if (fate === 'there') continue
    if (fate === 'superseded' && stored) {
      superseded.push({ questionId, value, base, current: { revision: stored.revision, value: stored.value } })
      continue
    }
    const next = { questionId, value, revision: (stored?.revision ?? 0) + 1, device: file.device, order: one.order ?? null }
    if (stored) changed.push(next)
    else added.push(next)
    groups.push({ questionId, value, revision: next.revision, base })
    current.set(questionId, next)
  }

  const counts = countsOf(groups.length, superseded.length, sent.length, refused)
  // nothing to store or to log: the instance stays as it is
  if (groups.length + superseded.length === 0) return { counts }
  return {
    counts,
    change: {
      instanceId: file.instanceId,
      userId: file.userId,
      expectedRevision: snapshot.revision,
      lastSave: null,
      changed,
      added,
      device: file.device,
      operation: { id: file.id, contentHash },
      closes: file.saving,
      save: {
        revision: snapshot.revision + 1,
        completionStatus: completionStatusOf(sections, (id) => current.get(id)?.value),
        groups,
        superseded,
      },
    },
  }
}

function countsOf(stored: number, elsewhere: number, sent: number, refused: number): FileCounts {
  return { stored, there: sent - stored - elsewhere, elsewhere, refused }
}

interface SentGroup extends FileRow {
  value: GroupValue
}

/** The rows that the rules accept, each with all its items, and how many they refuse. One refused group never stops another. */
function groupsIn(sections: readonly Section[], rows: readonly FileRow[]): { groups: SentGroup[]; refused: number } {
  const places = new Map<string, { section: Section; question: Question }>()
  for (const section of sections) for (const question of section.questions) places.set(question.id, { section, question })
  const groups = new Map<string, SentGroup>()
  for (const row of rows) {
    const place = places.get(row.questionId)
    if (!place || place.section.name !== row.sectionName) continue
    const value = { ...emptyGroup(place.question), ...row.value }
    if (groupProblem(place.section, place.question, value) === undefined) groups.set(row.questionId, { ...row, value })
  }
  return { groups: [...groups.values()], refused: rows.length - groups.size }
}
