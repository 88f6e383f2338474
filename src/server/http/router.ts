import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { api, everyEndpoint, type Api } from '#contract/api.ts'
import { APP_VERSION_HEADER, IDEMPOTENCY_HEADER } from '#contract/constants.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Deps } from '../deps.ts'
import { isDiskFull } from '../disk-full.ts'
import { limitsOn, type LimitName } from '../limits/limits.ts'
import { limitKeyOf } from './limit-key.ts'
import { refuseAfter, timeLeft } from './refuse-after.ts'
import { createBodyRoom, ROOM } from './body-room.ts'
import { isExact } from './exact.ts'
import { repliedOnce } from './first-replies-store.ts'
import type { HandlerInput, Caller, Handlers } from './handler.ts'
import { parseJson } from './json.ts'
import { hasShare, type CallSlots, type Rank } from './call-slots.ts'
import { rankOf } from './ranks.ts'
import { refuse, Refused } from './refusal.ts'
import { BODY_MAXIMUM } from './socket-limits.ts'
import { readQuery, validate } from './validate.ts'
import { languageOf } from '../words/words.ts'

/**
 * Serves the calls of the contract. Each request passes these checks, in this order: the portal's version (426), a slot (503),
 * credentials (401), the account's number of calls (429), role (403), room for its body (503), content type and body (4xx), schemas (400),
 * the limits of this call (429).
 */

/**
 * Identifies the caller; throws INVALID_TOKEN for invalid credentials. Without any: a guest.
 * @param mayBeExpired an access token that has expired is taken, too
 */
export type Identify = (authorization: string | undefined, options?: { mayBeExpired: boolean }) => Promise<Caller>

// the types of each handler are checked in its own file
type AnyHandler = (input: HandlerInput<Endpoint>) => Promise<unknown>

interface IdentifiedRequest {
  caller: Caller
  /** read while the client was still connected */
  networkAddress: string
}

const identifiedRequests = new WeakMap<FastifyRequest, IdentifiedRequest>()

interface ApiOptions {
  deps: Deps
  identify: Identify
  /** called before a call is refused because of the caller's role */
  onRoleRefused: (caller: Caller, call: string) => Promise<void>
  /** called before every call is carried out */
  onCall: (call: string, input: HandlerInput<Endpoint>) => Promise<void>
  callSlots: CallSlots
  rooms: Record<keyof typeof ROOM, ReturnType<typeof createBodyRoom>>
}

/** Adds a route for each entry of the contract. */
export async function registerCalls(app: FastifyInstance, handlers: Handlers<Api>, given: Omit<ApiOptions, 'rooms'>): Promise<void> {
  const options = { ...given, rooms: { guests: createBodyRoom(ROOM.guests), accounts: createBodyRoom(ROOM.accounts) } }
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    for (const [name, endpoint] of everyEndpoint()) {
      if (endpoint.rawBody) continue
      registerCall(scope, [name, endpoint], handlerOf(handlers, name), options)
    }
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: FastifyRequest, text: string) =>
      text.trim() === '' ? undefined : parseJson(text),
    )
  })
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: FastifyRequest, bytes: Buffer) => bytes)
    for (const [name, endpoint] of everyEndpoint())
      if (endpoint.rawBody) registerCall(scope, [name, endpoint], handlerOf(handlers, name), options)
  })
}

function handlerOf(handlers: Handlers<Api>, name: string): AnyHandler {
  const [subject = '', call = ''] = name.split('.')
  // `Handlers<Api>` has exactly the keys of `api`, which `everyEndpoint` names
  const found = (handlers as unknown as Record<string, Record<string, AnyHandler>>)[subject]?.[call]
  if (!found) throw new Error(`No handler for ${name}`)
  return found
}

/** `/reference-data/sport/{sportId}/position` → `/api/reference-data/sport/:sportId/position` */
export function routeOf(endpoint: Endpoint): string {
  return `/api/${endpoint.path.replace(/^\//, '').replace(/\{(\w+)\}/g, ':$1')}`
}

type NamedEndpoint = readonly [name: string, endpoint: Endpoint]

function registerCall(scope: FastifyInstance, [name, endpoint]: NamedEndpoint, handler: AnyHandler, options: ApiOptions): void {
  const { deps, callSlots, onCall, rooms } = options
  const limits = limitsOn(name)
  const rank = rankOf(name)
  const hasCaller = endpoint.access !== 'anyone'
  // two slots one after the other, because none is kept while a body arrives
  const credentialsRank = hasCaller ? rank : null
  const callRank = hasCaller && rank && !hasShare(rank) ? 'begun' : rank
  const inSlot = <T>(itsRank: Rank | null, work: () => Promise<T>) => (itsRank ? callSlots.run(itsRank, work) : work())
  scope.route({
    method: endpoint.method,
    url: routeOf(endpoint),
    // for a HEAD the whole file would be made
    exposeHeadRoute: endpoint.file === undefined,
    bodyLimit: BODY_MAXIMUM,
    // load balancers call it all day
    ...(endpoint === api.health.get ? { logLevel: 'warn' as const } : {}),
    onRequest: async (request, reply) => {
      if (!endpoint.anyVersion) requireVersion(request, deps.env.minimumAppVersion)
      const networkAddress = limitKeyOf(request.ip)
      const identified = inSlot(credentialsRank, () => callerFor([name, endpoint], request, options))
      const caller = await refuseAfter(timeLeft(reply, deps), identified)
      identifiedRequests.set(request, { caller, networkAddress })
    },
    preParsing: async (request, reply, payload) => {
      const { caller, networkAddress } = identifiedRequestOf(request)
      const reserve = hasCaller ? rooms.accounts : rooms.guests
      reserve(request.raw, reply.raw, caller.userId ?? networkAddress)
      return payload
    },
    handler: async (request, reply) => {
      const input = inputOf(endpoint, request, deps)
      const countAndRun = async () => {
        for (const limit of limits) await countCall(deps, limit, input.caller)
        await onCall(name, input)
        return runHandler(endpoint, handler, input)
      }
      const { params, query, body, caller } = input
      const repeatKey = { key: input.header(IDEMPOTENCY_HEADER), request: [name, caller.userId, params, query, body] }
      const run = endpoint.isRepliedOnce ? () => repliedOnce(deps.db, repeatKey, countAndRun) : countAndRun
      const ms = timeLeft(reply, deps)
      const result = refuseAfter(ms, inSlot(callRank, run))
      return sendReply(endpoint, reply, await (caller.kind === 'operator' ? result.catch(nameFullDisk) : result))
    },
  })
}

