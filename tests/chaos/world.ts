import {
  SendFailure,
  syncInstance,
  unsentOf,
  type DevicePort,
  type DeviceState,
  type NetworkPort,
  type SyncOutcome,
} from '#app/sync/sync.ts'
import { acknowledged, pulled, type InstanceRows, type RowChange } from '#app/sync/rows.ts'
import type { SaveBody } from '#contract/instances.ts'
import {
  completionStatusOf,
  groupOf,
  itemIdsOf,
  rate,
  RATINGS,
  sectionTypeOf,
  type Answers,
  type GroupValue,
  type Section,
} from '#contract/rules/questionnaire.ts'
import { sameValue, type LoggedGroup, type StoredGroup } from '#contract/rules/merge.ts'
import { hashOfGroups, type HeldGroup } from '#contract/rules/receipt.ts'
import { cacheAnswers } from '#server/instances/cached-answers.ts'
import { saveAnswers, type AnswersChange, type AnswersPort, type AnswersSnapshot } from '#server/instances/save-answers.ts'
import type { InstanceStatus } from '#contract/rules/statuses.ts'
import { Random, Scheduler } from './scheduler.ts'

/** The ports of both ends in memory: the code between them is the production code. */

const RATED = RATINGS.map((value) => ({ value, label: value }))
const statements = (q: string) => ['a', 'b', 'c', 'd'].map((s) => ({ id: `${q}-${s}`, question: s, options: RATED }))

/** A small questionnaire with every section type: enough for every rule, quick enough for thousands of histories. */
export const SECTIONS: Section[] = [
  {
    name: 'Section1',
    type: 'likertscale',
    sectionOptions: RATED,
    questions: ['r1', 'r2'].map((id) => ({ id, question: id, options: [], subQuestions: statements(id) })),
  },
  {
    name: 'Section2',
    type: 'ipsative',
    sectionOptions: [],
    questions: ['p1', 'p2'].map((id) => ({
      id,
      question: id,
      options: [
        { value: 'A', label: 'A' },
        { value: 'B', label: 'B' },
      ],
      subQuestions: [],
    })),
  },
  { name: 'Section3', type: 'likertitem', sectionOptions: [], questions: [{ id: 'l1', question: 'l1', options: [], subQuestions: [] }] },
]
const QUESTIONS = SECTIONS.flatMap((section) => section.questions.map((question) => ({ section, question })))
const INSTANCE = 'instance'
const OWNER = 'owner'

/** The app was killed here: nothing after this await happens. */
class Killed extends Error {}

/** A group that came, and what became of it: `accepted` false where another device's value stayed. */
interface LoggedAnswer extends LoggedGroup {
  device: string | null
  accepted: boolean
}

export type Backup = Pick<Server, 'status' | 'revision' | 'groups' | 'log' | 'operations' | 'writtenAt' | 'completions'>

