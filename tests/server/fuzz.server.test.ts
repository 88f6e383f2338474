import { Agent, request, type IncomingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyEndpoint } from '#contract/api.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { commonErrors, errors, type ErrorCode } from '#contract/errors.ts'
import { Random } from '#tests/chaos/scheduler.ts'
import { ask, coachData, signIn, type Person } from '#tests/support/person.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'
import { read } from '../house/source-files.ts'
import { requestOf, TEXTS, type JsonSchema, type Operation, type Sensible, type Wire } from './fuzz-requests.ts'
import { allocate, ASSESSMENT, giveTokens } from './instances/support.ts'

/**
 * Whatever anybody sends, no reply is a 5xx that the document does not announce, and every refusal has its one shape, a
 * code of that call, and the words of its reader. `SEED=…` repeats a run, `RUNS=…` makes it longer.
 */
const SEED = Number(process.env['SEED'] ?? 1)
const RUNS = Number(process.env['RUNS'] ?? 750)

const LANGUAGES: readonly (readonly [header: string | undefined, language: 'en' | 'fr'])[] = [
  ['en', 'en'],
  ['fr', 'fr'],
  ['fr-CA', 'fr'],
  ['de, fr;q=0.5', 'fr'],
  ['de', 'en'],
  ['fr;q=0, en', 'en'],
  ['x'.repeat(3000), 'en'],
  [undefined, 'en'],
]
const CALLERS = ['guest', 'player', 'other player', 'coach', 'other coach', 'operator', 'garbage'] as const
type Caller = (typeof CALLERS)[number]

