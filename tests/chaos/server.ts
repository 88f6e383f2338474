import { SendFailure } from '#app/sync/sync.ts'
import type { SaveReply } from '#contract/instances.ts'
import type { LoggedGroup, StoredGroup } from '#contract/rules/merge.ts'
import { completionStatusOf, type Answers } from '#contract/rules/questionnaire.ts'
import { hashOfGroups, type HeldGroup } from '#contract/rules/receipt.ts'
import type { InstanceStatus } from '#contract/rules/statuses.ts'
import { cacheAnswers } from '#server/instances/cached-answers.ts'
import type { AnswersChange, AnswersPort, AnswersSnapshot } from '#server/instances/save-answers.ts'
import { SECTIONS } from './questionnaire.ts'
import type { Scheduler } from './scheduler.ts'

export const OWNER = 'owner'

/** A group that a device sent; `accepted` is false if another device's value was newer. */
interface LoggedAnswer extends LoggedGroup {
  device: string | null
  operation: string | null
  accepted: boolean
  /** the group's, if it was accepted */
  order?: number | null | undefined
  isOwn?: boolean
}

type Backup = Pick<Server, 'status' | 'revision' | 'groups' | 'log' | 'operations' | 'writtenAt' | 'completions'>

/** The server's store in memory, for one instance. The code that merges answers is the production code. */
export class Server implements AnswersPort {
  contentVersion = 'v1'
  /** questions whose answers it refuses */
  refused = new Set<string>()
  status: InstanceStatus = 'OWNED'
  revision = 0
  groups = new Map<string, StoredGroup>()
  log: LoggedAnswer[] = []
  operations = new Map<string, AnswersSnapshot['operation']>()
  /** when each operation was written */
  writtenAt = new Map<string, string>()
  completions = 0
  /** the reply to each operation, as JSON */
  replies = new Map<string, string>()
  /** serves as the time, so a restore does not reset it */
  #writes = 0
  /** two server processes, each with its own cache */
  processes = [cacheAnswers(this, () => new Date(0)), cacheAnswers(this, () => new Date(0))]
  readonly #scheduler: Pick<Scheduler, 'step'>
  readonly #owner: string
  constructor(scheduler: Pick<Scheduler, 'step'>, owner = OWNER) {
    this.#scheduler = scheduler
    this.#owner = owner
  }

  async read(_instance: string, userId: string, operationId: string | null): Promise<AnswersSnapshot | undefined> {
    await this.#scheduler.step()
    if (userId !== this.#owner) return undefined
    return {
      contentVersion: this.contentVersion,
      status: this.status,
      revision: this.revision,
      groups: structuredClone(this.groups),
      operation: (operationId && this.operations.get(operationId)) || null,
    }
  }

  async readLogged(_instance: string, operationIds: readonly string[]): Promise<LoggedGroup[]> {
    await this.#scheduler.step()
    return structuredClone(operationIds.flatMap((id) => this.operations.get(id)?.groups ?? []))
  }

  async write({ expectedRevision, lastSave, changed, added, device, operation, closes, save }: AnswersChange): Promise<string | undefined> {
    await this.#scheduler.step()
    if (this.revision !== expectedRevision || this.status === 'COMPLETED' || this.status === 'RECLAIMED') return undefined
    if (lastSave !== null && this.writtenAt.get(lastSave.operation) !== lastSave.at) return undefined
    if (operation && this.operations.has(operation.id)) return undefined
    this.revision += 1
    this.status = 'IN_PROGRESS'
    const isNew = new Set<string>()
    for (const [groups, hasRow] of [
      [changed, true],
      [added, false],
    ] as const) {
      for (const group of structuredClone(groups)) {
        if (this.groups.has(group.questionId) !== hasRow)
          throw new Error(`${group.questionId} has a row, or has none, unlike when the decision was made`)
        this.groups.set(group.questionId, group)
        isNew.add(group.questionId)
      }
    }
    const logged = structuredClone(save)
    const by = { device, operation: operation?.id ?? null }
    for (const group of logged.groups)
      if (isNew.has(group.questionId))
        this.log.push({ ...group, ...by, accepted: true, order: this.groups.get(group.questionId)?.order ?? null })
    for (const { current, ...late } of logged.superseded) this.log.push({ ...late, revision: current.revision, ...by, accepted: false })
    this.#writes += 1
    const at = new Date(this.#writes).toISOString()
    if (closes && !this.operations.has(closes))
      this.operations.set(closes, { ...logged, groups: [], superseded: [], contentHash: 'closed' })
    if (operation) this.writtenAt.set(operation.id, at)
    if (operation) this.operations.set(operation.id, { ...logged, contentHash: operation.contentHash })
    return at
  }

  async complete(): Promise<void> {
    await this.#scheduler.step()
    if (this.status === 'COMPLETED') return
    if (this.status === 'RECLAIMED') throw new SendFailure('refused', 'INSTANCE_RECLAIMED')
    if (completionStatusOf(SECTIONS, (id) => this.groups.get(id)?.value) !== 'COMPLETED') throw new SendFailure('refused', 'NOT_COMPLETE')
    this.status = 'COMPLETED'
    this.completions += 1
  }

  /** Whether an operation had no other reply before. ANSWERS-6 */
  isFirstReply(operation: string, reply: SaveReply): boolean {
    const text = JSON.stringify(reply)
    const first = this.replies.get(operation) ?? text
    this.replies.set(operation, first)
    return first === text
  }

  /** A copy of everything, as a backup. */
  snapshot(): Backup {
    const { status, revision, groups, log, operations, writtenAt, completions } = this
    return structuredClone({ status, revision, groups, log, operations, writtenAt, completions })
  }

  /** Restores a backup, which loses everything since. No request may be running. */
  restore(backup: Backup): void {
    Object.assign(this, structuredClone(backup))
    // what the restore lost is saved again, and gets a new reply
    this.replies.clear()
  }

  /** The groups as in the reply of an instance (contract/instances.ts). */
  reply(): { revision: number; groups: HeldGroup[]; hash: string } {
    const groups = structuredClone([...this.groups.values()])
    return { revision: this.revision, groups, hash: hashOfGroups(groups) }
  }

  answers(): Answers {
    return Object.fromEntries([...this.groups].map(([id, group]) => [id, group.value]))
  }
}
