import 'fake-indexeddb/auto'
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { db } from '#app/device/store/db.ts'
import { devicePort } from '#app/device/sending/device-port.ts'
import { stateBeforeFetch, readInstance, readRows, storeInstance, writeAnswer } from '#app/device/store/device-store.ts'
import type { InstanceKey } from '#app/device/store/stored.ts'
import { session } from '#app/session/session.ts'
import type { SessionUser } from '#app/session/user.ts'
import { SendFailure, syncInstance, unsentOf, type NetworkPort } from '#app/sync/sync.ts'
import type { LocalizedResults } from '#app/device/results.ts'
import type { Instance, SaveBody } from '#contract/instances.ts'
import { sameValue } from '#contract/rules/merge.ts'
import { groupOf, itemIdsOf, rate, RATINGS, type Answers } from '#contract/rules/questionnaire.ts'
import { hashOfGroups } from '#contract/rules/receipt.ts'
import { sectionsOf } from '#server/content/content.ts'
import { answerGroups, answerLog } from '#server/db/schema/answers.ts'
import { instances } from '#server/db/schema/instances.ts'
import { answersOf } from '#server/instances/answers-store.ts'
import { saveAnswers } from '#server/instances/save-answers.ts'
import { ask, signIn, type Person } from '#tests/support/person.ts'
import { engines } from '#tests/support/databases.ts'
import { givenServer } from '#tests/support/start-server.ts'
import { Random } from './scheduler.ts'

/** Histories like those of the simulation, with the real stores: Dexie over IndexedDB, and the database. */

const HISTORIES = Number(process.env['HISTORIES'] ?? 12)
const FIRST = Number(process.env['FIRST_SEED'] ?? 1)
const timeout = 30_000 + HISTORIES * 1000