interface Reply {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

interface World {
  server: TestServer
  agent: Agent
  operations: { method: string; path: string; operation: Operation; endpoint: Endpoint }[]
  bearers: Record<Caller, string | undefined>
  sensible: Sensible
}

/** As it is: fetch would tidy the path up first. */
function send({ server, agent }: World, wire: Wire): Promise<Reply> {
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

const words = (language: 'en' | 'fr', area: 'errors' | 'fields') =>
  JSON.parse(read(`locales/${language}/${area}.json`)) as Record<string, string>
const WORDS = {
  en: { errors: words('en', 'errors'), fields: Object.values(words('en', 'fields')) },
  fr: { errors: words('fr', 'errors'), fields: Object.values(words('fr', 'fields')) },
}

/** What is wrong with a refusal. `own`: the codes of the call beside those of every call. */
function faultsOfRefusal({ status, headers, text }: Reply, language: 'en' | 'fr', own: readonly ErrorCode[]): string[] {
  const faults: string[] = []
  const demand = (isSo: boolean, what: string) => void (isSo || faults.push(what))
  const body = parsed(text) as { code: ErrorCode; message: string; fields?: Record<string, string>; requestId: string } | undefined
  if (typeof body?.code !== 'string') return ['no refusal of ours']
  const { code, message, fields, requestId } = body
  demand(
    Object.keys(body).every((key) => ['code', 'message', 'fields', 'requestId'].includes(key)),
    'a key that a refusal does not have',
  )
  demand([...own, ...commonErrors].includes(code), `${code} is not documented`)
  demand(errors[code] === status, `${code} with another status`)
  demand(code !== 'INTERNAL' && (status < 500 || code in errors), 'a 5xx')
  const { errors: ofCode, fields: ofFields } = WORDS[language]
  demand(message === ofCode[code] || (code === 'INVALID_INPUT' && ofFields.includes(message)), `not the words of ${language}: ${message}`)
  for (const said of Object.values(fields ?? {})) {
    demand(ofFields.includes(said) || Object.values(ofCode).includes(said), `a field not in the words of ${language}: ${said}`)
  }
  demand(headers['x-request-id'] === requestId && requestId.length > 30, 'x-request-id is not requestId')
  demand(headers['cache-control'] === 'no-store', 'a refusal that may be kept')
  demand(headers['content-type'] === 'application/json; charset=utf-8', 'another content type')
  demand(headers['x-content-type-options'] === 'nosniff', 'no security headers')
  if (status === 429 || status === 503) demand(/^[1-9]\d*$/.test(headers['retry-after'] ?? ''), 'no Retry-After')
  if (status === 405) demand(Boolean(headers.allow), 'no Allow')
  return faults
}

function faultsOf(reply: Reply, language: 'en' | 'fr', endpoint: Endpoint): string[] {
  const { status, text } = reply
  if (status >= 300) return faultsOfRefusal(reply, language, endpoint.errors)
  if (status !== (endpoint.status ?? 200)) return [`a success of another status`]
  if (status === 204) return text === '' ? [] : ['a body where there is none']
  return endpoint.reply.safeParse(parsed(text)).success ? [] : ['a reply off its schema']
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Without the bearer. */
const shown = ({ method, path, headers, body }: Wire) =>
  `${method} ${path} ${JSON.stringify({ ...headers, authorization: undefined })} ${(body ?? '').slice(0, 600)}`

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
        case 'sectionName':
          return 'Section2'
        case 'questionId':
          return 's2-q01'
        case 'answer':
          // a save of what stands there already changes nothing
          saves += 1
          return saves % 2 ? 'A' : 'B'
        case 'contentVersion':
          return 'touchline-profile-1'
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

/** These end what the run needs when they succeed; refused, they are asked like any other. */
const ENDINGS = new Set(['users.deactivate', 'auth.logout', 'auth.refresh', 'auth.automaticRefresh'])

describe('anything at all', () => {
  let world: World
  beforeAll(async () => {
    world = await makeWorld()
  })
  afterAll(async () => {
    world.agent.destroy()
    await world.server.close()
  })

  function callerFor(name: string, { access }: Endpoint, random: Random): Caller {
    if (ENDINGS.has(name)) return random.pick(['guest', 'operator', 'garbage'])
    return access === 'anyone' || random.chance(0.5) ? random.pick(CALLERS) : random.pick(access)
  }

  test(`${RUNS} requests, seed ${SEED}`, { timeout: 60_000 + RUNS * 100 }, async () => {
    const random = new Random(SEED)
    const failures: string[] = []
    const seen = new Map<number, number>()
    for (let run = 0; run < RUNS; run += 1) {
      const { method, path, operation, endpoint } = world.operations[run % world.operations.length] ?? random.pick(world.operations)
      const caller = callerFor(operation.operationId, endpoint, random)
      const [header, language] = random.pick(LANGUAGES)
      const wire = requestOf(method, path, operation, world.sensible, random)
      const bearer = world.bearers[caller]
      if (bearer !== undefined) wire.headers['authorization'] = `Bearer ${bearer}`
      if (header !== undefined) wire.headers['accept-language'] = header
      if (random.chance(0.02)) wire.headers['x-touchline-app'] = random.pick(['0', '-1', 'x', '', '1e9'])
      const reply = await send(world, wire)
      seen.set(reply.status, (seen.get(reply.status) ?? 0) + 1)
      const faults = faultsOf(reply, language, endpoint)
      if (faults.length > 0)
        failures.push(`#${run} ${caller}: ${faults.join('; ')}\n  ${shown(wire)}\n  ${reply.status} ${reply.text.slice(0, 300)}`)
    }
    expect(failures.slice(0, 5).join('\n\n')).toBe('')
    // the run reaches handlers, not the door alone
    expect(seen.get(200) ?? 0).toBeGreaterThan(RUNS / 20)
    for (const status of [400, 401, 403, 404]) expect(seen.get(status), `${status} was never seen`).toBeGreaterThan(0)
  })

  test('a body that is no object is refused by every call, to everybody who may make it', async () => {
    const random = new Random(SEED)
    const failures: string[] = []
    const codes = new Set<unknown>()
    for (const { method, path, operation, endpoint } of world.operations) {
      if (method === 'GET' || endpoint.rawBody) continue
      const callers: readonly Caller[] = endpoint.access === 'anyone' ? ['guest', 'player'] : endpoint.access
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => String(world.sensible(name, random, operation.operationId)))
      for (const caller of callers) {
        for (const body of ['null', '5', 'true', '"x"', '[]', '[null]']) {
          const authorization = world.bearers[caller]
          const headers = { 'content-type': 'application/json', ...(authorization && { authorization: `Bearer ${authorization}` }) }
          const wire = { method, path: `/api${filled}`, headers, body }
          const reply = await send(world, wire)
          codes.add((parsed(reply.text) as { code?: string } | undefined)?.code)
          const faults = reply.status === 400 ? faultsOf(reply, 'en', endpoint) : [`${reply.status}`]
          if (faults.length > 0) failures.push(`${caller}: ${faults.join('; ')}: ${shown(wire)} ${reply.text.slice(0, 200)}`)
        }
      }
    }
    expect(failures.slice(0, 10).join('\n')).toBe('')
    expect(codes).toContain('INVALID_JSON')
  })

  test('a path that cannot be read is refused like everything else', async () => {
    const paths = ['%', '%zz', '%E0%A4%A', '%ED%A0%80', '%C0%AF', 'a%2Fb', '%2e%2e%2f', 'x'.repeat(501), '..', '%00', '\\', ';a=b', '+']
    const failures: string[] = []
    for (const [header, language] of LANGUAGES) {
      for (const place of ['/api/user/', '/api/', '/api/assessment/assessment-instance/', '/api/sports/']) {
        for (const one of paths) {
          const headers = {
            authorization: `Bearer ${world.bearers.player}`,
            ...(header === undefined ? {} : { 'accept-language': header }),
          }
          const wire = { method: 'GET', path: `${place}${one}`, headers, body: undefined }
          const reply = await send(world, wire)
          if (reply.status < 300) continue
          const faults = faultsOfRefusal(reply, language, [])
          if (faults.length > 0) failures.push(`${faults.join('; ')}: ${shown(wire)}`)
        }
      }
    }
    expect(failures.slice(0, 5).join('\n')).toBe('')
  })

  test('a method that a path does not have is refused with those it has', async () => {
    const failures: string[] = []
    for (const { path, endpoint } of world.operations) {
      for (const method of ['DELETE', 'PUT', 'GET', 'PATCH', 'PROPFIND']) {
        const wire = { method, path: `/api${path.replace(/\{\w+\}/g, 'x')}`, headers: {}, body: undefined }
        if (world.operations.some((one) => one.method === method && routes(one.path, wire.path))) continue
        const reply = await send(world, wire)
        // a link in a mail leads to a page
        if (reply.status === 302) continue
        const faults = reply.status === 405 ? faultsOfRefusal(reply, 'en', []) : [`${reply.status}`]
        if (faults.length > 0) failures.push(`${endpoint.method} ${faults.join('; ')}: ${shown(wire)}`)
      }
    }
    expect(failures.slice(0, 5).join('\n')).toBe('')
  })

  describe('what no database keeps', () => {
    const places = everyEndpoint().flatMap(([name, endpoint]) => (endpoint.rawBody ? [] : [[name, endpoint] as const]))

    test.each(places)(
      '%s: in each of its fields, NUL and half a surrogate pair are 400, in a path 404; a large number breaks nothing (O4)',
      async (name, endpoint) => {
        const found = world.operations.find(({ operation }) => operation.operationId === name)
        if (!found) throw new Error(`${name} is not in the document`)
        const { operation, method, path } = found
        const random = new Random(SEED)
        const caller = endpoint.access === 'anyone' ? 'guest' : endpoint.access[0]
        const plain = (field: string) => world.sensible(field, random, name)
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${world.bearers[caller ?? 'guest'] ?? ''}` }
        const fill = (field: string, wanted: string) => {
          const value = plain(field)
          return field === wanted ? '%00' : encodeURIComponent(typeof value === 'string' ? value : 'x')
        }
        const sends: { what: string; status: number; wire: Wire }[] = []
        for (const parameter of operation.parameters.filter((one) => one.in === 'path')) {
          const filled = path.replace(/\{(\w+)\}/g, (_, field: string) => fill(field, parameter.name))
          sends.push({
            what: parameter.name,
            status: 404,
            wire: { method, path: `/api${filled}`, headers: { ...headers }, body: undefined },
          })
        }
        const whole = path.replace(/\{(\w+)\}/g, (_, field: string) => fill(field, ''))
        const query = operation.parameters.filter((one) => one.in === 'query')
        for (const wanted of query) {
          const asked = query.filter((one) => one.required || one === wanted).map((one) => `${one.name}=${fill(one.name, wanted.name)}`)
          sends.push({
            what: wanted.name,
            status: 400,
            wire: { method, path: `/api${whole}?${asked.join('&')}`, headers: { ...headers }, body: undefined },
          })
        }
        const schema = operation.requestBody?.content['application/json'].schema
        for (const bad of ['\0', 'a\0', '\ud800', 'a\udfff']) {
          for (const at of schema ? fieldsOf(schema, 'string') : []) {
            const body = JSON.stringify(full(schema ?? {}, at, bad, plain))
            sends.push({ what: at.join('.'), status: 400, wire: { method, path: `/api${whole}`, headers: { ...headers }, body } })
          }
        }
        for (const large of [2 ** 31, Number.MAX_SAFE_INTEGER]) {
          for (const at of schema ? fieldsOf(schema, 'integer') : []) {
            const body = JSON.stringify(full(schema ?? {}, at, large, plain))
            const reply = await send(world, { method, path: `/api${whole}`, headers: { ...headers }, body })
            expect([at.join('.'), large, ...faultsOf(reply, 'en', endpoint)]).toEqual([at.join('.'), large])
          }
        }
        for (const { what, status, wire } of sends) {
          // what a picture is called is cleaned, not refused: it may be anything
          if (name.startsWith('pictures.') && ['filename', 'name', 'documentFormat'].includes(what)) continue
          const reply = await send(world, wire)
          expect({ what, status: reply.status, faults: faultsOfRefusal(reply, 'en', endpoint.errors), wire: shown(wire) }).toEqual({
            what,
            status,
            faults: [],
            wire: shown(wire),
          })
        }
      },
    )

    test('is among what the requests above are made of', () => {
      expect(TEXTS.some((text) => text.includes('\0'))).toBe(true)
      expect(TEXTS.some((text) => !text.isWellFormed())).toBe(true)
    })
  })
})

function routes(template: string, path: string): boolean {
  return new RegExp(`^/api${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)
}

/** Paths of the fields of a type in a schema; `0` for the first of a list. */
function fieldsOf(schema: JsonSchema, type: 'string' | 'integer', at: string[] = []): string[][] {
  if (schema.anyOf) return schema.anyOf.flatMap((one) => fieldsOf(one, type, at)).slice(0, 1)
  if (schema.type === 'object') return Object.entries(schema.properties ?? {}).flatMap(([name, one]) => fieldsOf(one, type, [...at, name]))
  if (schema.type === 'array') return fieldsOf(schema.items ?? {}, type, [...at, '0'])
  return schema.type === type && schema.enum === undefined ? [at] : []
}

/** A body with all its fields, and `bad` in one place. */
function full(schema: JsonSchema, [next, ...rest]: string[], bad: unknown, plain: (name: string) => unknown, name = ''): unknown {
  if (schema.anyOf) return full(schema.anyOf[0] ?? {}, next === undefined ? [] : [next, ...rest], bad, plain, name)
  if (schema.type === 'object') {
    const entries = Object.entries(schema.properties ?? {})
    const wanted = entries.filter(([field]) => field === next || schema.required?.includes(field))
    return Object.fromEntries(wanted.map(([field, one]) => [field, full(one, field === next ? rest : ['-'], bad, plain, field)]))
  }
  if (schema.type === 'array') return [full(schema.items ?? {}, next === '0' ? rest : ['-'], bad, plain, name)]
  if (next === undefined) return bad
  if (schema.format === 'uuid') return '8f14e45f-ceea-467f-a8e4-7a1f6f4b2c11'
  return plain(name) ?? schema.enum?.[0] ?? (schema.type === 'integer' || schema.type === 'number' ? 1 : 'x')
}
