import { SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyEndpoint } from '#contract/api.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { fillPath } from '#contract/endpoint.ts'
import { stopToken } from '#server/mailer/stop-links.ts'
import { hashOfAllRows } from '#tests/support/every-row.ts'
import { ask, claimsOf, coachData, signIn, type Reply, type Person } from '#tests/support/person.ts'
import { engines, defaultEngine, type Engine } from '#tests/support/databases.ts'
import { fileWithOneAnswer } from '#tests/support/sealed-file.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'
import { allocate, CONTENT_VERSION, giveTokens } from './instances/support.ts'
import { addressFor, picture, put, upload } from './pictures/support.ts'
import { requestOf, type Named, type Request } from './access-requests.ts'

/**
 * The authorisation matrix (ROLES-9): every call of the contract × who asks × the state of their credentials.
 * The calls come from the contract, the expected statuses are written by hand; a call without a row fails.
 */

const ACTORS = ['guest', 'player', 'otherPlayer', 'coach', 'otherCoach', 'operator'] as const
type Actor = (typeof ACTORS)[number]
type Bearing = Exclude<Actor, 'guest'>
const VALID = ['valid'] as const
const INVALID = ['expired', 'revoked', 'idToken', 'wrongAudience', 'algNone'] as const
type State = (typeof VALID | typeof INVALID)[number]

/**
 * [guest, player, other player, coach, other coach, operator]. What is asked for is the player's; the instances were
 * given by the coach.
 */
type Row = readonly [number, number, number, number, number, number]

const open = (status: number): Row => [status, status, status, status, status, status]

/** Each call is sent as somebody who may make it would send it. Statuses other than 401, 403 and 404 mean: allowed. */
const MATRIX: Record<string, Row> = {
  'auth.initiate': open(200),
  'auth.sendOtp': open(401), // CODE_EXPIRED: the sign-in is not a live one
  'auth.verifyOtp': open(401), // INVALID_CODE
  'auth.refresh': open(401), // INVALID_TOKEN: not a refresh token of ours
  'auth.automaticRefresh': open(401),
  'auth.logout': open(204),
  'auth.sessions': [401, 200, 404, 404, 404, 403],
  'auth.endSession': [401, 204, 404, 404, 404, 403],
  'auth.endOtherSessions': [401, 204, 404, 404, 404, 403],
  'users.get': [401, 200, 404, 200, 404, 403],
  'users.withAssessments': [401, 200, 404, 200, 404, 403],
  'users.update': [401, 200, 404, 404, 404, 403],
  'users.deactivateCode': [401, 200, 404, 404, 404, 403],
  'users.deactivate': [401, 200, 404, 404, 404, 403],
  'users.searchByEmail': [401, 403, 403, 200, 200, 403],
  'users.list': [401, 403, 403, 403, 403, 200],
  'users.create': [401, 403, 403, 403, 403, 201],
  'users.exportPerson': [401, 403, 403, 403, 403, 200],
  'users.erase': [401, 403, 403, 403, 403, 204],
  'users.block': [401, 403, 403, 403, 403, 200],
  'users.unblock': [401, 403, 403, 403, 403, 204],
  'pictures.uploadUrl': [401, 200, 200, 200, 200, 403],
  'pictures.finalize': [401, 200, 404, 404, 404, 403],
  'pictures.avatar': [401, 200, 404, 200, 404, 403],
  'assessments.list': [401, 200, 200, 200, 200, 200],
  'assessments.get': [401, 200, 403, 403, 403, 200],
  'assessments.checkout': [401, 200, 200, 403, 403, 403],
  'assessments.completeCheckout': [401, 200, 404, 403, 403, 403],
  'assessments.resultText': [401, 200, 404, 403, 403, 403],
  'assessments.create': [401, 403, 403, 403, 403, 201],
  'instances.list': [401, 200, 403, 403, 403, 200],
  'instances.get': [401, 200, 404, 200, 404, 403],
  'instances.saveResponses': [401, 200, 404, 403, 403, 403],
  'files.bring': open(200),
  'instances.briefOpened': [401, 204, 404, 403, 403, 403],
  'instances.complete': [401, 200, 404, 403, 403, 403],
  'instances.calculateResults': [401, 200, 404, 403, 403, 403],
  'instances.report': [401, 200, 404, 403, 403, 403],
  'marks.list': [401, 200, 404, 403, 403, 403],
  'marks.save': [401, 200, 404, 403, 403, 403],
  'instances.allocated': [401, 403, 403, 200, 200, 403],
  'instances.coachReport': [401, 200, 404, 200, 404, 403],
  'instances.allocate': [401, 403, 403, 201, 201, 403],
  'instances.resend': [401, 403, 403, 200, 404, 403],
  'instances.reclaim': [401, 403, 403, 200, 404, 403],
  'instances.correctAddress': [401, 403, 403, 201, 404, 403],
  'instances.update': [401, 403, 404, 200, 404, 403],
  'instances.replace': [401, 403, 404, 200, 404, 403],
  'instances.create': [401, 403, 403, 403, 403, 201],
  'instances.resendTo': [401, 403, 403, 403, 403, 200],
  'tokens.list': [401, 403, 403, 200, 403, 403],
  'tokens.pricing': [401, 403, 403, 200, 200, 403],
  'tokens.checkout': [401, 403, 403, 200, 200, 403],
  'tokens.completeCheckout': [401, 403, 403, 200, 404, 403],
  'mails.stop': open(200),
  'mails.allow': open(200),
  'mails.bounced': open(404), // no MAIL_BOUNCE_KEY
  'mails.bounces': [401, 403, 403, 403, 403, 200],
  'jobs.list': [401, 403, 403, 403, 403, 200],
  'jobs.repeat': [401, 403, 403, 403, 403, 200],
  'reference.sports': open(200),
  'reference.positions': open(200),
  'reference.teamOptions': open(200),
  'reference.countries': open(200),
  'sports.list': open(200),
  'sports.get': open(200),
  'settings.get': open(200),
  'payments.webhook': open(400), // INVALID_SIGNATURE
  'backups.create': [401, 403, 403, 403, 403, 201], // DATABASE_ELSEWHERE on a PostgreSQL: see expected()
  'health.get': open(200),
}

