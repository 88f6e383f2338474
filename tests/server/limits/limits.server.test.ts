import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { ALLOCATIONS_PER_DAY } from '#contract/constants.ts'
import type { Instance } from '#contract/instances.ts'
import { readEnv } from '#server/env.ts'
import { LIMITS, MUTEXES } from '#server/limits/limits.ts'
import { ask, closeAccount, coachData, movableClock, signIn, type Person } from '#tests/support/person.ts'
import { emptyDatabase, engines, type Engine } from '#tests/support/databases.ts'
import { startServer, type ServerOptions, type TestServer } from '#tests/support/start-server.ts'
import { allocate, coachWith, reclaim, save, tokensOf } from '../instances/support.ts'

/** Limits keep one caller from hurting the others, and are counted across processes (docs/decisions/0025). */

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function serve(options: ServerOptions): Promise<TestServer> {
  const server = await startServer({ clock: movableClock(), ...options })
  closing.push(server.close)
  return server
}

/** Several processes can share a PostgreSQL and the keys of an installation, but not an embedded database. */
const secret = () => randomBytes(36).toString('base64')
const keys = { REFRESH_KEY: secret(), CODE_PEPPER: secret(), OPERATOR_KEY: secret() }
async function sharedDatabase() {
  const { location, drop } = await emptyDatabase('postgres')
  closing.push(drop)
  return location
}

const start = (server: TestServer, email: string) => ask(server, 'POST', 'user/auth/initiate', { body: { email, userTypeCode: 'player' } })
const verify = (server: TestServer, session: string) =>
  ask(server, 'POST', 'user/auth/verify-otp', { body: { session, email: 'a@club.test', otp: '12345678' } })
const refresh = (server: TestServer, refreshToken: string) =>
  ask<{ refreshToken: string; code?: string }>(server, 'POST', 'user/auth/refresh', { body: { refreshToken } })
const look = (server: TestServer, { accessToken: bearer, userId }: Person) => ask(server, 'GET', `user/${userId}`, { bearer })
const search = (server: TestServer, { accessToken: bearer }: Person, n: number) =>
  ask(server, 'GET', `user/email-search?email=nobody${n}@club.test`, { bearer })

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)
const statusesOf = async (replies: Promise<{ status: number }>[]) => (await Promise.all(replies)).map(({ status }) => status)
const count = (statuses: number[], status: number) => statuses.filter((one) => one === status).length

describe.runIf(engines.includes('postgres'))('two processes on one PostgreSQL', () => {
  async function two(env: Record<string, string>): Promise<[TestServer, TestServer, ServerOptions]> {
    const options = { location: await sharedDatabase(), env: { ...keys, ...env } }
    return [await serve(options), await serve(options), options]
  }

  test('count together, and a restart loses no count', async () => {
    const [first, second, options] = await two({ STARTS_PER_HOUR_PER_ADDRESS: '5' })
    const statuses = await statusesOf(numbers(16).map((n) => start(n % 2 ? first : second, `a${n}@club.test`)))
    expect([count(statuses, 200), count(statuses, 429)]).toEqual([5, 11])
    const restarted = await serve(options)
    expect((await start(restarted, 'b@club.test')).status).toBe(429)
  })

  test('count a coach’s searches together', async () => {
    const [first, second] = await two({})
    const coach = await signIn(first, 'coach@club.test', 'coach', coachData)
    // each process has signing keys of its own here
    const there = await signIn(second, 'coach@club.test')
    const statuses = await statusesOf(numbers(40).map((n) => (n % 2 ? search(first, coach, n) : search(second, there, n))))
    expect([count(statuses, 404), count(statuses, 429)]).toEqual([30, 10])
  })

  test('accept concurrent saves of one player, in order and complete', async () => {
    const [first, second] = await two({})
    const here = await signIn(first, 'player@club.test')
    const there = await signIn(second, 'player@club.test')
    const instanceId = await first.giveInstance(here)
    const statuses = await statusesOf(numbers(40).map((n) => (n % 2 ? save(first, here, instanceId) : save(second, there, instanceId))))
    expect(statuses).toEqual(statuses.map(() => 200))
    expect((await first.rows('instances'))[0]?.['revision']).toBe(40)
  })

  test('allow an account no more calls in several processes than in one', async () => {
    const [first, second] = await two({ READS_PER_TEN_MINUTES: '90' })
    const here = await signIn(first, 'player@club.test')
    const there = await signIn(second, 'player@club.test')
    const statuses = await statusesOf(numbers(140).map((n) => (n % 2 ? look(first, here) : look(second, there))))
    // a block that the other process fetched and did not spend is lost
    expect(count(statuses, 200)).toBeLessThanOrEqual(90)
    expect(count(statuses, 200)).toBeGreaterThan(85)
    expect(count(statuses, 200) + count(statuses, 429)).toBe(140)
  })
})