export class Server implements AnswersPort {
  contentVersion = 'v1'
  /** questions whose answers it refuses, whatever they are */
  refused = new Set<string>()
  status: InstanceStatus = 'OWNED'
  revision = 0
  groups = new Map<string, StoredGroup>()
  log: LoggedAnswer[] = []
  operations = new Map<string, AnswersSnapshot['operation']>()
  /** when the operations of the log were written */
  writtenAt = new Map<string, string>()
  completions = 0
  /** goes on after a restore, as time does */
  #writes = 0
  /** each remembers what it saw, and knows nothing of the other */
  processes = [cacheAnswers(this, () => new Date(0)), cacheAnswers(this, () => new Date(0))]
  #scheduler: Scheduler
  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
  }

  async read(_instance: string, userId: string, operationId: string | null): Promise<AnswersSnapshot | undefined> {
    await this.#scheduler.step()
    if (userId !== OWNER) return undefined
    return {
      contentVersion: this.contentVersion,
      status: this.status,
      revision: this.revision,
      groups: structuredClone([...this.groups.values()]),
      operation: (operationId && this.operations.get(operationId)) || null,
    }
  }

  async write({ expectedRevision, lastSave, changed, added, device, operation, save }: AnswersChange): Promise<string | undefined> {
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
        if (this.groups.has(group.questionId) !== hasRow) throw new Error(`${group.questionId} is not where the decision saw it`)
        this.groups.set(group.questionId, group)
        isNew.add(group.questionId)
      }
    }
    const said = structuredClone(save)
    for (const group of said.groups) if (isNew.has(group.questionId)) this.log.push({ ...group, device, accepted: true })
    for (const { current, ...late } of said.superseded) this.log.push({ ...late, revision: current.revision, device, accepted: false })
    this.#writes += 1
    const at = new Date(this.#writes).toISOString()
    if (operation) this.writtenAt.set(operation.id, at)
    if (operation) this.operations.set(operation.id, { ...said, contentHash: operation.contentHash })
    return at
  }

  async complete(): Promise<void> {
    await this.#scheduler.step()
    if (this.status === 'COMPLETED') return
    if (this.status === 'RECLAIMED') throw new SendFailure('refused', 'INSTANCE_RECLAIMED')
    if (completionStatusOf(SECTIONS, this.answers()) !== 'COMPLETED') throw new SendFailure('refused', 'NOT_COMPLETE')
    this.status = 'COMPLETED'
    this.completions += 1
  }

  /** Everything as it stands, for a backup. */
  snapshot(): Backup {
    const { status, revision, groups, log, operations, writtenAt, completions } = this
    return structuredClone({ status, revision, groups, log, operations, writtenAt, completions })
  }

  /** Put back to a backup: what came since never was, for the server. Nothing may be under way. */
  restore(backup: Backup): void {
    Object.assign(this, structuredClone(backup))
  }

  /** What an instance's reply says of its groups (contract/instances.ts). */
  reply(): { revision: number; groups: HeldGroup[]; hash: string } {
    const groups = structuredClone([...this.groups.values()])
    return { revision: this.revision, groups, hash: hashOfGroups(groups) }
  }

  answers(): Answers {
    return Object.fromEntries([...this.groups].map(([id, group]) => [id, group.value]))
  }
}

export interface Faults {
  drop: number
  loseReply: number
  repeat: number
  kill: number
  storage: number
}

/** One phone: its disk outlives its app. */
export class Device {
  readonly id: string
  disk: InstanceRows & Pick<DeviceState, 'operation' | 'finish' | 'trouble' | 'revision'> = {
    revision: 0,
    answers: [],
    receipts: [],
    late: [],
    operation: undefined,
    finish: null,
    trouble: null,
  }
  /** every value that the screen called saved, by question, in order */
  saved: { questionId: string; value: GroupValue; edit: string }[] = []
  results: unknown
  online = true
  #random: Random
  #scheduler: Scheduler
  #server: Server
  #faults: Faults
  #running: Promise<SyncOutcome | 'killed'> | undefined
  #epoch = 0

  constructor(world: { random: Random; scheduler: Scheduler; server: Server; faults: Faults }) {
    this.#random = world.random
    this.#scheduler = world.scheduler
    this.#server = world.server
    this.#faults = world.faults
    this.id = world.random.uuid()
  }