/** Calls that end a session come last. */
const ENDINGS = ['users.deactivate', 'auth.logout']
const CALLS = everyEndpoint().toSorted(([a], [b]) => ENDINGS.indexOf(a) - ENDINGS.indexOf(b))

/** Names that nobody has. */
const ABSENT: Named = {
  userId: '00000000-0000-4000-8000-000000000000',
  email: 'nobody@club.test',
  openInstance: '00000000-0000-4000-8000-000000000001',
  fullInstance: '00000000-0000-4000-8000-000000000002',
  doneInstance: '00000000-0000-4000-8000-000000000003',
  givenInstance: '00000000-0000-4000-8000-000000000005',
  wrongInstance: '00000000-0000-4000-8000-000000000009',
  tempKey: 'nobodys',
  session: '00000000-0000-4000-8000-000000000006',
  closing: { session: '00000000-0000-4000-8000-000000000007', otp: '12345678' },
  checkoutSession: 'cs_test_nobodys',
  coachId: '00000000-0000-4000-8000-000000000004',
  tokenSession: 'cs_test_nobodys',
  answersFile: 'nobodys',
  erasable: { userId: '00000000-0000-4000-8000-000000000008', email: 'nobody@club.test' },
  stopToken: 'nobodys',
}

interface World {
  server: TestServer
  players: Named
  bearers: Record<Bearing, Record<State, string>>
}

function send(world: World, endpoint: Endpoint, actor: Actor, state: State, request: Request): Promise<Reply> {
  const bearer = actor === 'guest' ? undefined : world.bearers[actor][state]
  const query = new URLSearchParams(request.query).toString()
  return ask(world.server, endpoint.method, `${fillPath(endpoint.path, request.params)}${query && `?${query}`}`, {
    ...(bearer === undefined ? {} : { bearer }),
    body: request.body,
  })
}

