import { UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyEndpoint } from '#contract/api.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { fillPath } from '#contract/endpoint.ts'
import { hashOfAllRows } from '#tests/support/every-row.ts'
import { ask, claimsOf, coachData, movableClock, signIn, type Answer, type Person } from '#tests/support/person.ts'
import { engines, startServer, type TestServer } from '#tests/support/start-server.ts'

/**
 * The authorisation matrix (promises D1, D2): every call of the contract × who asks × the state of their credentials.
 * The expected statuses are written by hand; a call without a row fails.
 */

const ACTORS = ['guest', 'owner', 'otherPlayer', 'coach', 'operator'] as const
type Actor = (typeof ACTORS)[number]
const STATES = ['valid', 'expired', 'revoked', 'idToken', 'algNone'] as const
type State = (typeof STATES)[number]

/** [guest, owner player, other player, coach, operator]; the object asked for is the owner's. */
type Row = readonly [number, number, number, number, number]

const open = (status: number): Row => [status, status, status, status, status]

/** With what the owner could send. Statuses other than 401, 403 and 404 mean: allowed. */
const MATRIX: Record<string, Row> = {
  'auth.initiate': open(200),
  'auth.sendOtp': open(401), // CODE_EXPIRED: the sign-in is not a live one
  'auth.verifyOtp': open(401), // INVALID_CODE
  'auth.refresh': open(401), // INVALID_TOKEN: not a refresh token of ours
  'auth.automaticRefresh': open(401),
  'auth.logout': open(204),
  'users.get': [401, 200, 404, 404, 403],
  'users.update': [401, 200, 404, 404, 403],
  'assessments.list': [401, 200, 200, 200, 200],
  'assessments.get': [401, 200, 403, 403, 200],
  'assessments.checkout': [401, 200, 200, 403, 403],
  'assessments.completeCheckout': [401, 404, 404, 403, 403],
  'assessments.resultText': [401, 200, 404, 404, 403],
  'instances.list': [401, 200, 403, 403, 200],
  'instances.get': [401, 200, 404, 404, 403],
  'instances.saveResponses': [401, 200, 404, 403, 403],
  'instances.complete': [401, 409, 404, 403, 403],
  'instances.calculateResults': [401, 409, 404, 403, 403],
  'reference.sports': open(200),
  'reference.positions': open(200),
  'reference.teamOptions': open(200),
  'reference.countries': open(200),
  'sports.list': open(200),
  'sports.get': open(200),
  'settings.get': open(200),
  'payments.webhook': open(400), // INVALID_SIGNATURE
  'health.get': open(200),
}

/** Signing out, which succeeds for everybody, comes last. */
const CALLS = everyEndpoint().toSorted(([a], [b]) => Number(a === 'auth.logout') - Number(b === 'auth.logout'))

interface World {
  server: TestServer
  owner: Person
  ownInstance: string
  doneInstance: string
  bearers: Record<Exclude<Actor, 'guest'>, Record<State, string>>
}

/** Path, query and body with which the owner would succeed. */
function requestOf(
  name: string,
  { owner, ownInstance, doneInstance }: World,
): { params?: Record<string, string>; query?: string; body?: unknown } {
  switch (name) {
    case 'auth.initiate':
      return { body: { email: 'somebody@club.test', userTypeCode: 'player' } }
    case 'auth.sendOtp':
      return { body: { session: crypto.randomUUID(), email: owner.email } }
    case 'auth.verifyOtp':
      return { body: { session: crypto.randomUUID(), email: owner.email, otp: '12345678' } }
    case 'auth.refresh':
    case 'auth.automaticRefresh':
      return { body: { refreshToken: 'nonsense' } }
    case 'users.get':
      return { params: { id: owner.userId } }
    case 'users.update':
      return { params: { id: owner.userId }, body: { firstName: 'Noa' } }
    case 'assessments.get':
      return { params: { id: 'touchline-profile' }, query: `?userId=${owner.userId}` }
    case 'assessments.checkout':
      return { params: { priceId: 'price_touchline_profile_launch' } }
    case 'assessments.completeCheckout':
      return { body: { session_id: 'cs_test_nobodys' } }
    case 'assessments.resultText':
      return { query: `?mbti=INTJ&lsi=plan&instanceId=${doneInstance}` }
    case 'instances.list':
      return { query: `?userId=${owner.userId}` }
    case 'instances.get':
    case 'instances.complete':
    case 'instances.calculateResults':
      return { params: { instanceId: ownInstance } }
    case 'instances.saveResponses':
      return { body: { instanceId: ownInstance, responses: [] } }
    case 'reference.positions':
      return { params: { sportId: 'soccer' } }
    case 'sports.get':
      return { params: { id: 'soccer' } }
    case 'payments.webhook':
      return { body: { id: 'evt_1' } }
    default:
      return {}
  }
}

