import { expect } from 'vitest'
import { clearErased, clearRows } from '#app/device/store/clear-rows.ts'
import { db } from '#app/device/store/db.ts'
import {
  acknowledge,
  complete,
  discardUnsent,
  readSyncState,
  removeOperation,
  setTrouble,
  storeOperation,
} from '#app/device/store/dexie-answers.ts'
import { changeInstance, forgetAcknowledged, storeInstance } from '#app/device/store/dexie-instances.ts'
import { readRows, stateBeforeFetch, writeAnswer } from '#app/device/store/idb.ts'
import type { StateBeforeFetch } from '#app/device/store/stored.ts'
import { SendFailure, syncInstance, unsentOf } from '#app/sync/sync.ts'
import type { Instance, SaveBody } from '#contract/instances.ts'
import type { Section } from '#contract/rules/questionnaire.ts'
import { isOpen } from '#contract/rules/statuses.ts'
import { saveAnswers } from '#server/instances/save-answers.ts'
import { Random } from '#tests/chaos/scheduler.ts'
import { OWNER, Server } from '#tests/chaos/server.ts'

const key = { userId: OWNER, instanceId: 'instance' }
const LETTERS = Array.from({ length: 26 }, (_, n) => String.fromCharCode(65 + n))
const IDS = ['p1', 'p2', 'p3']
const sections: Section[] = [
  {
    name: 'Section2',
    type: 'ipsative',
    sectionOptions: [],
    questions: IDS.map((id) => ({ id, question: id, options: LETTERS.map((value) => ({ value, label: value })), subQuestions: [] })),
  },
]

/** An answer given here. `here`: the server never had it, so the device must; `gone`: replaced, discarded, cleared, or lost by a restored server. */
interface Given {
  questionId: string
  order: number
  letter: string
  state: 'here' | 'sent' | 'gone'
}

/** What happens, and what must hold after each step. */
export class OverlappingHistory {
  readonly random: Random
  readonly server = new Server({ step: () => Promise.resolve() })
  readonly log: string[] = []
  signedIn = true
  order = 0
  /** by edit */
  given = new Map<string, Given>()
  discarded = new Set<string>()
  acked = new Set<string>()
  requests: { before: StateBeforeFetch; reply?: Instance }[] = []
  discards: { edits: string[]; before: StateBeforeFetch; reply?: Instance }[] = []
  gates: (() => void)[] = []
  syncs = 0
  backup: ReturnType<Server['snapshot']> | undefined
  restored = 0
  erased = false
  constructor(seed: number) {
    this.random = new Random(seed)
  }

  reply(): Instance {
    const { revision, groups } = this.server.reply()
    return {
      instanceId: key.instanceId,
      status: this.server.status,
      contentVersion: 'v1',
      revision,
      sections,
      name: 'n',
      responses: groups.flatMap(({ value }) => Object.entries(value).map(([id, answer]) => ({ sectionName: 'Section2', id, answer }))),
      groups: groups.map((group) => ({ questionId: group.questionId, revision: group.revision })),
      hash: '',
    } as unknown as Instance
  }

  gate(): Promise<void> {
    return new Promise((resolve) => this.gates.push(resolve))
  }

  async tap() {
    if (!this.signedIn || this.erased) return
    const stored = await db.instances.get([key.userId, key.instanceId])
    if (!stored || !isOpen(stored.summary.status)) return
    const questionId = this.random.pick(IDS)
    const { receipts } = await readRows(key)
    const base = receipts.find((one) => one.questionId === questionId)?.revision ?? 0
    const edit = this.random.uuid()
    this.order += 1
    const letter = this.random.pick(LETTERS)
    for (const one of this.given.values()) if (one.questionId === questionId && one.state === 'here') one.state = 'gone'
    this.given.set(edit, { questionId, order: this.order, letter, state: 'here' })
    await writeAnswer(key, { questionId, sectionName: 'Section2', value: { [questionId]: letter }, edit, base, order: this.order })
    this.log.push(`tap ${questionId}=${letter} base ${base}`)
  }

