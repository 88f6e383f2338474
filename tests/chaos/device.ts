import {
  SendFailure,
  syncInstance,
  unsentOf,
  type DevicePort,
  type DeviceState,
  type NetworkPort,
  type SyncOutcome,
} from '#app/sync/sync.ts'
import { fileContentOf, withKnownId } from '#app/sync/file-content.ts'
import { acknowledgementChange, pullChange, type InstanceRows, type RowChange } from '#app/sync/rows.ts'
import type { FileContent } from '#contract/rules/answers-file.ts'
import type { SaveBody } from '#contract/instances.ts'
import { sameValue } from '#contract/rules/merge.ts'
import { groupOf, itemIdsOf, rate, RATINGS, sectionTypeOf, type GroupValue } from '#contract/rules/questionnaire.ts'
import type { HeldGroup } from '#contract/rules/receipt.ts'
import { saveAnswers } from '#server/instances/save-answers.ts'
import { QUESTIONS, SECTIONS } from './questionnaire.ts'
import type { Random, Scheduler } from './scheduler.ts'
import { OWNER, type Server } from './server.ts'

export const INSTANCE = 'instance'

/** Thrown at the await during which the app was killed, so that nothing after it runs. */
class Killed extends Error {}

/** Each a probability from 0 to 1. */
export interface Faults {
  drop: number
  loseReply: number
  repeat: number
  kill: number
  storage: number
  /** the server stores a save without its last item, which only the receipt shows; never twice in a row */
  shorten?: number
}

/** A phone whose disk survives when the app is killed. Its sync code is the production code. */
export class Device {
  id: string
  disk: InstanceRows & Pick<DeviceState, 'operation' | 'finish' | 'trouble' | 'revision'> & { files: string[] } = {
    revision: 0,
    answers: [],
    receipts: [],
    late: [],
    operation: undefined,
    finish: null,
    trouble: null,
    files: [],
  }
  /** every value that the screen showed as saved, in order */
  saved: { questionId: string; value: GroupValue; edit: string }[] = []
  /** the same, of the disk before it was cleared */
  savedBefore: typeof this.saved = []
  /** the edits that each save and each file carries, by question */
  readonly editsByOperation = new Map<string, Record<string, string>>()
  /** what ANSWERS-5 and ANSWERS-6 rule out, although nothing was lost by it */
  readonly violations: string[] = []
  /** the operation of each edit that was sent and got neither a reply nor a refusal */
  readonly #unanswered = new Map<string, string>()
  results: unknown
  online = true
  #random: Random
  #scheduler: Scheduler
  #server: Server
  #faults: Faults
  #running: Promise<SyncOutcome | 'killed'> | undefined
  #epoch = 0
  #order = 0

  constructor(world: { random: Random; scheduler: Scheduler; server: Server; faults: Faults }) {
    this.#random = world.random
    this.#scheduler = world.scheduler
    this.#server = world.server
    this.#faults = world.faults
    this.id = world.random.uuid()
  }

