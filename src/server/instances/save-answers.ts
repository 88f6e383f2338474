import type { SaveBody, SaveReply } from '#contract/instances.ts'
import { isSuperseded, sameValue, type StoredGroup } from '#contract/rules/merge.ts'
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
 * Saving answers (design.md 5, rulings 10, 11, 15): pure, behind a port, so that the production code runs in the
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
  operation: { contentHash: string; reply: SaveReply } | null
}

/** One line of the answer log: `accepted` false where another device's value stayed. */
export interface LoggedGroup extends StoredGroup {
  base: number
  accepted: boolean
}

export interface AnswersChange {
  instanceId: string
  userId: string
  /** the revision the decision rests on; the new one is one higher */
  expectedRevision: number
  kept: StoredGroup[]
  logged: LoggedGroup[]
  operation: { id: string; contentHash: string; reply: SaveReply } | null
}

export interface AnswersPort {
  /** undefined: no instance of that id is this user's */
  read(instanceId: string, userId: string, operationId: string | null): Promise<AnswersSnapshot | undefined>
  /** The groups as stored; undefined when revision, status or operation moved since the snapshot. */
  write(change: AnswersChange): Promise<StoredGroup[] | undefined>
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
    const snapshot = await port.read(body.instanceId, userId, body.operation?.id ?? null)
    if (!snapshot) return { refusal: 'NOT_FOUND' }
    const decision = decide(snapshot, sectionsOf(snapshot.contentVersion), userId, body)
    if (!('change' in decision)) return decision
    const stored = await port.write(decision.change)
    if (stored) return { reply: { ...decision.reply, ...receiptOfGroups(stored) } }
  }
  return { refusal: 'BUSY' }
}

type Decision = SaveOutcome | { change: AnswersChange; reply: SaveReply }

function decide(snapshot: AnswersSnapshot, sections: readonly Section[], userId: string, body: SaveBody): Decision {
  const { operation } = body
  const contentHash = hashOf(JSON.stringify([body.responses, operation?.groups, operation?.device]))
  // a repeat is answered as the first time, also when the instance was completed since
  if (snapshot.operation) {
    return snapshot.operation.contentHash === contentHash ? { reply: snapshot.operation.reply } : { refusal: 'OPERATION_MISMATCH' }
  }
  if (snapshot.status === 'COMPLETED') return { refusal: 'ALREADY_COMPLETED' }
  if (snapshot.status === 'RECLAIMED') return { refusal: 'INSTANCE_RECLAIMED' }
  if (operation && operation.contentVersion !== snapshot.contentVersion) return { refusal: 'CONTENT_VERSION_MISMATCH' }

  const sent = groupResponses(sections, body.responses)
  if (!sent) return { refusal: 'UNKNOWN_QUESTION' }

  const current = new Map(snapshot.groups.map((group) => [group.questionId, group]))
  const bases = new Map(operation?.groups.map((group) => [group.questionId, group.base]))
  const device = operation?.device ?? null
  const kept: StoredGroup[] = []
  const logged: LoggedGroup[] = []
  const superseded: SaveReply['superseded'] = []

  for (const { section, question, values } of sent) {
    const stored = current.get(question.id)
    const value = operation ? { ...emptyGroup(question), ...values } : { ...emptyGroup(question), ...stored?.value, ...values }
    const problem = groupProblem(section, question, value)
    if (problem) return { refusal: problem }
    const base = bases.get(question.id) ?? 0
    if (stored && isSuperseded(stored, { questionId: question.id, value, base }, device)) {
      superseded.push({ questionId: question.id, revision: stored.revision, value: stored.value })
      logged.push({ questionId: question.id, value, revision: stored.revision, device, base, accepted: false })
      continue
    }
    const unchanged = stored !== undefined && sameValue(stored.value, value)
    const next = unchanged ? stored : { questionId: question.id, value, revision: (stored?.revision ?? 0) + 1, device }
    kept.push(next)
    if (!unchanged) logged.push({ ...next, base, accepted: true })
  }

  for (const group of kept) current.set(group.questionId, group)
  const answers: Answers = {}
  for (const [id, group] of current) answers[id] = group.value
  const revision = snapshot.revision + 1
  const reply: SaveReply = {
    completionStatus: completionStatusOf(sections, answers),
    revision,
    ...receiptOfGroups(kept),
    groups: kept.map((group) => ({ questionId: group.questionId, revision: group.revision })),
    superseded,
  }
  const stored = operation ? { id: operation.id, contentHash, reply } : null
  return { change: { instanceId: body.instanceId, userId, expectedRevision: snapshot.revision, kept, logged, operation: stored }, reply }
}

function receiptOfGroups(groups: readonly StoredGroup[]) {
  return receiptOf(Object.fromEntries(groups.map((group) => [group.questionId, group.value])))
}

interface SentQuestion {
  section: Section
  question: Question
  values: GroupValue
}

/** Responses by question; blank ones ignored (§5). undefined: an item that this content does not have. */
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