  /** A tap by the rules of the screen; the disk may refuse it, then it was never called saved. */
  tap(): void {
    const { section, question } = this.#random.pick(QUESTIONS)
    const answers = Object.fromEntries(this.disk.answers.map((row) => [row.questionId, row.value]))
    const group = groupOf(question, answers)
    const item = this.#random.pick(itemIdsOf(question))
    const type = sectionTypeOf(section)
    const value =
      type === 'likertscale'
        ? rate(group, item, this.#random.pick(RATINGS))
        : {
            ...group,
            [item]: this.#random.chance(0.1)
              ? null
              : type === 'ipsative'
                ? this.#random.pick(['A', 'B'])
                : this.#random.pick(['1', '2', '3', '4', '5']),
          }
    if (this.#random.chance(this.#faults.storage)) return
    this.#keep(section.name, question.id, value)
  }

  /** Answers whatever is open, as a player does before Submit. */
  answerRest(): void {
    const answers = Object.fromEntries(this.disk.answers.map((row) => [row.questionId, row.value]))
    for (const { section, question } of QUESTIONS) {
      const group = groupOf(question, answers)
      const ids = itemIdsOf(question)
      if (ids.every((id) => group[id])) continue
      const values = section.type === 'ipsative' ? ['A'] : [...RATINGS]
      this.#keep(section.name, question.id, Object.fromEntries(ids.map((id, i) => [id, values[i % values.length] ?? '1'])))
    }
    this.disk.finish ??= 'save'
  }

  #keep(sectionName: string, questionId: string, value: GroupValue): void {
    const base = this.disk.receipts.find((receipt) => receipt.questionId === questionId)?.revision ?? 0
    const edit = this.#random.uuid()
    this.#put({ answers: [{ questionId, sectionName, value, edit, base }], receipts: [], late: [] })
    this.saved.push({ questionId, value, edit })
  }

  #put(change: RowChange): void {
    const merge = <T extends { questionId: string }>(rows: T[], puts: T[]) => [
      ...rows.filter((row) => !puts.some((put) => put.questionId === row.questionId)),
      ...structuredClone(puts),
    ]
    this.disk.answers = merge(this.disk.answers, change.answers)
    this.disk.receipts = merge(this.disk.receipts, change.receipts)
    this.disk.late = merge(this.disk.late, change.late)
  }

  /** Reads the server's groups into the disk, as opening the questionnaire online does. */
  pull(): void {
    this.#take(this.#server.reply())
  }

  /** The same, with a reply that takes its time: what it says may be of before. */
  async pullSlowly(): Promise<void> {
    const epoch = this.#epoch
    const reply = this.#server.reply()
    await this.#scheduler.step()
    await this.#scheduler.step()
    if (this.#epoch === epoch) this.#take(reply)
  }

  #take({ revision, groups }: ReturnType<Server['reply']>): void {
    this.#noteOvertaken(groups)
    this.disk.revision = revision
    const named = groups.map((group) => ({
      ...group,
      sectionName: QUESTIONS.find(({ question }) => question.id === group.questionId)?.section.name ?? '',
    }))
    this.#put(pulled(this.disk, named, () => this.#random.uuid()))
  }

  /** What this device was acknowledged and has not changed since, as it knows it. */
  held(): HeldGroup[] {
    const unsent = new Set(unsentOf(this.disk).map(({ questionId }) => questionId))
    const values = new Map(this.disk.answers.map(({ questionId, value }) => [questionId, value]))
    return this.disk.receipts.flatMap(({ questionId, revision }) => {
      const value = values.get(questionId)
      return value && !unsent.has(questionId) ? [{ questionId, revision, value }] : []
    })
  }

  /** Answers that a server forgot and another device's went past before this one looked: no reply tells those from any later answer. */
  readonly overtaken: { questionId: string; value: GroupValue }[] = []
  #noteOvertaken(groups: readonly HeldGroup[]): void {
    for (const held of this.held()) {
      const isPast = groups.some(({ questionId, revision, value }) => {
        if (questionId !== held.questionId || sameValue(value, held.value)) return false
        // the very next answer may bear the number that this one had: only its author's device can tell
        return revision > held.revision || (revision === held.revision && !this.#isOwn(questionId))
      })
      const isLogged = this.#server.log.some(({ questionId, value }) => questionId === held.questionId && sameValue(value, held.value))
      if (isPast && !isLogged) this.overtaken.push(held)
    }
  }