/** Invalid credentials are treated like none, in every call. */
function expected(name: string, actor: Actor, state: State, database: Engine = defaultEngine): number {
  const row = MATRIX[name]
  if (!row) throw new Error(`${name} has no row`)
  if (name === 'backups.create' && actor === 'operator' && state === 'valid' && database === 'postgres') return 409
  return row[state === 'valid' ? ACTORS.indexOf(actor) : 0] ?? 0
}

/** A person's token, valid and in every invalid state. */
async function bearersOf(server: TestServer, enter: () => Promise<Person>): Promise<Record<State, string>> {
  const left = await enter()
  await ask(server, 'POST', 'user/auth/logout', { bearer: left.accessToken })
  const { accessToken, idToken } = await enter()
  const [key] = server.deps.keys.signing
  if (!key) throw new Error('no key')
  const claims = claimsOf(accessToken)
  const signed = (change: object) =>
    new SignJWT({ ...claims, ...change }).setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key.kid }).sign(key.privateKey)
  return {
    valid: accessToken,
    expired: await signed({ exp: Math.floor(Date.now() / 1000) - 61 }),
    revoked: left.accessToken,
    idToken,
    wrongAudience: await signed({ aud: 'https://elsewhere.test/api' }),
    algNone: new UnsecuredJWT(claims).encode(),
  }
}

async function makeWorld(database: Engine = defaultEngine): Promise<World> {
  const server = await startServer({ database, env: { MAILS_PER_HOUR: '1000', MAILS_PER_DAY: '1000' } })
  const enter = {
    player: () => signIn(server, 'player@club.test'),
    otherPlayer: () => signIn(server, 'other@club.test'),
    coach: () => signIn(server, 'coach@club.test', 'coach', coachData),
    otherCoach: () => signIn(server, 'other-coach@club.test', 'coach', coachData),
  }
  const { operatorKey } = server.deps.keys
  const bearers = {
    player: await bearersOf(server, enter.player),
    otherPlayer: await bearersOf(server, enter.otherPlayer),
    coach: await bearersOf(server, enter.coach),
    otherCoach: await bearersOf(server, enter.otherCoach),
    // the key, changed in as many ways
    operator: {
      valid: operatorKey,
      expired: `${operatorKey}x`,
      revoked: operatorKey.slice(1),
      idToken: operatorKey.toUpperCase(),
      wrongAudience: operatorKey.slice(0, -1),
      algNone: 'operator',
    },
  }
  const player = await enter.player()
  const coach = await enter.coach()
  const players = {
    userId: player.userId,
    email: player.email,
    openInstance: await server.giveInstance(player),
    fullInstance: await server.giveInstance(player, 1),
    doneInstance: await server.giveInstance(player, 1),
    tempKey: await pictureAndUpload(server, player),
    session: String(claimsOf(player.accessToken)['sid']),
    closing: await closingOf(server, player, bearers.player.valid),
    checkoutSession: await openCheckout(server, player, 'assessment/checkout/price_touchline_profile'),
    coachId: coach.userId,
    tokenSession: await openCheckout(server, coach, 'assessment/token/checkout/price_touchline_token/1'),
    answersFile: '',
    erasable: await signIn(server, 'erasable@club.test'),
    stopToken: stopToken(server.deps.keys, 'somebody-else@club.test'),
  }
  players.answersFile = fileWithOneAnswer(server, players.openInstance, player.userId, CONTENT_VERSION)
  const { db } = server.deps
  // each to an address of its own: a coach gives a player one at a time
  await db.execute(`update instances set coach_id = '${coach.userId}', allocated_at = now(), email_normal = id::text`)
  await db.execute(`update instances set status = 'IN_PROGRESS', completed_at = null, results = null where id = '${players.fullInstance}'`)
  await db.execute(`update instances set status = 'ALLOCATED', brief_opened_at = now() where id = '${players.openInstance}'`)
  const otherCoach = await enter.otherCoach()
  for (const one of [coach, otherCoach]) await giveTokens(server, one, 3)
  const { instanceId: givenInstance } = (await allocate(server, coach, player.email)).body
  const { instanceId: wrongInstance } = (await allocate(server, coach, 'wrong@club.test')).body
  await server.deps.jobs.settled('mails')
  return { server, players: { ...players, givenInstance, wrongInstance }, bearers }
}