describe.each(engines)('limits (%s)', (database: Engine) => {
  test('every call of an account counts, even a refused one, and the reply says when to retry', async () => {
    const clock = movableClock()
    const server = await serve({ database, clock, env: { READS_PER_TEN_MINUTES: '6', WRITES_PER_TEN_MINUTES: '6' } })
    const player = await signIn(server, 'player@club.test')
    const bearer = player.accessToken
    const reading = [
      'assessment',
      'assessment/assessment-instance',
      'assessment/nothing',
      'tokens',
      'assessment?x=1',
      `user/${player.userId}`,
    ]
    const read = await statusesOf(reading.map((path) => ask(server, 'GET', path, { bearer })))
    expect(read).toEqual([200, 200, 404, 403, 400, 200])
    const busy = await look(server, player)
    expect([busy.status, busy.body.code]).toEqual([429, 'TOO_MANY_REQUESTS'])
    const write = () => ask(server, 'POST', 'assessment/assessment-instance/responses', { bearer, body: 'no json' })
    expect(await statusesOf(numbers(6).map(write))).toEqual(Array.from({ length: 6 }, () => 400))
    expect((await write()).status).toBe(429)
    // other accounts are not refused
    const other = await signIn(server, 'other@club.test')
    expect((await look(server, other)).status).toBe(200)
    clock.forward(Number(busy.headers.get('retry-after')))
    expect([(await look(server, player)).status, (await write()).status]).toEqual([200, 400])
  })

  test('a phone that refreshes too often does not stop other accounts at its network address', async () => {
    const clock = movableClock()
    const env = { REFRESHES_PER_HOUR_PER_ADDRESS: '5', VERIFIES_PER_HOUR_PER_ADDRESS: '5', MAILS_PER_HOUR: '100' }
    const server = await serve({ database, clock, env })
    const people: Person[] = []
    for (const n of numbers(8)) people.push(await signIn(server, `player${n}@club.test`))
    const [broken, ...others] = people
    const token = broken?.refreshToken ?? ''

    const { maximum } = LIMITS.refreshesPerSession
    const own = await statusesOf(numbers(maximum + 10).map(() => refresh(server, token)))
    expect([count(own, 200), count(own, 429)]).toEqual([maximum, 10])
    const refused = await refresh(server, token)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    // invalid credentials are counted per address: changed tokens, made-up tokens, sign-ins that do not exist
    const unproven = await statusesOf(
      numbers(20).map((n) => refresh(server, n % 2 ? `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}` : 'x')),
    )
    expect([count(unproven, 401), count(unproven, 429)]).toEqual([5, 15])
    expect(count(await statusesOf(numbers(20).map(() => verify(server, crypto.randomUUID()))), 429)).toBe(15)

    expect(await statusesOf(others.map(({ refreshToken }) => refresh(server, refreshToken)))).toEqual(others.map(() => 200))
    expect((await signIn(server, 'new@club.test')).accessToken).toBeTruthy()
    clock.forward(600)
    expect((await refresh(server, token)).status).toBe(200)
  })

  test('a known device can start a sign-in, however many strangers do at the same network address', async () => {
    const server = await serve({ database, env: { STARTS_PER_HOUR_PER_ADDRESS: '3' } })
    const body = { email: 'player@club.test', userTypeCode: 'player' }
    const person = (await signIn(server, body.email)) as Person & { deviceSecret: string }
    expect(await statusesOf(numbers(5).map((n) => start(server, `a${n}@club.test`)))).toContain(429)
    const known = await ask<{ session: string }>(server, 'POST', 'user/auth/initiate', {
      body: { ...body, devices: [person.deviceSecret] },
    })
    expect(known.status).toBe(200)
    const again = await ask(server, 'POST', 'user/auth/send-otp', { body: { session: known.body.session, email: body.email } })
    expect(again.body.code).toBe('RESEND_TOO_SOON')
    expect((await ask(server, 'POST', 'user/auth/send-otp', { body: { session: crypto.randomUUID(), email: body.email } })).status).toBe(
      429,
    )
  })

  test('limits per network address do not stop a signed-in user from closing their account', async () => {
    const server = await serve({ database, env: { STARTS_PER_HOUR_PER_ADDRESS: '3', VERIFIES_PER_HOUR_PER_ADDRESS: '3' } })
    const player = await signIn(server, 'player@club.test')
    expect(await statusesOf(numbers(5).map((n) => start(server, `a${n}@club.test`)))).toContain(429)
    expect(await statusesOf(numbers(5).map(() => verify(server, crypto.randomUUID())))).toContain(429)
    expect((await closeAccount(server, player)).status).toBe(200)
  })

  test('closing is counted per account, not per network address', async () => {
    const clock = movableClock()
    const server = await serve({ database, clock })
    const [player, other] = [await signIn(server, 'player@club.test'), await signIn(server, 'other@club.test')]
    const close = () => {
      const body = { session: crypto.randomUUID(), otp: '12345678' }
      return ask(server, 'POST', `user/${player.userId}/deactivate`, { bearer: player.accessToken, body })
    }
    const { maximum } = LIMITS.closings
    const statuses = await statusesOf(numbers(maximum + 5).map(close))
    expect([count(statuses, 401), count(statuses, 429)]).toEqual([maximum, 5])
    expect((await closeAccount(server, other)).status).toBe(200)
    clock.forward(Number((await close()).headers.get('retry-after')))
    expect((await closeAccount(server, await signIn(server, player.email))).status).toBe(200)
  })

  test('searches per network address are limited to those of two coaches', async () => {
    const server = await serve({ database, env: { TRUST_PROXY: '127.0.0.1' } })
    const coaches: Person[] = []
    for (const n of numbers(4)) coaches.push(await signIn(server, `coach${n}@club.test`, 'coach', coachData))
    const [first, second, third, fourth] = coaches as [Person, Person, Person, Person]
    const at = (person: Person, address: string) =>
      ask(server, 'GET', 'user/email-search?email=nobody@club.test', {
        bearer: person.accessToken,
        headers: { 'x-forwarded-for': address },
      })
    const { maximum } = LIMITS.searches
    for (const one of [first, second]) {
      expect(count(await statusesOf(numbers(maximum).map(() => at(one, '192.0.2.1'))), 404)).toBe(maximum)
    }
    const busy = await at(third, '192.0.2.1')
    expect([busy.status, busy.body.code, Number(busy.headers.get('retry-after')) > 0]).toEqual([429, 'TOO_MANY_REQUESTS', true])
    expect((await at(fourth, '192.0.2.2')).status).toBe(404)
  })

  test('a coach with tokens can learn that an address is a coach’s up to a limit, one without tokens never', async () => {
    const clock = movableClock()
    const server = await serve({ database, clock })
    await signIn(server, 'known-coach@club.test', 'coach', coachData)
    const poor = await coachWith(server, 'poor@club.test', 0)
    expect((await allocate(server, poor, 'known-coach@club.test')).body.code).toBe('NO_TOKENS_AVAILABLE')
    expect((await allocate(server, poor, 'nobody@club.test')).body.code).toBe('NO_TOKENS_AVAILABLE')

    const rich = await coachWith(server, 'rich@club.test', 3)
    const { maximum } = LIMITS.coachesFound
    for (const _ of numbers(maximum)) {
      expect((await allocate(server, rich, 'known-coach@club.test')).body.code).toBe('COACH_ALLOCATION_NOT_ALLOWED')
    }
    // a player's address gets the same reply as a coach's: a difference would give it away
    const replies = [await allocate(server, rich, 'known-coach@club.test'), await allocate(server, rich, 'nobody@club.test')]
    expect(replies.map(({ status, body }) => [status, body.code])).toEqual([
      [429, 'TOO_MANY_REQUESTS'],
      [429, 'TOO_MANY_REQUESTS'],
    ])
    expect(await server.deps.limits.hits()).toEqual([{ limit: 'coachesFound', callers: 1, maximum, windowSeconds: 3600 }])
    clock.forward(Number(replies[0]?.headers.get('retry-after')))
    const later = await signIn(server, 'rich@club.test')
    expect((await allocate(server, later, 'nobody@club.test')).status).toBe(201)
  })

  test('a pasted list with one coach in five, and many repeats, stays within the limit', async () => {
    const server = await serve({ database })
    await signIn(server, 'known-coach@club.test', 'coach', coachData)
    const coach = await coachWith(server, 'coach@club.test', 60)
    const given = await Promise.all(numbers(10).map((n) => allocate(server, coach, `before${n}@club.test`)))
    const list = numbers(50).map((n) =>
      n % 5 === 0 ? 'known-coach@club.test' : n % 5 < 4 ? `before${n % 10}@club.test` : `new${n}@club.test`,
    )
    const codes: (string | number)[] = []
    for (const email of list) {
      const { status, body } = await allocate(server, coach, email)
      codes.push(body.code ?? status)
    }
    expect(codes).not.toContain('TOO_MANY_REQUESTS')
    expect(codes.filter((one) => one === 'COACH_ALLOCATION_NOT_ALLOWED')).toHaveLength(10)
    expect((await reclaim(server, coach, given[0]?.body.instanceId ?? '')).status).toBe(200)
    await tokensOf(server, coach)
  })

  test('the table of limits contains neither network addresses nor account ids', async () => {
    const server = await serve({ database })
    const player = await signIn(server, 'player@club.test')
    await look(server, player)
    const stored = JSON.stringify(await server.rows('rate_limits'))
    expect(stored).toContain('startsPerAddress')
    expect(stored).not.toMatch(new RegExp(`127\\.0\\.0\\.1|${player.userId}`))
  })

  test('a save waits for the previous one of the same account, and for no other', async () => {
    const server = await serve({ database })
    const [player, other] = [await signIn(server, 'player@club.test'), await signIn(server, 'other@club.test')]
    const [instanceId, others] = [await server.giveInstance(player), await server.giveInstance(other)]
    let isDone = false
    const { promise: before, resolve: end } = Promise.withResolvers<void>()
    const first = server.deps.limits.runExclusive('saves', player.userId, () => before)
    const waiting = save(server, player, instanceId).finally(() => (isDone = true))
    expect((await save(server, other, others)).status).toBe(200)
    expect(isDone).toBe(false)
    end()
    await first
    expect((await waiting).status).toBe(200)
  })

  test('saves of one account take turns, and beyond the maximum are refused with a time to retry', async () => {
    const server = await serve({ database })
    const player = await signIn(server, 'player@club.test')
    const instanceId = await server.giveInstance(player)
    const saving = { instanceId, responses: [{ sectionName: 'Section2', id: 's2-q01', answer: 'A' }] }
    const replies = await Promise.all(
      numbers(100).map(() => ask(server, 'POST', 'assessment/assessment-instance/responses', { bearer: player.accessToken, body: saving })),
    )
    const statuses = replies.map(({ status }) => status)
    expect(count(statuses, 200) + count(statuses, 429)).toBe(statuses.length)
    expect(count(statuses, 200)).toBeGreaterThan(MUTEXES.saves)
    for (const { status, headers } of replies) if (status === 429) expect(headers.get('retry-after')).toBe('1')
    const { body } = await ask<Instance>(server, 'GET', `assessment/assessment-instance/${instanceId}`, { bearer: player.accessToken })
    expect(body.revision).toBe(count(statuses, 200))
  })
})

describe('the limit on writes', () => {
  test('allows a phone that was offline to send 112 questions answered twice, each by itself', () => {
    const { writesPerTenMinutes } = readEnv({}).limits
    expect(LIMITS.writes.maximum(readEnv({}))).toBe(writesPerTenMinutes)
    expect(writesPerTenMinutes).toBeGreaterThan(2 * 112)
    // and a coach to make a day's allocations at once
    expect(writesPerTenMinutes).toBeGreaterThan(ALLOCATIONS_PER_DAY)
  })
})
