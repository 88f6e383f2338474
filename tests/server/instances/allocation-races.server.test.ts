import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { REMINDERS_MAXIMUM } from '#contract/constants.ts'
import type { UserTypeCode } from '#contract/rules/user-types.ts'
import { ask, coachData, signIn, type Reply, type Person } from '#tests/support/person.ts'
import { engines } from '#tests/support/databases.ts'
import { givenServer } from '#tests/support/start-server.ts'
import {
  allocate,
  allocatedTo,
  ASSESSMENT,
  coachWith,
  complete,
  everyAnswer,
  giveTokens,
  reclaim,
  resend,
  save,
  tokensOf,
} from './support.ts'

const AT_ONCE = 64
const ROUNDS = 5
const all = <T>(one: (index: number) => Promise<T>, count = AT_ONCE) => Promise.all(Array.from({ length: count }, (_, index) => one(index)))

/** Concurrent calls have the same effect as calls one after the other. DATA-8, TOKENS-14, ASSIGN-19 */
describe.each(engines)('concurrent calls (%s)', (database) => {
  const server = givenServer({ database, env: { MAILS_PER_HOUR: '1000', MAILS_PER_DAY: '1000' } })
  let coach: Person
  let count = 0

  beforeEach(async () => {
    count += 1
    coach = await coachWith(server, `coach${count}@club.test`, 1)
  })

  const counted = (replies: Reply<{ code?: string }>[]) => {
    const counts: Record<string, number> = {}
    for (const { status, body } of replies) {
      const what = status < 300 ? String(status) : String(body.code)
      counts[what] = (counts[what] ?? 0) + 1
    }
    return counts
  }
  const tokens = () => tokensOf(server, coach)
  const stateOf = async (id: string) => (await server.rows('instances')).find((one) => one['id'] === id)
  const given = async (player: Person) => (await allocate(server, coach, player.email)).body.instanceId
  const sentTo = (email: string, id: string) => server.mails(email).filter(({ text }) => text.includes(id))

  test('of 64 allocations for the last token, exactly one gets it', async () => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const replies = await all((index) => allocate(server, coach, `p${index}.${round}.${count}@club.test`))
      expect(counted(replies)).toEqual({ 201: 1, NO_TOKENS_AVAILABLE: AT_ONCE - 1 })
      expect(await tokens()).toEqual({ total: round, used: round, available: 0 })
      await giveTokens(server, coach, 1)
    }
  })

  test('allocations of two coaches do not affect each other', async () => {
    const other = await coachWith(server, `other${count}@club.test`, AT_ONCE)
    await giveTokens(server, coach, AT_ONCE - 1)
    const replies = await all((index) => allocate(server, index % 2 === 0 ? coach : other, `both${index >> 1}.${count}@club.test`))
    expect(counted(replies)).toEqual({ 201: AT_ONCE })
    expect([await tokens(), await tokensOf(server, other)]).toMatchObject([{ used: AT_ONCE / 2 }, { used: AT_ONCE / 2 }])
  })

  test('of 64 allocations to one player, one succeeds, for one token', async () => {
    await giveTokens(server, coach, AT_ONCE - 1)
    const replies = await all(() => allocate(server, coach, `one${count}@club.test`))
    expect(counted(replies)).toEqual({ 201: 1, ALREADY_ALLOCATED: AT_ONCE - 1 })
    expect(await tokens()).toMatchObject({ used: 1 })
  })

  test('one operation sent 64 times is carried out once, and every reply is the same', async () => {
    await giveTokens(server, coach, AT_ONCE - 1)
    const operationId = crypto.randomUUID()
    const replies = await all(() => allocate(server, coach, `same${count}@club.test`, { operationId }))
    expect(counted(replies)).toEqual({ 201: AT_ONCE })
    // except `invitation`, which changes while the mail is sent
    expect(new Set(replies.map(({ body }) => JSON.stringify({ ...body, invitation: null }))).size).toBe(1)
    expect(await tokens()).toMatchObject({ used: 1 })
    await server.deps.jobs.settled('mails')
    expect(sentTo(`same${count}@club.test`, replies[0]?.body.instanceId ?? '')).toHaveLength(1)
  })

  test('one operation sent for 64 players is carried out for one of them', async () => {
    await giveTokens(server, coach, AT_ONCE - 1)
    const operationId = crypto.randomUUID()
    const replies = await all((index) => allocate(server, coach, `many${index}.${count}@club.test`, { operationId }))
    expect(counted(replies)).toEqual({ 201: 1, OPERATION_MISMATCH: AT_ONCE - 1 })
    expect(await tokens()).toMatchObject({ used: 1 })
  })

  test('of a reclaim and a completion exactly one succeeds', async () => {
    const player = await signIn(server, `player${count}@club.test`)
    const outcomes = { completed: 0, reclaimed: 0 }
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await tokens()
      const id = await given(player)
      await save(server, player, id)
      const takesBack = (index: number) => index % 2 === round % 2
      const replies = await all<Reply<{ code?: string }>>((index) =>
        takesBack(index) ? reclaim(server, coach, id) : complete(server, player, id),
      )
      const half = AT_ONCE / 2
      const isCompleted = (await stateOf(id))?.['status'] === 'COMPLETED'
      const expected = isCompleted
        ? { 200: half, ALREADY_COMPLETED: half }
        : { 200: 1, ALREADY_RECLAIMED: half - 1, INSTANCE_RECLAIMED: half }
      expect(counted(replies)).toEqual(expected)
      expect(await tokens()).toEqual({
        ...before,
        used: before.used + (isCompleted ? 1 : 0),
        available: before.available - (isCompleted ? 1 : 0),
      })
      outcomes[isCompleted ? 'completed' : 'reclaimed'] += 1
      if (isCompleted) await giveTokens(server, coach, 1)
    }
    expect(outcomes.completed + outcomes.reclaimed).toBe(ROUNDS)
  })

  test('a save succeeds only before a reclaim', async () => {
    const player = await signIn(server, `saver${count}@club.test`)
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await given(player)
      const some = everyAnswer.slice(0, 4)
      const [saved, taken] = await Promise.all([save(server, player, id, some), reclaim(server, coach, id, 'ALLOCATED')])
      const statuses = [saved.status, taken.status].join()
      // either the reclaim came first, or the player had started and the reclaim was refused
      expect(['409,200', '200,409']).toContain(statuses)
      expect([saved.body.code, taken.body.code]).toContain(taken.status === 200 ? 'INSTANCE_RECLAIMED' : 'PLAYER_HAS_BEGUN')
      expect(await tokens()).toMatchObject({ used: taken.status === 200 ? 0 : 1 })
      await reclaim(server, coach, id)
    }
  })

  test('64 reclaims return one token', async () => {
    const player = await signIn(server, `taken${count}@club.test`)
    const id = await given(player)
    const replies = await all(() => reclaim(server, coach, id))
    expect(counted(replies)).toEqual({ 200: 1, ALREADY_RECLAIMED: AT_ONCE - 1 })
    expect(await tokens()).toEqual({ total: 1, used: 0, available: 1 })
  })

  test('after concurrent reclaims and allocations the player has one instance or none, and the balance agrees', async () => {
    const player = await signIn(server, `again${count}@club.test`)
    await given(player)
    const known = async () => (await allocatedTo(server, coach)).map(({ instanceId }) => instanceId)
    for (let round = 0; round < ROUNDS; round += 1) {
      const [id = ''] = await known()
      const replies = await all<Reply<{ code?: string }>>((index) =>
        index % 2 === 0 ? reclaim(server, coach, id) : allocate(server, coach, player.email),
      )
      expect(Math.max(...replies.map(({ status }) => status))).toBe(409)
      const left = await known()
      expect(left.length).toBeLessThanOrEqual(1)
      expect(await tokens()).toEqual({ total: 1, used: left.length, available: 1 - left.length })
      if (left.length === 0) await given(player)
    }
  })

  test('of 64 reminders five are sent', async () => {
    const player = await signIn(server, `reminded${count}@club.test`)
    const id = await given(player)
    const replies = await all(() => resend(server, coach, player.email))
    expect(counted(replies)).toEqual({ 200: REMINDERS_MAXIMUM, RESEND_LIMIT: AT_ONCE - REMINDERS_MAXIMUM })
    await server.deps.jobs.settled('mails')
    expect(sentTo(player.email, id).length).toBeLessThanOrEqual(1 + REMINDERS_MAXIMUM)
    expect(await stateOf(id)).toMatchObject({ resends: REMINDERS_MAXIMUM })
  })

  describe.each<UserTypeCode>(['player', 'coach'])('an invitation while the person invited signs up as a %s', (userTypeCode) => {
    /** Starts a sign-up; the returned function completes it with the right code. */
    async function signingUp(email: string): Promise<() => Promise<Reply<{ code?: string }>>> {
      const person = userTypeCode === 'coach' ? coachData : {}
      const started = await ask<{ session: string }>(server, 'POST', 'user/auth/initiate', { body: { email, userTypeCode, ...person } })
      const body = { session: started.body.session, email, otp: server.codeFor(email) }
      return () => ask<{ code?: string }>(server, 'POST', 'user/auth/verify-otp', { body })
    }

    test('belongs to a new player; for a new coach it is refused or reclaimed', async () => {
      for (let round = 0; round < ROUNDS * 2; round += 1) {
        const email = `new${round}.${count}.${userTypeCode}@club.test`
        const prove = await signingUp(email)
        const [signedUp, invited] = await Promise.all([prove(), allocate(server, coach, email)])
        expect(signedUp.status).toBe(200)
        const rows = await allocatedTo(server, coach)
        if (userTypeCode === 'player') {
          expect(invited.status).toBe(201)
          expect(rows).toMatchObject([{ userEmail: email }])
          const held = (await server.rows('instances')).find(({ id }) => id === invited.body.instanceId)
          expect(held?.['user_id']).toEqual(expect.any(String))
          await reclaim(server, coach, invited.body.instanceId)
        } else {
          expect([201, 409]).toContain(invited.status)
          expect(rows).toEqual([])
        }
        expect(await tokens()).toEqual({ total: 1, used: 0, available: 1 })
      }
    })

    test('from several coaches to several people at once: all reach new players, and none new coaches', async () => {
      const others = await all((index) => coachWith(server, `also${index}.${count}.${userTypeCode}@club.test`, 4), 3)
      const emails = Array.from({ length: 4 }, (_, index) => `shared${index}.${count}.${userTypeCode}@club.test`)
      const proofs = []
      for (const email of emails) proofs.push(await signingUp(email))
      const invite = (coachOf: Person) => emails.map((email) => allocate(server, coachOf, email))
      const replies = await Promise.all([...others.flatMap(invite), ...proofs.map((prove) => prove())])
      for (const { status, body } of replies) expect([status, body.code]).toSatisfy(isExpected)
      for (const other of others) {
        const isPlayers = userTypeCode === 'player'
        expect(await tokensOf(server, other)).toEqual({ total: 4, used: isPlayers ? 4 : 0, available: isPlayers ? 0 : 4 })
      }
    })
    const isExpected = ([status, code]: [number, string | undefined]) => status < 300 || code === 'COACH_ALLOCATION_NOT_ALLOWED'

    test('can be reclaimed at the same time, which returns one token', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const email = `back${round}.${count}.${userTypeCode}@club.test`
        const prove = await signingUp(email)
        const { instanceId } = (await allocate(server, coach, email)).body
        const [signedUp, taken] = await Promise.all([prove(), reclaim(server, coach, instanceId)])
        expect(signedUp.status).toBe(200)
        expect([200, ...(userTypeCode === 'coach' ? [409] : [])]).toContain(taken.status)
        expect(await tokens()).toEqual({ total: 1, used: 0, available: 1 })
      }
    })

    // the embedded database has one connection, so two transactions cannot overlap
    test.runIf(database === 'postgres')('can be reclaimed at the same time without a deadlock', async () => {
      await giveTokens(server, coach, 1)
      const email = `two.${count}.${userTypeCode}@club.test`
      const prove = await signingUp(email)
      const ids: string[] = []
      for (const assessmentId of [ASSESSMENT, await offerAnother()]) {
        ids.push((await allocate(server, coach, email, { assessmentId })).body.instanceId)
      }
      const last = ids.toSorted().at(-1)
      // other test files use other databases of the same cluster
      const waiting = async () => {
        const own = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        return (await server.deps.db.execute(own)).rows.length
      }
      // takes a reclaim's locks in the same order, and starts the sign-up between them
      const proving = await server.deps.db.transaction(async (tx) => {
        await tx.execute(sql`select 1 from instances where id = ${last} for update`)
        const reply = prove()
        await expect.poll(waiting).toBeGreaterThan(0)
        await tx.execute(sql`select 1 from token_balances where coach_id = ${coach.userId} for update`)
        // in an object, because the transaction would wait for a promise
        return { reply }
      })
      expect((await proving.reply).status).toBe(200)
      const isPlayers = userTypeCode === 'player'
      expect(await tokens()).toEqual({ total: 2, used: isPlayers ? 2 : 0, available: isPlayers ? 0 : 2 })
    })
  })

  async function offerAnother(): Promise<string> {
    const body = {
      assessmentId: `another-${count}`,
      name: 'Another',
      tagline: 'Of the same',
      description: 'Another one',
      estimatedTimeMinutes: 10,
      prices: [{ id: `price_another_${count}`, unitAmount: 1000, currency: 'EUR' }],
      sampleReportFilename: 'another.pdf',
    }
    const made = await ask<{ assessmentId: string }>(server, 'POST', 'assessment', { bearer: server.deps.keys.operatorKey, body })
    expect(made.status).toBe(201)
    return made.body.assessmentId
  }
})
