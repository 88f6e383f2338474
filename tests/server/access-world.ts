import { SignJWT, UnsecuredJWT } from 'jose'
import type { Endpoint } from '#contract/endpoint.ts'
import { fillPath } from '#contract/endpoint.ts'
import { unsubscribeToken } from '#server/mailer/unsubscribe-tokens.ts'
import { defaultEngine, type Engine } from '#tests/support/databases.ts'
import { ask, claimsOf, coachData, signIn, type Person, type Reply } from '#tests/support/person.ts'
import { fileWithOneAnswer } from '#tests/support/sealed-file.ts'
import { startServer, type ServerOptions, type TestServer } from '#tests/support/start-server.ts'
import type { Named, Request } from './access-requests.ts'
import { allocate, CONTENT_VERSION, giveTokens } from './instances/support.ts'
import { addressFor, picture, put, upload } from './pictures/support.ts'

/** Everybody who may ask, with a thing of each kind to ask for, for the tests that make every call of the contract. */

export const ACTORS = ['guest', 'player', 'otherPlayer', 'coach', 'otherCoach', 'operator'] as const
export type Actor = (typeof ACTORS)[number]
type Bearing = Exclude<Actor, 'guest'>
export const VALID = ['valid'] as const
export const INVALID = ['expired', 'revoked', 'idToken', 'wrongAudience', 'algNone'] as const
export type State = (typeof VALID | typeof INVALID)[number]

export interface World {
  server: TestServer
  players: Named
  bearers: Record<Bearing, Record<State, string>>
}

export function send(
  world: World,
  endpoint: Endpoint,
  actor: Actor,
  state: State,
  request: Request,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const bearer = actor === 'guest' ? undefined : world.bearers[actor][state]
  const query = new URLSearchParams(request.query).toString()
  return ask(world.server, endpoint.method, `${fillPath(endpoint.path, request.params)}${query && `?${query}`}`, {
    ...(bearer === undefined ? {} : { bearer }),
    body: request.body,
    headers,
  })
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

export async function makeWorld(database: Engine = defaultEngine, options: Omit<ServerOptions, 'database'> = {}): Promise<World> {
  const env = { MAILS_PER_HOUR: '1000', MAILS_PER_DAY: '1000', ...options.env }
  const server = await startServer({ ...options, database, env })
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
    unsubscribeToken: unsubscribeToken(server.deps.keys, 'somebody-else@club.test'),
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
