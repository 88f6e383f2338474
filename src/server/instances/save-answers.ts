import type { SaveBody, SaveReply } from '#contract/instances.ts'
import { isSuperseded, sameValue, type LateGroup, type LoggedGroup, type StoredGroup } from '#contract/rules/merge.ts'
import {
  completionStatusOf,
  emptyGroup,
  groupProblem,
  isAnswered,
  itemIdsOf,
  type GroupValue,
  type Question,
  type Section,
} from '#contract/rules/questionnaire.ts'
import { hashOf, receiptOf } from '#contract/rules/receipt.ts'
import type { InstanceStatus } from '#contract/rules/statuses.ts'

/**
 * Saving answers (ANSWERS-2 to ANSWERS-6, ANSWERS-11): pure, behind a port, so that the production code runs in the
 * simulation of `tests/chaos/`. It reads once, decides, and writes all or nothing at the revision it read; if that has changed,
 * it reads again.
 */

/** What a save needs to know of an instance, read in one snapshot. */
export interface AnswersSnapshot {
  contentVersion: string
  status: InstanceStatus
  revision: number
  /** by question id */
  groups: ReadonlyMap<string, StoredGroup>
  /** this operation, if it has been stored before */
  operation: (LoggedSave & { contentHash: string }) | null
  /**
   * set if the snapshot is from the cache: the save it is based on. It may be out of date, which only a write detects, so a call must
   * not be refused because of it
   */
  cachedFrom?: LastSave
}

/** Identifies one row of the log: the same operation, sent again after a backup was restored, is another row. */
export interface LastSave {
  operation: string
  /** when it was stored, UTC, ISO 8601 */
  at: string
}

/** What the log stores of a save: all that was sent, and all that its reply is made of. */
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
  /** the revision the decision is based on; the new one is one higher */
  expectedRevision: number
  /** the save that led to that revision, if the decision is based on the cache: after a restored backup it may have been another */
  lastSave: LastSave | null
  /** groups that have a row, and those that have none yet; unchanged ones are in neither */
  changed: StoredGroup[]
  added: StoredGroup[]
  device: string | null
  operation: { id: string; contentHash: string } | null
  /** an operation that must not be stored any more, unless it has been: then it gets OPERATION_MISMATCH, and its sender a new id */
  closes: string | null
  save: LoggedSave
}

export interface AnswersPort {
  /** undefined: this user has no instance of that id. @param asked `fresh` once the cache has proven out of date */
  read(instanceId: string, userId: string, operationId: string | null, asked: 'cached' | 'fresh'): Promise<AnswersSnapshot | undefined>
  /** The groups that these operations of an instance stored. */
  readLogged(instanceId: string, operationIds: readonly string[]): Promise<LoggedGroup[]>
  /** All or nothing. Resolves to when it was stored, UTC, ISO 8601; undefined if revision, status or operation changed since the snapshot. */
  write(change: AnswersChange): Promise<string | undefined>
}

type SaveRefusal =
  | 'NOT_FOUND'
  | 'INVALID_ANSWER'
  | 'DUPLICATE_RATING'
  | 'UNKNOWN_QUESTION'
  | 'ALREADY_COMPLETED'
  | 'INSTANCE_RECLAIMED'
  | 'OPERATION_MISMATCH'
  | 'CONTENT_VERSION_MISMATCH'
  /** other saves came first each time: a retry may succeed */
  | 'BUSY'

type SaveOutcome = { reply: SaveReply } | { refusal: SaveRefusal }

// saves of one account are serialised within a process (limits/limits.ts), so only other processes compete
export const ATTEMPTS = 50

/** Saves a player's answers, or says why not. Throws nothing of its own; errors of the port pass through. */
export async function saveAnswers(
  port: AnswersPort,
  sectionsOf: (contentVersion: string) => readonly Section[],
  userId: string,
  body: SaveBody,
): Promise<SaveOutcome> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const snapshot = await port.read(body.instanceId, userId, body.operation?.id ?? null, attempt === 0 ? 'cached' : 'fresh')
    if (!snapshot) return { refusal: 'NOT_FOUND' }
    const decision = decide(snapshot, sectionsOf(snapshot.contentVersion), userId, body)
    if ('change' in decision) {
      if ((await port.write(decision.change)) !== undefined) return { reply: replyOf(decision.change.save) }
    } else if (snapshot.cachedFrom === undefined) return decision
  }
  return { refusal: 'BUSY' }
}

