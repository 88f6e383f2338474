import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { RESENDS_MAXIMUM } from '#contract/constants.ts'
import type { InstanceSummary } from '#contract/instances.ts'
import { hashOfAllRows } from '#tests/support/every-row.ts'
import { ask, movableClock, signIn, type Person } from '#tests/support/person.ts'
import { engines, startServer, type TestServer } from '#tests/support/start-server.ts'
import { allocate, allocatedTo, coachWith, complete, everyAnswer, reclaim, resend, save, tokensOf } from './support.ts'

/** Inviting again and taking back. §4 Token statuses, ruling 16, promises §3 36–38, 40 */
describe.each(engines)('after allocating (%s)', (database) => {
  const clock = movableClock()
  let server: TestServer
  let coach: Person
  let player: Person
  let other: Person
  let id: string
  let count = 0

  beforeAll(async () => {
    server = await startServer({ database, clock })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    count += 1
    coach = await coachWith(server, `coach${count}@club.test`, 3)
    other = await coachWith(server, `other${count}@club.test`, 1)
    player = await signIn(server, `player${count}@club.test`)
    id = (await allocate(server, coach, player.email)).body.instanceId
  })

  const again = (as = coach, email = player.email) => resend(server, as, email)
  const takeBack = (as = coach, instanceId = id, seenStatus?: string) => reclaim(server, as, instanceId, seenStatus)
  const begin = () => save(server, player, id, everyAnswer.slice(0, 4))
  const finish = async () => {
    await save(server, player, id)
    expect((await complete(server, player, id)).status).toBe(200)
  }
  const row = async (instanceId = id) => (await server.rows('instances')).find((one) => one['id'] === instanceId)
  // as the engine writes it
  const instant = (value: unknown) => new Date(String(value)).toISOString()
  const tokens = () => tokensOf(server, coach)
  async function refused(answer: () => Promise<{ status: number; body: { code?: string } }>, status: number, code: string): Promise<void> {
    await server.deps.mails.wake()
    const before = await hashOfAllRows(server)
    const said = await answer()
    expect([said.status, said.body.code]).toEqual([status, code])
    expect(await hashOfAllRows(server)).toEqual(before)
  }

  describe('resend', () => {
    test('sends the invitation of a pending instance again and says when', async () => {
      clock.forward(600)
      const { status, body } = await again(coach, player.email.toUpperCase())
      expect([status, body]).toEqual([200, { dateSent: clock.now().toISOString() }])
      expect(await row()).toMatchObject({ resends: 1, status: 'ALLOCATED' })
      expect(instant((await row())?.['invited_at'])).toBe(clock.now().toISOString())
      await server.deps.mails.wake()
      expect(server.mails(player.email).filter(({ text }) => text.includes(id))).toHaveLength(2)
      expect(await tokens()).toEqual({ total: 3, used: 1, available: 2 })
    })

    test('also when the player has begun', async () => {
      await begin()
      expect((await again()).status).toBe(200)
    })

    test('40: the sixth reminder is refused', async () => {
      for (let i = 0; i < RESENDS_MAXIMUM; i += 1) expect((await again()).status).toBe(200)
      await refused(() => again(), 429, 'RESEND_LIMIT')
      expect(await row()).toMatchObject({ resends: RESENDS_MAXIMUM })
    })

    test('40: another instance has reminders of its own', async () => {
      for (let i = 0; i < RESENDS_MAXIMUM; i += 1) await again()
      await takeBack()
      clock.forward(8 * 86_400)
      coach = await signIn(server, coach.email)
      await allocate(server, coach, player.email)
      expect((await again()).status).toBe(200)
    })

    test('a completed one is refused', async () => {
      await finish()
      await refused(() => again(), 409, 'ALREADY_COMPLETED')
    })

    test('with a completed and a pending one, the pending one is meant', async () => {
      await finish()
      const second = (await allocate(server, coach, player.email)).body.instanceId
      expect((await again()).status).toBe(200)
      expect([await row(), await row(second)]).toMatchObject([{ resends: 0 }, { resends: 1 }])
    })

    test('what was taken back, another coach’s, an unknown player’s and another assessment’s is not found', async () => {
      await refused(() => again(other), 404, 'NOT_FOUND')
      await refused(() => again(coach, `nobody${count}@club.test`), 404, 'NOT_FOUND')
      await refused(() => resend(server, coach, player.email, 'other'), 404, 'NOT_FOUND')
      await takeBack()
      await refused(() => again(), 404, 'NOT_FOUND')
    })

    test('and what the player bought is nobody’s to remind of', async () => {
      await takeBack()
      await server.giveInstance(player)
      await refused(() => again(), 404, 'NOT_FOUND')
    })
  })

  describe('reclaim', () => {
    test('takes it from the player and gives the token back', async () => {
      const { status, body } = await takeBack(coach, id, 'ALLOCATED')
      expect([status, body]).toEqual([200, { instanceId: id, status: 'RECLAIMED' }])
      expect(await row()).toMatchObject({ status: 'RECLAIMED' })
      expect(instant((await row())?.['reclaimed_at'])).toBe(clock.now().toISOString())
      expect(await tokens()).toEqual({ total: 3, used: 0, available: 3 })
      expect(await allocatedTo(server, coach)).toEqual([])
      const asking = { bearer: player.accessToken }
      const list = await ask<{ data: InstanceSummary[] }>(server, 'GET', 'assessment/assessment-instance', asking)
      expect(list.body.data).toEqual([])
      expect((await allocate(server, coach, player.email)).status).toBe(201)
    })

    test('with what was answered kept on the server, and late answers refused', async () => {
      await begin()
      expect((await takeBack(coach, id, 'IN_PROGRESS')).status).toBe(200)
      const answers = (await server.rows('answer_groups')).filter((one) => one['instance_id'] === id)
      expect(answers).toHaveLength(1)
      await refused(() => begin(), 409, 'INSTANCE_RECLAIMED')
      await refused(() => complete(server, player, id), 409, 'INSTANCE_RECLAIMED')
    })

    test('and nothing can be noted on it any more', async () => {
      const path = `assessment/assessment-instance/${id}`
      const note = () => ask(server, 'PATCH', path, { bearer: coach.accessToken, body: { userTeam: 'Reserves' } })
      expect((await note()).status).toBe(200)
      await takeBack()
      await refused(note, 404, 'NOT_FOUND')
    })

    test('36: a completed one stays, and so does its token’s use', async () => {
      await finish()
      await refused(() => takeBack(), 409, 'ALREADY_COMPLETED')
      expect(await tokens()).toEqual({ total: 3, used: 1, available: 2 })
    })

    test('37: a second time is refused, with one token back', async () => {
      await takeBack()
      await refused(() => takeBack(), 409, 'ALREADY_RECLAIMED')
      expect(await tokens()).toEqual({ total: 3, used: 0, available: 3 })
    })

    test('38: another coach’s, an unknown one and nonsense are not found', async () => {
      await refused(() => takeBack(other), 404, 'NOT_FOUND')
      await refused(() => takeBack(coach, crypto.randomUUID()), 404, 'NOT_FOUND')
      await refused(() => takeBack(coach, 'x'), 404, 'NOT_FOUND')
      await takeBack()
      await refused(() => takeBack(other), 404, 'NOT_FOUND')
    })

    test('what the player bought is never the coach’s', async () => {
      for (const share of [0, 0.5, 1]) {
        const bought = await server.giveInstance(player, share)
        await refused(() => takeBack(coach, bought), 404, 'NOT_FOUND')
      }
    })

    test('the player who began after the coach looked is not interrupted', async () => {
      await begin()
      await refused(() => takeBack(coach, id, 'ALLOCATED'), 409, 'PLAYER_HAS_BEGUN')
      expect((await takeBack(coach, id)).status).toBe(200)
    })

    test('what a coach was shown decides nothing else', async () => {
      await finish()
      for (const seen of ['ALLOCATED', 'IN_PROGRESS', 'OWNED', 'RECLAIMED']) {
        await refused(() => takeBack(coach, id, seen), 409, 'ALREADY_COMPLETED')
      }
    })

    test('leaves a trace in the audit log', async () => {
      await takeBack()
      const [last] = (await server.rows('audit_entries')).toSorted((a, b) => Number(b['id']) - Number(a['id']))
      expect(last).toMatchObject({ event: 'reclaimed', user_id: coach.userId, about: id })
    })
  })
})
