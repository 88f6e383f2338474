import { Agent, request } from 'node:http'
import { afterAll, beforeAll } from 'vitest'
import { everyEndpoint } from '#contract/api.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { allocate, ASSESSMENT, CONTENT_VERSION, giveTokens } from '#tests/server/instances/support.ts'
import { ask, coachData, signIn, type Person } from '#tests/support/person.ts'
import { fileWithOneAnswer } from '#tests/support/sealed-file.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'
import type { Reply } from './refusals.ts'
import type { Operation, Sensible, Wire } from './requests.ts'

export const CALLERS = ['guest', 'player', 'other player', 'coach', 'other coach', 'operator', 'garbage'] as const
export type Caller = (typeof CALLERS)[number]

/** A server with people, instances, purchases and its OpenAPI document. */
interface World {
  server: TestServer
  agent: Agent
  operations: { method: string; path: string; operation: Operation; endpoint: Endpoint }[]
  bearers: Record<Caller, string | undefined>
  sensible: Sensible
}

/** Sends the path unchanged, which fetch would normalise. */
export function send({ server, agent }: World, wire: Wire): Promise<Reply> {
  const { hostname, port } = new URL(server.address)
  return new Promise((resolve, reject) => {
    const { method, path, headers, body } = wire
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const asking = request({ hostname, port, agent, method, path, headers: { ...headers, ...length } }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    asking.on('error', reject)
    asking.end(body)
  })
}

/** A request for a failure message, without the bearer. */
export const shown = ({ method, path, headers, body }: Wire) =>
  `${method} ${path} ${JSON.stringify({ ...headers, authorization: undefined })} ${(body ?? '').slice(0, 600)}`

/** One world for all tests of a describe. */
export function givenWorld(): World {
  const given = {} as World // filled before any test
  beforeAll(async () => {
    Object.assign(given, await makeWorld())
  })
  afterAll(async () => {
    given.agent.destroy()
    await given.server.close()
  })
  return given
}

async function makeWorld(): Promise<World> {
  const many = '1000000'
  const loose = { MAILS_PER_HOUR: '10000', MAILS_PER_DAY: '10000', STARTS_PER_HOUR_PER_ADDRESS: many, VERIFIES_PER_HOUR_PER_ADDRESS: many }
  const env = { ...loose, REFRESHES_PER_HOUR_PER_ADDRESS: many, READS_PER_TEN_MINUTES: many, WRITES_PER_TEN_MINUTES: many }
  const server = await startServer({ env })
  const player = await signIn(server, 'player@club.test')
  const other = await signIn(server, 'other@club.test')
  const coach = await signIn(server, 'coach@club.test', 'coach', coachData)
  const otherCoach = await signIn(server, 'other-coach@club.test', 'coach', coachData)
  for (const one of [coach, otherCoach]) await giveTokens(server, one, 50)
  const { instanceId: given } = (await allocate(server, coach, player.email)).body
  const instanceIds = [
    await server.giveInstance(player),
    await server.giveInstance(player, 1),
    await server.giveInstance(other, 0.5),
    given,
  ]
  const buy = async (person: Person, path: string) =>
    (await ask<{ sessionId: string }>(server, 'POST', path, { bearer: person.accessToken })).body.sessionId
  const checkouts = [
    await buy(player, 'assessment/checkout/price_touchline_profile'),
    await buy(coach, 'assessment/token/checkout/price_touchline_token/3'),
  ]
  const { body: document } = await ask<{ paths: Record<string, Record<string, Operation>> }>(server, 'GET', 'openapi.json')
  const endpoints = new Map(everyEndpoint())
  let saves = 0
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const endpoint = endpoints.get(operation.operationId)
      if (!endpoint) throw new Error(`${operation.operationId} is not in the contract`)
      return { method: method.toUpperCase(), path, operation, endpoint }
    }),
  )
  return {
    server,
    agent: new Agent({ keepAlive: true }),
    operations,
    bearers: {
      guest: undefined,
      player: player.accessToken,
      'other player': other.accessToken,
      coach: coach.accessToken,
      'other coach': otherCoach.accessToken,
      operator: server.deps.keys.operatorKey,
      garbage: 'eyJhbGciOiJub25lIn0.e30.',
    },
    sensible: (name, random, operationId) => {
      const isSave = operationId === 'instances.saveResponses'
      const userIds = [player, other, coach, otherCoach].map(({ userId }) => userId)
      const emails = [player, other, coach].map(({ email }) => email).concat('new@club.test', 'NEW@club.test')
      switch (name) {
        case 'instanceId':
          return isSave ? instanceIds[0] : random.pick(instanceIds)
        case 'id':
          return isSave ? 's2-q01' : random.pick([...userIds, ASSESSMENT, 'soccer', random.uuid()])
        case 'userId':
        case 'ownerUserId':
          return random.pick(userIds)
        case 'email':
        case 'playerEmail':
          return random.pick(emails)
        case 'assessmentId':
          return ASSESSMENT
        case 'sportId':
          return 'soccer'
        case 'priceId':
          return random.pick(['price_touchline_profile', 'price_touchline_token'])
        case 'quantity':
          return random.pick(['1', '12', '100', '101'])
        case 'session_id':
          return random.pick(checkouts)
        case 'refreshToken':
          return random.pick([other.refreshToken, `${other.refreshToken}x`, random.uuid()])
        case 'file':
          return fileWithOneAnswer(server, random.pick(instanceIds), random.pick(userIds), CONTENT_VERSION)
        case 'sectionName':
          return 'Section2'
        case 'questionId':
          return 's2-q01'
        case 'answer':
          // a save without a change would not reach the database
          saves += 1
          return saves % 2 ? 'A' : 'B'
        case 'contentVersion':
          return CONTENT_VERSION
        case 'contentType':
          return 'image/jpeg'
        case 'birthDate':
          return '2008-04-01'
        case 'otp':
          return '12345678'
        case 'base':
          return random.pick([0, 1, 2 ** 31, 2 ** 53 - 1])
        default:
          return undefined
      }
    },
  }
}
