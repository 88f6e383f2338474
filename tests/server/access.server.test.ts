import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyEndpoint } from '#contract/api.ts'
import { hashOfAllRows } from '#tests/support/every-row.ts'
import type { Reply } from '#tests/support/person.ts'
import { defaultEngine, engines, type Engine } from '#tests/support/databases.ts'
import { requestOf, type Named, type Request } from './access-requests.ts'
import { ACTORS, INVALID, makeWorld, send, VALID, type Actor, type State, type World } from './access-world.ts'

/**
 * The authorisation matrix (ROLES-9): every call of the contract × who asks × the state of their credentials.
 * The calls come from the contract, the expected statuses are written by hand; a call without a row fails.
 */

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
  'auth.accountState': open(200),
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
  'hits.list': [401, 403, 403, 403, 403, 200],
  'payments.toCheck': [401, 403, 403, 403, 403, 200],
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
  unsubscribeToken: 'nobodys',
}

/** Invalid credentials are treated like none, in every call. */
function expected(name: string, actor: Actor, state: State, database: Engine = defaultEngine): number {
  const row = MATRIX[name]
  if (!row) throw new Error(`${name} has no row`)
  if (name === 'backups.create' && actor === 'operator' && state === 'valid' && database === 'postgres') return 409
  return row[state === 'valid' ? ACTORS.indexOf(actor) : 0] ?? 0
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