  async request() {
    if (!this.signedIn || this.erased) return
    this.requests.push({ before: await stateBeforeFetch(key) })
    this.log.push('request')
  }
  async serve() {
    const open = this.requests.filter((one) => !one.reply)
    if (open.length === 0) return
    const one = this.random.pick(open)
    one.reply = this.reply()
    this.log.push(`serve #${this.requests.indexOf(one)} rev ${one.reply.revision}`)
  }
  async store() {
    const served = this.requests.filter(({ reply }) => reply)
    const one = served.length > 0 ? this.random.pick(served) : undefined
    if (!one?.reply) return
    const at = this.requests.indexOf(one)
    this.requests.splice(at, 1)
    if (!this.signedIn || this.erased) return
    await storeInstance(key.userId, 'en', one.reply, one.before)
    const { revision, groups } = one.reply
    this.log.push(`store #${at} rev ${revision} before ${one.before.revision}`)
    const stored = await db.instances.get([key.userId, key.instanceId])
    if (stored && isOpen(stored.summary.status)) {
      const { answers } = await readRows(key)
      for (const { questionId } of groups)
        if (!answers.some((row) => row.questionId === questionId)) throw new Error(`${questionId} of the account is not shown`)
    }
  }
  async pull() {
    const before = await stateBeforeFetch(key)
    await this.gate()
    const reply = this.reply()
    await this.gate()
    if (this.signedIn && !this.erased) await storeInstance(key.userId, 'en', reply, before)
    this.log.push(`pulled rev ${reply.revision} before ${before.revision}`)
  }

  async sync(isOther = false) {
    if (this.syncs > 0 && !isOther) return
    if (!this.signedIn || this.erased) return
    this.syncs += 1
    this.log.push('sync')
    try {
      await syncInstance({
        device: {
          load: () => readSyncState(key),
          storeOperation: (operation) => storeOperation(key, operation),
          removeOperation: () => removeOperation(key),
          acknowledge: async (acknowledgement) => {
            await acknowledge(key, acknowledgement)
            if (!this.signedIn) await clearRows({ userId: key.userId, keepUnsent: true })
            this.log.push(`acknowledged rev ${acknowledgement.revision} ${Object.keys(acknowledgement.operation.edits).join()}`)
            const ids = new Set(acknowledgement.accepted.map(({ questionId }) => questionId))
            for (const [questionId, edit] of Object.entries(acknowledgement.operation.edits)) if (ids.has(questionId)) this.acked.add(edit)
          },
          setFinish: async (finish) => void (await changeInstance(key, { finish })),
          setTrouble: async (trouble) => {
            if (trouble?.code === 'NOT_FOUND') await forgetAcknowledged(key, trouble.at)
            await setTrouble(key, trouble)
            this.log.push(`trouble ${trouble?.code}`)
          },
          complete: async (summary) => {
            await complete(key, summary)
            if (!this.signedIn) await clearRows({ userId: key.userId, keepUnsent: true })
            this.log.push('completed')
          },
        },
        network: {
          save: async (body) => {
            await this.gate()
            const save = JSON.parse(body) as SaveBody // as the sync core wrote it
            const outcome = await saveAnswers(this.server.processes[0] ?? this.server, () => sections, key.userId, save)
            const groups = save.operation?.groups ?? []
            this.log.push(
              `saved ${groups.map(({ questionId }) => questionId).join()} ${'reply' in outcome ? outcome.reply.revision : outcome.refusal}`,
            )
            // the edits that the server has now
            const isSent = (one: Given) => groups.some(({ questionId, order }) => questionId === one.questionId && order === one.order)
            if ('reply' in outcome) for (const one of this.given.values()) if (one.state === 'here' && isSent(one)) one.state = 'sent'
            await this.gate()
            if ('refusal' in outcome) throw new SendFailure('refused', outcome.refusal)
            if (this.random.chance(0.1)) throw new SendFailure('unreachable', 'LOST')
            return outcome.reply
          },
          complete: async () => {
            await this.gate()
            if (this.server.groups.size === 0) throw new SendFailure('refused', 'NOT_COMPLETE')
            this.server.status = 'COMPLETED'
            this.log.push('server completed')
            await this.gate()
          },
          results: async () => {
            await this.gate()
            const { sections: _1, responses: _2, groups: _3, hash: _4, ...summary } = this.reply()
            return summary
          },
        },
        pull: () => this.pull(),
        isOwner: () => this.signedIn && !this.erased,
        randomId: () => this.random.uuid(),
        now: () => 1,
        instanceId: key.instanceId,
        deviceId: 'd1',
      })
    } finally {
      this.syncs -= 1
    }
  }

  async otherDevice() {
    if (!isOpen(this.server.status)) return
    const questionId = this.random.pick(IDS)
    const letter = this.random.pick(LETTERS)
    const groups = [{ questionId, base: this.server.groups.get(questionId)?.revision ?? 0 }]
    await saveAnswers(this.server, () => sections, key.userId, {
      instanceId: key.instanceId,
      responses: [{ sectionName: 'Section2', id: questionId, answer: letter }],
      operation: { id: this.random.uuid(), device: 'd2', contentVersion: 'v1', groups },
    })
    this.log.push(`other ${questionId}=${letter}`)
  }