  #isOwn(questionId: string): boolean {
    return this.disk.answers.some((row) => row.questionId === questionId && !row.isCopy)
  }

  get busy(): boolean {
    return this.#running !== undefined
  }

  kill(): void {
    this.#epoch += 1
    this.#running = undefined
  }

  sync(): void {
    if (this.#running) return
    const epoch = this.#epoch
    const run = syncInstance({
      ...this.#ports(epoch),
      instanceId: INSTANCE,
      deviceId: this.id,
      isOwner: () => true,
      randomId: () => this.#random.uuid(),
      now: () => 0,
    })
      .catch((error: unknown) => {
        if (error instanceof Killed) return 'killed' as const
        throw error
      })
      .finally(() => {
        if (this.#running === run) this.#running = undefined
      })
    this.#running = run
  }

  #ports(epoch: number): {
    device: DevicePort<unknown>
    network: NetworkPort<unknown>
    pull(): Promise<void>
  } {
    const alive = async () => {
      await this.#scheduler.step()
      if (this.#epoch === epoch && this.#random.chance(this.#faults.kill)) this.kill()
      if (this.#epoch !== epoch) throw new Killed()
    }
    const device: DevicePort<unknown> = {
      load: async () => {
        await alive()
        return structuredClone({ ...this.disk, contentVersion: this.#server.contentVersion })
      },
      storeOperation: async (operation) => {
        await alive()
        this.disk.operation = structuredClone(operation)
        await alive()
      },
      dropOperation: async () => {
        await alive()
        this.disk.operation = undefined
      },
      acknowledge: async (acknowledgement) => {
        await alive()
        this.#put(acknowledged(this.disk, acknowledgement, () => this.#random.uuid()))
        this.disk.revision = acknowledgement.revision
        this.disk.operation = undefined
        await alive()
      },
      setFinish: async (finish) => {
        await alive()
        this.disk.finish = finish
      },
      setTrouble: async (trouble) => {
        await alive()
        this.disk.trouble = trouble
      },
      done: async (results) => {
        await alive()
        this.results = results
        this.disk.finish = null
      },
    }
    const send = async <T>(request: () => Promise<T>): Promise<T> => {
      await alive()
      if (!this.online || this.#random.chance(this.#faults.drop)) throw new SendFailure('unreachable', 'FETCH_ERROR')
      // the same request arrives a second time, whenever it likes
      if (this.#random.chance(this.#faults.repeat)) void request().catch(() => undefined)
      const reply = await request()
      await alive()
      if (this.#random.chance(this.#faults.loseReply)) throw new SendFailure('unreachable', 'TIMEOUT_ERROR')
      return reply
    }
    return {
      device,
      pull: async () => {
        const reply = await send(async () => this.#server.reply())
        await alive()
        this.#take(reply)
      },
      network: {
        save: (body) =>
          send(async () => {
            const { operation } = JSON.parse(body) as SaveBody
            const isRefused = operation?.groups.some(({ questionId }) => this.#server.refused.has(questionId))
            if (isRefused) throw new SendFailure('refused', 'INVALID_ANSWER')
            const process = this.#random.pick(this.#server.processes)
            const outcome = await saveAnswers(process, () => SECTIONS, OWNER, JSON.parse(body) as SaveBody)
            if ('refusal' in outcome) throw new SendFailure('refused', outcome.refusal)
            return structuredClone(outcome.reply)
          }),
        complete: () => send(() => this.#server.complete()),
        results: () => send(async () => ({ status: this.#server.status })),
      },
    }
  }

  unsent(): number {
    return unsentOf(this.disk).length
  }
}

export function makeWorld(seed: number, faults: Faults, devices: number) {
  const random = new Random(seed)
  const scheduler = new Scheduler(random)
  const server = new Server(scheduler)
  return { random, scheduler, server, devices: Array.from({ length: devices }, () => new Device({ random, scheduler, server, faults })) }
}

export { QUESTIONS }