describe.each(engines)('Dexie on the device, %s on the server', (database) => {
  const server = givenServer({ database })
  let player: Person

  beforeAll(async () => {
    player = await signIn(server, 'sam@example.test')
    // or nothing of theirs would stay on the device (SESSION-16)
    vi.spyOn(session, 'get').mockReturnValue({ ...session.get(), status: 'verified', user: { id: player.userId } as SessionUser })
  })
  afterAll(() => vi.restoreAllMocks())

  /** A new device: the database of one that had thousands of questionnaires grows slower with each. */
  const emptyDevice = () => Promise.all(db.tables.map((table) => table.clear()))

  const read = async (instanceId: string) =>
    (await ask<Instance>(server, 'GET', `assessment/assessment-instance/${instanceId}`, { bearer: player.accessToken })).body

  /** A faulty network. Requests that arrive run the production code of the server on its database. */
  function network(random: Random, instanceId: string): NetworkPort<LocalizedResults> {
    const port = answersOf(server.deps.db, server.deps.clock.now)
    const faulty = async <T>(request: () => Promise<T>): Promise<T> => {
      if (random.chance(0.15)) throw new SendFailure('unreachable', 'FETCH_ERROR')
      if (random.chance(0.15)) await request()
      const reply = await request()
      if (random.chance(0.15)) throw new SendFailure('unreachable', 'TIMEOUT_ERROR')
      return reply
    }
    return {
      save: (body) =>
        faulty(async () => {
          const outcome = await saveAnswers(port, (version) => sectionsOf(version, 'en'), player.userId, JSON.parse(body) as SaveBody)
          if ('refusal' in outcome) throw new SendFailure('refused', outcome.refusal)
          return outcome.reply
        }),
      complete: () =>
        faulty(async () => {
          const { status } = await ask(server, 'POST', `assessment/assessment-instance/${instanceId}/complete`, {
            bearer: player.accessToken,
          })
          if (status !== 200) throw new SendFailure('refused', 'NOT_COMPLETE')
        }),
      results: () => faulty(async () => ({ summary: await read(instanceId), text: null })),
    }
  }

  /** One run of a device's sync, with ports of its own, as after a start of the app. */
  const sync = (key: InstanceKey, random: Random, deviceId: string) =>
    syncInstance({
      device: devicePort(key, () => {}),
      network: network(random, key.instanceId),
      pull: async () => {
        const before = await stateBeforeFetch(key)
        await storeInstance(key.userId, 'en', await read(key.instanceId), before)
      },
      deviceId,
      instanceId: key.instanceId,
      isOwner: () => true,
      randomId: () => randomUUID(),
      now: () => 0,
    })

  async function settle(key: InstanceKey, random: Random, deviceId: string): Promise<void> {
    for (let i = 0; i < 100; i += 1) if ((await sync(key, random, deviceId)) === 'clean') return
    throw new Error('never settled')
  }

  test('IndexedDB and the database end up with the same answers', { timeout }, async () => {
    for (let seed = FIRST; seed < FIRST + HISTORIES; seed += 1) {
      const random = new Random(seed)
      await emptyDevice()
      const instanceId = await server.giveInstance(player)
      const key = { userId: player.userId, instanceId }
      const device = randomUUID()
      const instance = await read(instanceId)
      await storeInstance(player.userId, 'en', instance, { at: 0, hadEnded: false })
      const answers: Answers = {}
      const questions = instance.sections.flatMap((section) => section.questions.map((question) => ({ section, question })))
      for (let i = 0; i < 25; i += 1) {
        const { section, question } = random.pick(questions)
        const group = groupOf(question, answers)
        const item = random.pick(itemIdsOf(question))
        const value =
          section.type === 'likertscale'
            ? rate(group, item, random.pick(RATINGS))
            : { [item]: section.type === 'ipsative' ? random.pick(['A', 'B']) : random.pick(RATINGS) }
        answers[question.id] = value
        await writeAnswer(key, { questionId: question.id, sectionName: section.name, value, edit: random.uuid(), base: 0 })
        if (random.chance(0.2)) await sync(key, random, device)
      }
      await settle(key, random, device)
      const held = Object.fromEntries((await read(instanceId)).responses.map(({ id, answer }) => [id, answer]))
      for (const [questionId, value] of Object.entries(answers)) {
        for (const [id, answer] of Object.entries(value)) expect(held[id] ?? null, `seed ${seed}: ${questionId}`).toBe(answer)
      }
      const rows = await readRows(key)
      expect(unsentOf(rows), `seed ${seed}`).toEqual([])
      expect(
        rows.answers.every((row) => sameValue(row.value, answers[row.questionId] ?? {})),
        `seed ${seed}`,
      ).toBe(true)
    }
  })

  test('after a restore of the database, the device notices at the next reply and sends all lost answers again', { timeout }, async () => {
    for (let seed = FIRST; seed < FIRST + HISTORIES / 4; seed += 1) {
      const random = new Random(seed)
      await emptyDevice()
      const instanceId = await server.giveInstance(player)
      const key = { userId: player.userId, instanceId }
      const device = randomUUID()
      const { sections } = await read(instanceId)
      await storeInstance(player.userId, 'en', await read(instanceId), { at: 0, hadEnded: false })
      const answers: Answers = {}
      const answer = async () => {
        const section = random.pick(sections)
        const question = random.pick(section.questions)
        const values = section.type === 'ipsative' ? ['A', 'B'] : RATINGS
        const value = Object.fromEntries(itemIdsOf(question).map((id, at) => [id, values[(at + random.below(2)) % values.length] ?? '1']))
        if (section.type === 'likertscale') for (const [at, id] of itemIdsOf(question).entries()) value[id] = String(at + 1)
        answers[question.id] = value
        const base = (await readRows(key)).receipts.find((receipt) => receipt.questionId === question.id)?.revision ?? 0
        await writeAnswer(key, { questionId: question.id, sectionName: section.name, value, edit: random.uuid(), base })
        await settle(key, random, device)
      }
      for (let i = 0; i < 8; i += 1) await answer()
      const restore = await backUp(instanceId)
      for (let i = 0; i < 8; i += 1) await answer()
      expect(unsentOf(await readRows(key)), `seed ${seed}`).toEqual([])
      expect((await read(instanceId)).hash).toBe(await hashOnDevice(key))

      await restore()
      if (seed % 2 === 0) {
        // the questionnaire stays open, so the reply to the next save shows the restore
        await answer()
        expect((await read(instanceId)).hash, `seed ${seed}`).toBe(await hashOnDevice(key))
        continue
      }
      const after = await read(instanceId)
      expect(after.hash, `seed ${seed}: the hash does not show the restore`).not.toBe(await hashOnDevice(key))
      await storeInstance(player.userId, 'en', after, { at: 0, hadEnded: false })
      expect(unsentOf(await readRows(key)).length, `seed ${seed}`).toBeGreaterThan(0)
      await settle(key, random, device)
      const end = await read(instanceId)
      const held = Object.fromEntries(end.responses.map(({ id, answer: value }) => [id, value]))
      expect(held, `seed ${seed}`).toEqual(Object.assign({}, ...Object.values(answers)))
      expect(end.hash).toBe(await hashOnDevice(key))
      expect((await readRows(key)).late).toEqual([])
    }
  })

  /** The hash of the acknowledged answers, made as the server makes its own. */
  async function hashOnDevice(key: InstanceKey): Promise<string> {
    const { answers, receipts } = await readRows(key)
    const revisions = new Map(receipts.map(({ questionId, revision }) => [questionId, revision]))
    return hashOfGroups(answers.map(({ questionId, value }) => ({ questionId, value, revision: revisions.get(questionId) ?? 0 })))
  }

  /** Copies the rows of an instance; the returned function restores them. */
  async function backUp(instanceId: string): Promise<() => Promise<void>> {
    const { db } = server.deps
    const [instance] = await db.select().from(instances).where(eq(instances.id, instanceId))
    const [groups, log] = [
      await db.select().from(answerGroups).where(eq(answerGroups.instanceId, instanceId)),
      await db.select().from(answerLog).where(eq(answerLog.instanceId, instanceId)),
    ]
    return async () => {
      for (const table of [answerLog, answerGroups]) await db.delete(table).where(eq(table.instanceId, instanceId))
      await db
        .update(instances)
        .set({ revision: instance?.revision ?? 0, status: 'IN_PROGRESS' })
        .where(eq(instances.id, instanceId))
      await db.insert(answerGroups).values(groups)
      await db.insert(answerLog).values(log)
    }
  }

  test('Submit leaves the completed instance on the device, and no raw answers', async () => {
    const instanceId = await server.giveInstance(player, 0.99)
    const key = { userId: player.userId, instanceId }
    const instance = await read(instanceId)
    await storeInstance(player.userId, 'en', instance, { at: 0, hadEnded: false })
    const rows = await readRows(key)
    for (const section of instance.sections) {
      for (const question of section.questions) {
        if (rows.answers.some((row) => row.questionId === question.id)) continue
        const ids = itemIdsOf(question)
        const value = Object.fromEntries(ids.map((id, i) => [id, section.type === 'ipsative' ? 'A' : String(i + 1)]))
        await writeAnswer(key, { questionId: question.id, sectionName: section.name, value, edit: randomUUID(), base: 0 })
      }
    }
    await db.instances.update([key.userId, key.instanceId], { finish: 'save' })
    await settle(key, new Random(7), randomUUID())
    const stored = await readInstance(key)
    expect(stored?.summary.status).toBe('COMPLETED')
    expect(stored?.finish).toBeNull()
    expect(await readRows(key)).toEqual({ answers: [], receipts: [], late: [] })
  })
})