  async discard() {
    if (!this.signedIn || this.erased) return
    const unsent = unsentOf(await readRows(key))
    if (unsent.length === 0) return
    this.discards.push({ edits: [this.random.pick(unsent).edit], before: await stateBeforeFetch(key) })
  }
  async serveDiscard() {
    const one = this.discards.find(({ reply }) => !reply)
    if (one) one.reply = this.reply()
  }
  async storeDiscard() {
    const one = this.discards.find(({ reply }) => reply)
    if (!one?.reply) return
    this.discards = this.discards.filter((other) => other !== one)
    if (!this.signedIn || this.erased) return
    const unsent = new Set(unsentOf(await readRows(key)).map(({ edit }) => edit))
    await discardUnsent(key, new Set(one.edits), one.reply, one.before)
    for (const edit of one.edits) {
      if (!unsent.has(edit)) continue
      const given = this.given.get(edit)
      if (given) given.state = 'gone'
      this.discarded.add(edit)
    }
    this.log.push(`discarded ${one.edits.map((edit) => this.given.get(edit)?.questionId).join()} rev ${one.reply.revision}`)
  }

  async signOut(keepUnsent: boolean) {
    if (!this.signedIn) return
    this.signedIn = false
    await clearRows({ userId: key.userId, keepUnsent })
    this.log.push(`sign-out keep ${keepUnsent}`)
    if (!keepUnsent) for (const one of this.given.values()) if (one.state === 'here') one.state = 'gone'
  }
  async signIn() {
    if (this.signedIn) return
    this.signedIn = true
    this.log.push('sign-in')
  }
  async endSession() {
    if (!this.signedIn) return
    this.signedIn = false
    await clearRows({ userId: key.userId, keepUnsent: true, keepOpen: true })
    this.log.push('session ended')
  }
  async erase() {
    if (this.erased) return
    this.erased = true
    await clearErased(key.userId, 0, undefined)
    this.log.push('erased')
  }
  async finish() {
    if (!this.signedIn || this.erased) return
    await changeInstance(key, { finish: 'save' })
    this.log.push('submit')
  }
  async restoreServer() {
    if (!this.backup) {
      this.backup = this.server.snapshot()
      this.log.push('backup')
      return
    }
    this.server.restore(this.backup)
    this.backup = undefined
    this.restored += 1
    for (const one of this.given.values()) if (one.state === 'sent') one.state = 'gone'
    this.acked.clear()
    this.log.push('restored')
  }

  async check() {
    const rows = await readRows(key)
    const unsent = new Set(unsentOf(rows).map(({ edit }) => edit))
    if (this.erased) {
      const left = await Promise.all(db.tables.filter(({ name }) => name !== 'device').map((table) => table.count()))
      expect(left, 'rows of an erased account').toEqual(left.map(() => 0))
      return
    }
    for (const [edit, one] of this.given) {
      if (one.state !== 'here') continue
      const row = rows.answers.find(({ questionId }) => questionId === one.questionId)
      if (row?.edit !== edit && !rows.late.some(({ value }) => value[one.questionId] === one.letter))
        throw new Error(`lost ${one.questionId}=${one.letter}; there is ${JSON.stringify(row)}`)
    }
    // a reply from before the restore may come after it
    if (this.restored === 0)
      for (const edit of this.acked)
        if (unsent.has(edit)) throw new Error(`acknowledged ${this.given.get(edit)?.questionId} counts as unsent`)
    for (const row of rows.answers) if (this.discarded.has(row.edit)) throw new Error(`discarded ${row.questionId} is back`)
  }

  async open(): Promise<void> {
    while (this.gates.length > 0) {
      this.gates.splice(this.random.below(this.gates.length), 1)[0]?.()
      await settle()
    }
  }

  async end() {
    await this.signIn()
    for (let n = 0; n < 30 && (this.gates.length > 0 || this.syncs > 0 || this.requests.length > 0 || this.discards.length > 0); n += 1) {
      await this.open()
      await settle()
      await this.serve()
      await this.store()
      await this.serveDiscard()
      await this.storeDiscard()
      await this.check()
    }
    if (this.erased) return this.check()
    for (let n = 0; n < 5; n += 1) {
      await this.request()
      await this.serve()
      await this.store()
      const syncing = this.sync()
      while (this.syncs > 0) {
        await this.open()
        await settle()
      }
      await syncing
      await this.check()
    }
    if (!isOpen(this.server.status)) return
    const rows = await readRows(key)
    const onServer = Object.fromEntries([...this.server.groups].map(([id, group]) => [id, group.value[id]]))
    const here = Object.fromEntries(rows.answers.map((row) => [row.questionId, row.value[row.questionId]]))
    const stored = await db.instances.get([key.userId, key.instanceId])
    if (stored?.trouble) return
    expect(here, 'what is shown').toEqual(onServer)
    expect(unsentOf(rows)).toEqual([])
  }
}

/** Lets what is under way in the store go on. */
export async function settle() {
  for (let n = 0; n < 25; n += 1) await new Promise((resolve) => setImmediate(resolve))
}