/** The code that closes the account, as the session of this bearer asked for it. */
async function closingOf(server: TestServer, { userId, email }: Person, bearer: string) {
  const { session } = (await ask<{ session: string }>(server, 'POST', `user/${userId}/deactivate/code`, { bearer })).body
  return { session, otp: server.codeFor(email) }
}

/** Gives the player a picture, and uploads another that is not registered yet. */
async function pictureAndUpload(server: TestServer, player: Person): Promise<string> {
  const jpeg = await picture(30, 30).jpeg().toBuffer()
  await upload(server, player, jpeg)
  const { uploadUrl, tempKey } = await addressFor(server, player)
  await put(server, uploadUrl, jpeg)
  return tempKey
}

async function openCheckout(server: TestServer, buyer: Person, path: string): Promise<string> {
  return (await ask<{ sessionId: string }>(server, 'POST', path, { bearer: buyer.accessToken })).body.sessionId
}

/** Refusals add rows to these (PRIVACY-9). */
const AUDITED = ['audit_entries', 'audit_heads']

const bare = ({ text }: Reply) => text.replace(/"requestId":"[^"]*"/, '')

test('every call of the contract has a row, and every row a call', () => {
  const names = everyEndpoint().map(([name]) => name)
  expect(Object.keys(MATRIX).toSorted()).toEqual(names.toSorted())
})

describe.each(engines)('access (%s)', (database) => {
  let world: World
  let rows: Record<string, string>
  beforeAll(async () => {
    world = await makeWorld(database)
    rows = await hashOfAllRows(world.server, AUDITED)
  })
  afterAll(() => world.server.close())

  describe.each(CALLS)('%s', (name, endpoint) => {
    test.each(ACTORS)('%s gets the status of the matrix, and a refusal changes nothing', async (actor) => {
      for (const states of actor === 'guest' ? [VALID] : [VALID, INVALID]) {
        const replies = []
        for (const state of states) {
          const reply = await send(world, endpoint, actor, state, requestOf(name, world.players))
          expect(`${state}: ${reply.status}`).toBe(`${state}: ${expected(name, actor, state, database)}`)
          replies.push({ state, reply })
        }
        // queued mails are sent first, so that they change no rows later
        await world.server.deps.jobs.settled('mails')
        const now = await hashOfAllRows(world.server, AUDITED)
        const refusals = replies.filter(({ reply }) => reply.status >= 400)
        for (const { reply } of refusals) {
          expect(reply.body).toMatchObject({ code: expect.any(String), message: expect.any(String), requestId: expect.any(String) })
        }
        // all are refused, or none is
        if (refusals.length > 0) expect(now, 'a refusal changed a row').toEqual(rows)
        rows = now
        for (const { state, reply } of refusals.filter(({ reply }) => reply.status === 404)) {
          const absent = await send(world, endpoint, actor, state, requestOf(name, ABSENT))
          expect(bare(absent), 'an absent thing and a foreign one get the same reply').toBe(bare(reply))
        }
      }
    })
  })
})

describe('what every call refuses', () => {
  let world: World
  beforeAll(async () => {
    world = await makeWorld()
  })
  afterAll(() => world.server.close())

  /** Somebody who may make the call. */
  function allowed(name: string): Actor {
    return ACTORS.find((actor) => ![401, 403, 404].includes(expected(name, actor, 'valid'))) ?? 'guest'
  }

  const calls = CALLS.filter(([, { rawBody }]) => !rawBody)

  test.each(calls)('%s: an unknown field or query parameter, even one that names a role', async (name, endpoint) => {
    const request = requestOf(name, world.players)
    const strange: Request[] = [{ ...request, query: { ...request.query, intruder: '1' } }]
    if (endpoint.method !== 'GET') strange.push({ ...request, body: { ...request.body, role: 'operator', intruder: 1 } })
    for (const one of strange) {
      const { status, body } = await send(world, endpoint, allowed(name), 'valid', one)
      expect({ status, body }).toMatchObject({ status: 400, body: { code: 'UNKNOWN_FIELD' } })
    }
  })
})