/**
 * A coach's reads come from the replica, if there is one with all that they have written, else from the primary; so do those that fail
 * there. Whatever a coach does is noted even if it was refused: the reason may be what they would not see yet. docs/decisions/0061
 */
async function runHandler(endpoint: Endpoint, handler: AnyHandler, input: HandlerInput<Endpoint>): Promise<unknown> {
  const { caller, deps } = input
  const { replica, metrics } = deps
  if (caller.kind !== 'coach' || !replica) return handler(input)
  if (endpoint.method !== 'GET') {
    try {
      return await handler(input)
    } finally {
      await replica.noteWrite(caller.userId)
    }
  }
  const readDb = replica.databaseFor(caller.logPosition)
  metrics.coachRead(readDb ? 'replica' : 'primary')
  if (!readDb) return handler(input)
  try {
    return await handler({ ...input, readDb })
  } catch (error) {
    if (error instanceof Refused) throw error
    replica.failed(error)
    metrics.coachRead('primary')
    return handler(input)
  }
}

/** Only the operator can make room. */
function nameFullDisk(error: unknown): never {
  throw isDiskFull(error) ? new Refused('DISK_FULL', {}, error) : error
}

/** Counts the call for its account; callers without one, such as the operator, are not counted. */
async function countCall({ limits }: Deps, limit: LimitName, { userId }: Caller): Promise<void> {
  const wait = userId === null ? undefined : await limits.take(limit, userId)
  if (wait) refuse('TOO_MANY_REQUESTS', wait)
}

/** Refuses portals older than the minimum; their answers stay on the device (INSTALL-4). Requests without a version are not from a portal. */
function requireVersion(request: FastifyRequest, minimum: number): void {
  const version = request.headers[APP_VERSION_HEADER]
  if (version !== undefined && !(Number(version) >= minimum)) refuse('UPDATE_REQUIRED')
}

async function callerFor([name, endpoint]: NamedEndpoint, request: FastifyRequest, options: ApiOptions): Promise<Caller> {
  const { deps, identify, onRoleRefused } = options
  const { authorization } = request.headers
  if (endpoint.access === 'anyone') {
    const nobody: Caller = { kind: 'guest', userId: null, sessionId: null }
    // The one public call that reads credentials: expired ones still tell whose session ends, and wrong ones make a guest (SESSION-18).
    if (endpoint !== api.auth.logout) return nobody
    return identify(authorization, { mayBeExpired: true }).catch((error: unknown) => {
      if (error instanceof Refused) return nobody
      throw error
    })
  }
  const caller = await identify(authorization)
  if (caller.kind === 'guest') return refuse('INVALID_TOKEN')
  await countCall(deps, endpoint.method === 'GET' ? 'reads' : 'writes', caller)
  if (endpoint.access.includes(caller.kind)) return caller
  await onRoleRefused(caller, name)
  return refuse('FORBIDDEN')
}

function identifiedRequestOf(request: FastifyRequest): IdentifiedRequest {
  const known = identifiedRequests.get(request)
  if (!known) throw new Error('a call came without a caller')
  return known
}

function inputOf(endpoint: Endpoint, request: FastifyRequest, deps: Deps): HandlerInput<Endpoint> {
  const from = identifiedRequestOf(request)
  // the endpoint's types are derived from what the schemas return
  return {
    params: validate(endpoint, 'params', endpoint.params ? request.params : undefined),
    query: validate(endpoint, 'query', readQuery(request.url)),
    body: bodyOf(endpoint, request),
    ...from,
    language: languageOf(request.headers['accept-language']),
    header: (name) => headerOf(request, name),
    refuse,
    readDb: deps.db,
    deps,
  }
}

function bodyOf(endpoint: Endpoint, request: FastifyRequest): unknown {
  if (endpoint.rawBody) return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  if (endpoint.body && request.body === undefined) return refuse('INVALID_JSON')
  return validate(endpoint, 'body', request.body)
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name.toLowerCase()]
  return Array.isArray(value) ? value[0] : value
}

function sendReply(endpoint: Endpoint, reply: FastifyReply, result: unknown): FastifyReply {
  const status = endpoint.status ?? 200
  if (status === 204) return reply.code(204).send()
  // fields that the schema does not name never leave the server
  const parsed = isExact(endpoint.reply, result) ? ({ success: true, data: result } as const) : endpoint.reply.safeParse(result)
  if (!parsed.success) throw new Error(`The reply of ${endpoint.path} does not fit its schema`, { cause: parsed.error })
  if (endpoint.file) {
    const { type, name } = endpoint.file
    reply.header('cache-control', 'private, no-store').header('content-disposition', `attachment; filename="${name}"`)
    return reply.code(status).type(type).send(parsed.data)
  }
  const isLookup = endpoint.tag === 'Reference' || endpoint.tag === 'Sport'
  reply.header('cache-control', isLookup ? 'public, max-age=60' : 'no-store')
  return reply.code(status).send(parsed.data)
}
