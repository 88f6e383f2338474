import type { SaveBody, SaveReply } from '#contract/instances.ts'
import { isSuperseded, sameValue, type LateGroup, type LoggedGroup, type StoredGroup } from '#contract/rules/merge.ts'
import {
  completionStatusOf,
  emptyGroup,
  groupProblem,
  isAnswered,
  itemIdsOf,
  type Answers,
  type GroupValue,
  type Question,
  type Section,
} from '#contract/rules/questionnaire.ts'
import { hashOf, receiptOf } from '#contract/rules/receipt.ts'
import type { InstanceStatus } from '#contract/rules/statuses.ts'

/**
 * Saving answers (ANSWERS-2 to ANSWERS-6, ANSWERS-11): pure, behind a port, so that the production code runs in the
 * simulation of `tests/sync/`. Reads once, decides, writes all or nothing under the revision it read; where that
 * moved meanwhile, it reads again.
 */

/** What a save must know of an instance, read at one moment. */
export interface AnswersSnapshot {
  contentVersion: string
  status: InstanceStatus
  revision: number
  groups: StoredGroup[]
  /** this operation, when it was stored before */
  operation: (LoggedSave & { contentHash: string }) | null
  /**
   * the save that left it so, where it is only remembered: it may be old, good enough to try a write on, which then finds
   * out, but for nothing else
   */
  rememberedFrom?: LastSave
}

/** Names one writing of the log: an operation that comes again after a restored backup is another. */
export interface LastSave {
  operation: string
  /** when it was written, UTC, ISO 8601 */
  at: string
}

/** What the log keeps of a save: all that came in it, and all that its reply is made of. */
export interface LoggedSave {
  /** of the instance, as the save left it */
  revision: number
  completionStatus: SaveReply['completionStatus']
  groups: LoggedGroup[]
  superseded: LateGroup[]
}

export interface AnswersChange {
  instanceId: string
  userId: string
  /** the revision the decision rests on; the new one is one higher */
  expectedRevision: number
  /** what left that revision, where the decision rests on memory: after a restored backup another save may have */
  lastSave: LastSave | null
  /** groups that have a row, and those that have none yet; what a save leaves as it was is in neither */
  changed: StoredGroup[]
  added: StoredGroup[]
  device: string | null
  operation: { id: string; contentHash: string } | null
  save: LoggedSave
}

export interface AnswersPort {
  /** undefined: no instance of that id is this user's. @param asked `fresh` after what was remembered had proven old */
  read(instanceId: string, userId: string, operationId: string | null, asked: 'remembered' | 'fresh'): Promise<AnswersSnapshot | undefined>
  /** All of it or nothing. When it was written, UTC, ISO 8601; undefined when revision, status or operation moved since the snapshot. */
  write(change: AnswersChange): Promise<string | undefined>
}

export type SaveRefusal =
  | 'NOT_FOUND'
  | 'INVALID_ANSWER'
  | 'DUPLICATE_RATING'
  | 'UNKNOWN_QUESTION'
  | 'ALREADY_COMPLETED'
  | 'INSTANCE_RECLAIMED'
  | 'OPERATION_MISMATCH'
  | 'CONTENT_VERSION_MISMATCH'
  /** others were faster each time: the same again may do */
  | 'BUSY'

export type SaveOutcome = { reply: SaveReply } | { refusal: SaveRefusal }

// a process saves for one player after another (limits/limits.ts), so it meets other processes alone
const ATTEMPTS = 50

export async function saveAnswers(
  port: AnswersPort,
  sectionsOf: (contentVersion: string) => readonly Section[],
  userId: string,
  body: SaveBody,
): Promise<SaveOutcome> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const snapshot = await port.read(body.instanceId, userId, body.operation?.id ?? null, attempt === 0 ? 'remembered' : 'fresh')
    if (!snapshot) return { refusal: 'NOT_FOUND' }
    const decision = decide(snapshot, sectionsOf(snapshot.contentVersion), userId, body)
    if ('change' in decision) {
      if ((await port.write(decision.change)) !== undefined) return { reply: replyOf(decision.change.save) }
    } else if (snapshot.rememberedFrom === undefined) return decision
  }
  return { refusal: 'BUSY' }
}

type Decision = SaveOutcome | { change: AnswersChange }