  /** A tap by the screen's rules. It counts as saved only if the disk stores it. */
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
    this.#save(section.name, question.id, value)
  }

  /** Answers all open questions and presses Submit. */
  answerRest(): void {
    const answers = Object.fromEntries(this.disk.answers.map((row) => [row.questionId, row.value]))
    for (const { section, question } of QUESTIONS) {
      const group = groupOf(question, answers)
      const ids = itemIdsOf(question)
      if (ids.every((id) => group[id])) continue
      const values = section.type === 'ipsative' ? ['A'] : [...RATINGS]
      this.#save(section.name, question.id, Object.fromEntries(ids.map((id, i) => [id, values[i % values.length] ?? '1'])))
    }
    this.disk.finish ??= 'save'
  }

  #save(sectionName: string, questionId: string, value: GroupValue): void {
    const base = this.disk.receipts.find((receipt) => receipt.questionId === questionId)?.revision ?? 0
    const edit = this.#random.uuid()
    this.#order += 1
    this.#put({ answers: [{ questionId, sectionName, value, edit, base, order: this.#order }], receipts: [], late: [] })
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

  /** Saves a file of this device's answers; a disk that does not take the file's id still makes the file. */
  makeFile(): FileContent {
    const content = fileContentOf(this.disk, { id: this.#random.uuid(), deviceId: this.id, known: this.disk.files })
    if (!this.#random.chance(this.#faults.storage)) this.disk.files = withKnownId(content.known, content.id)
    this.editsByOperation.set(content.id, Object.fromEntries(this.disk.answers.map(({ questionId, edit }) => [questionId, edit])))
    return structuredClone(content)
  }

  /** The browser forgets the site: the app starts again with what the account has, as another device. */
  clear(): void {
    this.kill()
    this.id = this.#random.uuid()
    this.disk = { revision: 0, answers: [], receipts: [], late: [], operation: undefined, finish: null, trouble: null, files: [] }
    this.savedBefore.push(...this.saved)
    this.saved = []
    this.pull()
  }

  /** Stores the server's groups on the disk, as the app does when it opens the questionnaire online. */
  pull(): void {
    this.#applyReply(this.#server.reply())
  }

  /** Like `pull`, with a slow reply, which may be out of date when it arrives. */
  async pullSlowly(): Promise<void> {
    const epoch = this.#epoch
    const reply = this.#server.reply()
    await this.#scheduler.step()
    await this.#scheduler.step()
    if (this.#epoch === epoch) this.#applyReply(reply)
  }

  #applyReply({ revision, groups }: ReturnType<Server['reply']>): void {
    this.#noteOverwritten(groups)
    this.disk.revision = revision
    const named = groups.map((group) => ({
      ...group,
      sectionName: QUESTIONS.find(({ question }) => question.id === group.questionId)?.section.name ?? '',
    }))
    this.#put(pullChange(this.disk, named, () => this.#random.uuid()))
  }

  /** The groups that the server acknowledged to this device and that have not changed since. */
  acknowledgedGroups(): HeldGroup[] {
    const unsent = new Set(unsentOf(this.disk).map(({ questionId }) => questionId))
    const values = new Map(this.disk.answers.map(({ questionId, value }) => [questionId, value]))
    return this.disk.receipts.flatMap(({ questionId, revision }) => {
      const value = values.get(questionId)
      return value && !unsent.has(questionId) ? [{ questionId, revision, value }] : []
    })
  }

  /** Own answers that another device's replaced while the server still had both, and by which: a restore that loses both need not bring them back. */
  readonly replaced: { questionId: string; value: GroupValue; by: GroupValue }[] = []
  /** Answers that a restore lost and another device replaced before this one read again: no reply can show that they were lost. */
  readonly overwritten: { questionId: string; value: GroupValue }[] = []
  #noteOverwritten(groups: readonly HeldGroup[]): void {
    for (const held of this.acknowledgedGroups()) {
      const by = groups.find(({ questionId, revision, value }) => {
        if (questionId !== held.questionId || sameValue(value, held.value)) return false
        // after a restore another answer may get the same revision; only the device that gave the answer can notice
        return revision > held.revision || (revision === held.revision && !this.#isOwn(questionId))
      })
      const isLogged = this.#server.log.some(({ questionId, value }) => questionId === held.questionId && sameValue(value, held.value))
      if (by && !isLogged) this.overwritten.push(held)
      if (by && isLogged) this.replaced.push({ ...held, by: by.value })
    }
  }

  #isOwn(questionId: string): boolean {
    return this.disk.answers.some((row) => row.questionId === questionId && !row.isCopy)
  }

  get isBusy(): boolean {
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
    const stepUnlessKilled = async () => {
      await this.#scheduler.step()
      if (this.#epoch === epoch && this.#random.chance(this.#faults.kill)) this.kill()
      if (this.#epoch !== epoch) throw new Killed()
    }
    const device: DevicePort<unknown> = {
      load: async () => {
        await stepUnlessKilled()
        return structuredClone({ ...this.disk, contentVersion: this.#server.contentVersion })
      },
      storeOperation: async (operation) => {
        await stepUnlessKilled()
        this.disk.operation = structuredClone(operation)
        this.editsByOperation.set(operation.id, operation.edits)
        await stepUnlessKilled()
      },
      removeOperation: async () => {
        await stepUnlessKilled()
        this.disk.operation = undefined
      },
      acknowledge: async (acknowledgement) => {
        await stepUnlessKilled()
        this.#put(acknowledgementChange(this.disk, acknowledgement, () => this.#random.uuid()))
        this.disk.revision = acknowledgement.revision
        this.disk.operation = undefined
        await stepUnlessKilled()
      },
      setFinish: async (finish) => {
        await stepUnlessKilled()
        this.disk.finish = finish
      },
      setTrouble: async (trouble) => {
        await stepUnlessKilled()
        this.disk.trouble = trouble
      },
      complete: async (results) => {
        await stepUnlessKilled()
        this.results = results
        this.disk.finish = null
      },
    }
    const send = async <T>(request: () => Promise<T>): Promise<T> => {
      await stepUnlessKilled()
      if (!this.online || this.#random.chance(this.#faults.drop)) throw new SendFailure('unreachable', 'FETCH_ERROR')
      // a second copy of the request arrives at any later time
      if (this.#random.chance(this.#faults.repeat)) void request().catch(() => undefined)
      const reply = await request()
      await stepUnlessKilled()
      if (this.#random.chance(this.#faults.loseReply)) throw new SendFailure('unreachable', 'TIMEOUT_ERROR')
      return reply
    }
    const trackOperation = async <T>(body: string, request: () => Promise<T>): Promise<T> => {
      const { operation } = JSON.parse(body) as SaveBody
      const edits = Object.values(this.editsByOperation.get(operation?.id ?? '') ?? {})
      const settle = () => edits.forEach((edit) => this.#unanswered.delete(edit))
      for (const edit of edits) {
        const before = this.#unanswered.get(edit)
        if (before !== undefined && before !== operation?.id) this.violations.push('an edit was tried again under a new operation id')
        if (operation) this.#unanswered.set(edit, operation.id)
      }
      try {
        const reply = await send(request)
        settle()
        return reply
      } catch (error) {
        if (error instanceof SendFailure && error.reason === 'refused') settle()
        throw error
      }
    }
    return {
      device,
      pull: async () => {
        const reply = await send(async () => this.#server.reply())
        await stepUnlessKilled()
        this.#applyReply(reply)
      },
      network: {
        save: (body) =>
          trackOperation(body, async () => {
            const { operation } = JSON.parse(body) as SaveBody
            const isRefused = operation?.groups.some(({ questionId }) => this.#server.refused.has(questionId))
            if (isRefused) throw new SendFailure('refused', 'INVALID_ANSWER')
            const process = this.#random.pick(this.#server.processes)
            const outcome = await saveAnswers(process, () => SECTIONS, OWNER, this.#shortened(JSON.parse(body) as SaveBody))
            if ('refusal' in outcome) throw new SendFailure('refused', outcome.refusal)
            if (operation && !this.#server.isFirstReply(operation.id, outcome.reply)) this.violations.push('a repeat got another reply')
            return structuredClone(outcome.reply)
          }),
        complete: () => send(() => this.#server.complete()),
        results: () => send(async () => ({ status: this.#server.status })),
      },
    }
  }

  #shortened(body: SaveBody): SaveBody {
    const { shorten = 0 } = this.#faults
    this.#isShortened = !this.#isShortened && shorten > 0 && this.#random.chance(shorten)
    return this.#isShortened ? { ...body, responses: body.responses.slice(0, -1) } : body
  }
  #isShortened = false

  unsent(): number {
    return unsentOf(this.disk).length
  }
}