function send(world: World, name: string, endpoint: Endpoint, actor: Actor, state: State): Promise<Answer> {
  const { params, query = '', body } = requestOf(name, world)
  const bearer = actor === 'guest' ? undefined : world.bearers[actor][state]
  return ask(world.server, endpoint.method, `${fillPath(endpoint.path, params)}${query}`, {
    ...(bearer === undefined ? {} : { bearer }),
    body,
  })
}

/** Credentials that prove nothing make a guest, everywhere. */
function expected(name: string, actor: Actor, state: State): number {
  const row = MATRIX[name]
  if (!row) throw new Error(`${name} has no row`)
  return row[state === 'valid' ? ACTORS.indexOf(actor) : 0] ?? 0
}

async function makeWorld(database: 'embedded' | 'postgres'): Promise<World> {
  const clock = movableClock()
  const server = await startServer({ database, clock, env: { MAILS_PER_HOUR: '1000', MAILS_PER_DAY: '1000' } })
  const people = {
    owner: () => signIn(server, 'owner@club.test'),
    otherPlayer: () => signIn(server, 'other@club.test'),
    coach: () => signIn(server, 'coach@club.test', 'coach', coachData),
  }
  const bearers: Partial<World['bearers']> = {}
  let owner: Person | undefined
  for (const [name, enter] of Object.entries(people) as [keyof typeof people, () => Promise<Person>][]) {
    const expired = await enter()
    clock.forward(2000)
    const revoked = await enter()
    await ask(server, 'POST', 'user/auth/logout', { bearer: revoked.accessToken })
    clock.forward(61)
    const valid = await enter()
    if (name === 'owner') owner = valid
    bearers[name] = {
      valid: valid.accessToken,
      expired: expired.accessToken,
      revoked: revoked.accessToken,
      idToken: valid.idToken,
      algNone: new UnsecuredJWT(claimsOf(valid.accessToken)).encode(),
    }
  }
  // the players signed in first would have expired by now
  const fresh = await people.otherPlayer()
  if (!owner || !bearers.otherPlayer) throw new Error('nobody signed in')
  owner = await people.owner()
  const { operatorKey } = server.deps.keys
  const notTheKey = { expired: `${operatorKey}x`, revoked: operatorKey.slice(1), idToken: operatorKey.toUpperCase(), algNone: 'operator' }
  return {
    server,
    owner,
    ownInstance: await server.giveInstance(owner),
    doneInstance: await server.giveInstance(owner, 1),
    bearers: {
      ...(bearers as World['bearers']),
      owner: { ...(bearers.owner as Record<State, string>), valid: owner.accessToken },
      otherPlayer: { ...bearers.otherPlayer, valid: fresh.accessToken },
      operator: { valid: operatorKey, ...notTheKey },
    },
  }
}

test('every call of the contract has a row, and every row a call', () => {
  expect(Object.keys(MATRIX).toSorted()).toEqual(
    everyEndpoint()
      .map(([name]) => name)
      .toSorted(),
  )
})

describe.each(engines)('access (%s)', (database) => {
  let world: World
  beforeAll(async () => {
    world = await makeWorld(database)
  })
  afterAll(() => world.server.close())

  test('an absent thing and a foreign one answer alike (D2)', async () => {
    const { otherPlayer } = world.bearers
    const pairs: [string, string, string, unknown?][] = [
      ['GET', `user/${world.owner.userId}`, `user/${crypto.randomUUID()}`],
      ['PATCH', `user/${world.owner.userId}`, `user/${crypto.randomUUID()}`, { firstName: 'A' }],
      ['GET', `assessment/assessment-instance/${world.ownInstance}`, `assessment/assessment-instance/${crypto.randomUUID()}`],
      ['POST', `assessment/assessment-instance/${world.ownInstance}/complete`, 'assessment/assessment-instance/nonsense/complete'],
      [
        'POST',
        `assessment/assessment-instance/${world.doneInstance}/calculate-results`,
        'assessment/assessment-instance/x/calculate-results',
      ],
    ]
    for (const [method, foreign, absent, body] of pairs) {
      const [one, other] = await Promise.all(
        [foreign, absent].map((path) => ask(world.server, method, path, { bearer: otherPlayer.valid, body })),
      )
      expect(one?.status).toBe(404)
      const bare = (answer: Answer | undefined) => answer?.text.replace(/"requestId":"[^"]*"/, '')
      expect(bare(one)).toBe(bare(other))
    }
  })

  describe.each(CALLS)('%s', (name, endpoint) => {
    test.each(ACTORS)('%s', async (actor) => {
      for (const state of actor === 'guest' ? (['valid'] as const) : STATES) {
        const before = await hashOfAllRows(world.server)
        const { status, body } = await send(world, name, endpoint, actor, state)
        expect(`${state}: ${status}`).toBe(`${state}: ${expected(name, actor, state)}`)
        if (status < 400) continue
        expect(body).toMatchObject({ code: expect.any(String), message: expect.any(String), requestId: expect.any(String) })
        expect(await hashOfAllRows(world.server), 'a refusal changed a row').toBe(before)
      }
    })
  })
})
