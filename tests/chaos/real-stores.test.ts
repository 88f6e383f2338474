import 'fake-indexeddb/auto'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { db } from '#app/offline/db.ts'
import { keepAnswer } from '#app/offline/at-hand.ts'
import { dexieDevice, keepInstance, loadInstance, loadRows } from '#app/offline/device-store.ts'
import type { InstanceKey } from '#app/offline/stored.ts'
import { SendFailure, syncInstance, unsentOf, type NetworkPort } from '#app/offline/sync.ts'
import type { ResultsRead } from '#app/offline/results.ts'
import type { Instance, SaveBody } from '#contract/instances.ts'
import { sameValue } from '#contract/rules/merge.ts'
import { groupOf, itemIdsOf, rate, RATINGS, type Answers } from '#contract/rules/questionnaire.ts'
import { sectionsOf } from '#server/content/content.ts'
import { answersOf } from '#server/instances/answers-store.ts'
import { saveAnswers } from '#server/instances/save-answers.ts'
import { ask, signIn, type Person } from '#tests/support/person.ts'
import { engines, startServer, type TestServer } from '#tests/support/start-server.ts'
import { Random } from './scheduler.ts'

/** The same histories behind the real stores: Dexie over IndexedDB on one side, the database on the other. */

const HISTORIES = Number(process.env['HISTORIES'] ?? 12)

describe.each(engines)('Dexie on the device, %s on the server', (database) => {
  let server: TestServer
  let player: Person

  beforeAll(async () => {
    server = await startServer({ database })
    player = await signIn(server, 'sam@example.test')
  })
  afterAll(() => server.close())

  const read = async (instanceId: string) =>
    (await ask<Instance>(server, 'GET', `assessment/assessment-instance/${instanceId}`, { bearer: player.accessToken })).body

  /** The network between them: what arrives is the production code of the server, on its database. */
  function network(random: Random, instanceId: string): NetworkPort<ResultsRead> {
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

  /** One run of the sync core of a device; every call makes its own connection, as every start of the app does. */
  const sync = (key: InstanceKey, random: Random, deviceId: string) =>
    syncInstance({
      device: dexieDevice(key, () => {}),
      network: network(random, key.instanceId),
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

  test('what IndexedDB holds and what the database holds are the same in the end', async () => {
    for (let seed = 1; seed <= HISTORIES; seed += 1) {
      const random = new Random(seed)
      const instanceId = await server.giveInstance(player)
      const key = { userId: player.userId, instanceId }
      const device = randomUUID()
      const instance = await read(instanceId)
      await keepInstance(player.userId, 'en', instance, 0)
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
        await keepAnswer(key, { questionId: question.id, sectionName: section.name, value, edit: random.uuid(), base: 0 })
        if (random.chance(0.2)) await sync(key, random, device)
      }
      await settle(key, random, device)
      const held = Object.fromEntries((await read(instanceId)).responses.map(({ id, answer }) => [id, answer]))
      for (const [questionId, value] of Object.entries(answers)) {
        for (const [id, answer] of Object.entries(value)) expect(held[id] ?? null, `seed ${seed}: ${questionId}`).toBe(answer)
      }
      const rows = await loadRows(key)
      expect(unsentOf(rows), `seed ${seed}`).toEqual([])
      expect(
        rows.answers.every((row) => sameValue(row.value, answers[row.questionId] ?? {})),
        `seed ${seed}`,
      ).toBe(true)
    }
  })

  test('Submit ends with results on the device and no raw answer left on it', async () => {
    const instanceId = await server.giveInstance(player, 0.99)
    const key = { userId: player.userId, instanceId }
    const instance = await read(instanceId)
    await keepInstance(player.userId, 'en', instance, 0)
    const rows = await loadRows(key)
    for (const section of instance.sections) {
      for (const question of section.questions) {
        if (rows.answers.some((row) => row.questionId === question.id)) continue
        const ids = itemIdsOf(question)
        const value = Object.fromEntries(ids.map((id, i) => [id, section.type === 'ipsative' ? 'A' : String(i + 1)]))
        await keepAnswer(key, { questionId: question.id, sectionName: section.name, value, edit: randomUUID(), base: 0 })
      }
    }
    await db.instances.update([key.userId, key.instanceId], { finish: 'save' })
    await settle(key, new Random(7), randomUUID())
    const stored = await loadInstance(key)
    expect(stored?.summary.status).toBe('COMPLETED')
    expect(stored?.finish).toBeNull()
    expect(await loadRows(key)).toEqual({ answers: [], receipts: [], late: [] })
  })
})