function decide(snapshot: AnswersSnapshot, sections: readonly Section[], userId: string, body: SaveBody): Decision {
  const { operation } = body
  const contentHash = hashOf(JSON.stringify([body.responses, operation?.groups, operation?.device]))
  // a repeat is answered as the first time, also when the instance was completed since
  if (snapshot.operation) {
    return snapshot.operation.contentHash === contentHash ? { reply: replyOf(snapshot.operation) } : { refusal: 'OPERATION_MISMATCH' }
  }
  if (snapshot.status === 'COMPLETED') return { refusal: 'ALREADY_COMPLETED' }
  if (snapshot.status === 'RECLAIMED') return { refusal: 'INSTANCE_RECLAIMED' }
  if (operation && operation.contentVersion !== snapshot.contentVersion) return { refusal: 'CONTENT_VERSION_MISMATCH' }

  const sent = groupResponses(sections, body.responses)
  if (!sent) return { refusal: 'UNKNOWN_QUESTION' }

  const current = new Map(snapshot.groups.map((group) => [group.questionId, group]))
  const bases = new Map(operation?.groups.map((group) => [group.questionId, group.base]))
  const device = operation?.device ?? null
  const changed: StoredGroup[] = []
  const added: StoredGroup[] = []
  const groups: LoggedGroup[] = []
  const superseded: LateGroup[] = []

  for (const { section, question, values } of sent) {
    const questionId = question.id
    const stored = current.get(questionId)
    const value = operation ? { ...emptyGroup(question), ...values } : { ...emptyGroup(question), ...stored?.value, ...values }
    const problem = groupProblem(section, question, value)
    if (problem) return { refusal: problem }
    const base = bases.get(questionId) ?? 0
    if (stored && isSuperseded(stored, { questionId, value, base }, device)) {
      superseded.push({ questionId, value, base, current: { revision: stored.revision, value: stored.value } })
      continue
    }
    const isSame = stored !== undefined && sameValue(stored.value, value)
    const next = isSame ? stored : { questionId, value, revision: (stored?.revision ?? 0) + 1, device }
    if (!isSame) (stored ? changed : added).push(next)
    groups.push({ questionId, value: next.value, revision: next.revision, base })
    current.set(questionId, next)
  }

  const answers: Answers = {}
  for (const [id, group] of current) answers[id] = group.value
  const save = { revision: snapshot.revision + 1, completionStatus: completionStatusOf(sections, answers), groups, superseded }
  return {
    change: {
      instanceId: body.instanceId,
      userId,
      expectedRevision: snapshot.revision,
      lastSave: snapshot.rememberedFrom ?? null,
      changed,
      added,
      device,
      operation: operation ? { id: operation.id, contentHash } : null,
      save,
    },
  }
}

/** The reply to a save, now and to every repeat of it. */
function replyOf({ revision, completionStatus, groups, superseded }: LoggedSave): SaveReply {
  return {
    completionStatus,
    revision,
    ...receiptOf(Object.fromEntries(groups.map(({ questionId, value }) => [questionId, value]))),
    groups: groups.map((group) => ({ questionId: group.questionId, revision: group.revision })),
    superseded: superseded.map(({ questionId, current }) => ({ questionId, ...current })),
  }
}

interface SentQuestion {
  section: Section
  question: Question
  values: GroupValue
}

/** Responses by question; blank ones ignored (QUESTIONS-13). undefined: an item that this content does not have. */
function groupResponses(sections: readonly Section[], responses: SaveBody['responses']): SentQuestion[] | undefined {
  const items = itemsOf(sections)
  const sent = new Map<string, SentQuestion>()
  for (const { sectionName, id, answer } of responses) {
    const place = items.get(id)
    if (!place || place.section.name !== sectionName) return undefined
    if (answer !== null && !isAnswered(answer)) continue
    const group = sent.get(place.question.id) ?? { ...place, values: {} }
    sent.set(place.question.id, group)
    group.values[id] = answer
  }
  return [...sent.values()]
}

type Places = Map<string, { section: Section; question: Question }>
const placesOf = new WeakMap<readonly Section[], Places>()

function itemsOf(sections: readonly Section[]): Places {
  const known = placesOf.get(sections)
  if (known) return known
  const places: Places = new Map()
  for (const section of sections)
    for (const question of section.questions) for (const id of itemIdsOf(question)) places.set(id, { section, question })
  placesOf.set(sections, places)
  return places
}