type Decision = SaveOutcome | { change: AnswersChange }

function decide(snapshot: AnswersSnapshot, sections: readonly Section[], userId: string, body: SaveBody): Decision {
  const { operation } = body
  const contentHash = hashOf(JSON.stringify([body.responses, operation?.groups, operation?.device]))
  // a repeat gets the first reply, even if the instance has been completed since
  if (snapshot.operation) {
    return snapshot.operation.contentHash === contentHash ? { reply: replyOf(snapshot.operation) } : { refusal: 'OPERATION_MISMATCH' }
  }
  if (snapshot.status === 'COMPLETED') return { refusal: 'ALREADY_COMPLETED' }
  if (snapshot.status === 'RECLAIMED') return { refusal: 'INSTANCE_RECLAIMED' }
  if (operation && operation.contentVersion !== snapshot.contentVersion) return { refusal: 'CONTENT_VERSION_MISMATCH' }

  const sent = groupResponses(sections, body.responses)
  if (!sent) return { refusal: 'UNKNOWN_QUESTION' }

  const named = new Map(operation?.groups.map((group) => [group.questionId, group]))
  const device = operation?.device ?? null
  const changed: StoredGroup[] = []
  const added: StoredGroup[] = []
  const groups: LoggedGroup[] = []
  const superseded: LateGroup[] = []
  const written = new Map<string, StoredGroup>()

  for (const { section, question, values } of sent) {
    const questionId = question.id
    const stored = snapshot.groups.get(questionId)
    const value = operation ? { ...emptyGroup(question), ...values } : { ...emptyGroup(question), ...stored?.value, ...values }
    const problem = groupProblem(section, question, value)
    if (problem) return { refusal: problem }
    const { base = 0, order = null } = named.get(questionId) ?? {}
    if (stored && isSuperseded(stored, { questionId, value, base, order }, device)) {
      const isOwn = stored.device === device ? { isOwn: true } : {}
      superseded.push({ questionId, value, base, current: { revision: stored.revision, value: stored.value }, ...isOwn })
      continue
    }
    const isSame = stored !== undefined && sameValue(stored.value, value) && !isLaterOf(stored, device, order)
    const next = isSame ? stored : { questionId, value, revision: (stored?.revision ?? 0) + 1, device, order }
    if (!isSame) {
      const list = stored ? changed : added
      list.push(next)
      written.set(questionId, next)
    }
    groups.push({ questionId, value: next.value, revision: next.revision, base })
  }

  const completionStatus = completionStatusOf(sections, (id) => (written.get(id) ?? snapshot.groups.get(id))?.value)
  const save = { revision: snapshot.revision + 1, completionStatus, groups, superseded }
  return {
    change: {
      instanceId: body.instanceId,
      userId,
      expectedRevision: snapshot.revision,
      lastSave: snapshot.cachedFrom ?? null,
      changed,
      added,
      device,
      operation: operation ? { id: operation.id, contentHash } : null,
      closes: null,
      save,
    },
  }
}

/** A later edit of the device whose value is stored. It is written though it changes nothing, so that an earlier one is known as such. */
function isLaterOf(stored: StoredGroup, device: string | null, order: number | null): boolean {
  return stored.device === device && order !== null && stored.order != null && order > stored.order
}

/** The reply to a save, now and to every repeat of it. */
function replyOf({ revision, completionStatus, groups, superseded }: LoggedSave): SaveReply {
  return {
    completionStatus,
    revision,
    ...receiptOf(Object.fromEntries(groups.map(({ questionId, value }) => [questionId, value]))),
    groups: groups.map((group) => ({ questionId: group.questionId, revision: group.revision })),
    superseded: superseded.map(({ questionId, current, isOwn }) => ({ questionId, ...current, ...(isOwn && { isOwn }) })),
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
