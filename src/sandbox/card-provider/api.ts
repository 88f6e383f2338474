import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type Stripe from 'stripe'
import { wireDispute, wirePayment } from './refunds.ts'
import { readNewSession, wirePrice } from './create-session.ts'
import { readForm, type FormFields } from './form.ts'
import { invalidRequest, missing, SandboxRefusal } from './refusal.ts'
import { newId, type Catalog, type SandboxSessions } from './sessions.ts'
import type { SandboxStore, SessionRecord } from './store.ts'
import type { Clock } from '#server/outside/clock.ts'

/** What the calls of the API need. */
interface SandboxApi {
  store: SandboxStore
  sessions: SandboxSessions
  /** called for each request: the product's own price list is used, and may change */
  catalog: () => Promise<Catalog>
  clock: Clock
  apiVersion: string
}

interface Call {
  method: string
  path: string
  query: FormFields
  body: string
  idempotencyKey: string | null
}

interface Reply {
  status: number
  body: string
  isReplay?: boolean
}

const BODY_MAXIMUM = 100_000

/** An HTTP server with the provider's API, as far as the SDK uses it here. The caller makes it listen. */
export function createSandboxApi(api: SandboxApi): Server {
  return createServer((request, response) => {
    respond(api, request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
}

async function respond(api: SandboxApi, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request)
  // sends no reply, so that the caller times out
  if (api.store.behaviour.outage === 'silence') return
  // read before the call is handled: nothing may be awaited between looking up an idempotency key and storing it
  const catalog = await api.catalog()
  const result = settle(api, catalog, request, body)
  response.writeHead(result.status, {
    'content-type': 'application/json',
    'request-id': newId('req'),
    'stripe-version': api.apiVersion,
    ...(result.isReplay ? { 'idempotent-replayed': 'true' } : {}),
  })
  response.end(result.body)
}

function settle(api: SandboxApi, catalog: Catalog, request: IncomingMessage, body: string): Reply {
  try {
    const failed = failureOf(api, request)
    if (failed) return failed
    checkKey(api, request.headers.authorization)
    const url = new URL(request.url ?? '/', 'http://sandbox')
    const key = request.headers['idempotency-key']
    return route(api, catalog, {
      method: request.method ?? 'GET',
      path: url.pathname,
      query: readForm(url.search.slice(1)),
      body,
      idempotencyKey: typeof key === 'string' ? key : null,
    })
  } catch (error) {
    if (!(error instanceof SandboxRefusal)) throw error
    return { status: error.status, body: JSON.stringify({ error: error.error }) }
  }
}

/** The provider keeps a failure of its own under the key of the request, as it keeps any reply: repeats get it again, also after the outage. */
function failureOf({ store }: SandboxApi, { headers, method }: IncomingMessage): Reply | null {
  const key = method === 'POST' ? headers['idempotency-key'] : undefined
  const isReplay = typeof key === 'string' && store.failedKeys.has(key)
  if (!isReplay && store.behaviour.outage !== 'errors') return null
  if (typeof key === 'string') store.failedKeys.add(key)
  return { status: 500, body: JSON.stringify({ error: { type: 'api_error', message: 'An error occurred on our side.' } }), isReplay }
}

function route(api: SandboxApi, catalog: Catalog, call: Call): Reply {
  const replay = replayOf(api, call)
  if (replay) return replay
  const [, version, ...path] = call.path.split('/')
  const [resource, second, id, action] = path
  if (version === 'v1' && resource === 'checkout' && second === 'sessions') {
    if (call.method === 'POST' && id === undefined) return create(api, catalog, call)
    if (call.method === 'GET' && id === undefined)
      return found(
        listOf(
          paidBy(api, call).map(({ session }) => session),
          call.path,
        ),
      )
    if (call.method === 'GET' && id && action === undefined) return found(shown(sessionOf(api, id), call.query))
    if (call.method === 'GET' && id && action === 'line_items') return found(listOf(sessionOf(api, id).lineItems, call.path))
    if (call.method === 'POST' && id && action === 'expire') return expire(api, sessionOf(api, id))
  }
  if (version === 'v1' && resource === 'prices' && call.method === 'GET') return prices(catalog, call, second)
  if (version === 'v1' && resource === 'payment_intents' && call.method === 'GET' && second) {
    const record = api.store.findByPayment(second)
    if (!record) throw missing('payment_intent', second, 'intent', 404)
    return found(wirePayment(record))
  }
  if (version === 'v1' && resource === 'disputes' && call.method === 'GET') {
    const disputes = paidBy(api, call).flatMap((record) => (record.dispute ? [wireDispute(record, record.dispute)] : []))
    return found(listOf(disputes, call.path))
  }
  throw invalidRequest(`Unrecognized request URL (${call.method}: ${call.path}).`, {}, 404)
}

function create(api: SandboxApi, catalog: Catalog, call: Call): Reply {
  const form = readForm(call.body)
  const wanted = readNewSession(form, catalog, Math.floor(api.clock.now().getTime() / 1000))
  const record = api.sessions.make(wanted, (session) => ({
    idempotencyKey: call.idempotencyKey,
    fingerprint: fingerprintOf(call),
    reply: JSON.stringify(session),
  }))
  return { status: 200, body: record.created.reply }
}

/** The same key gets the first reply again; with other parameters it is refused. */
function replayOf(api: SandboxApi, call: Call): Reply | null {
  if (call.method !== 'POST' || call.idempotencyKey === null) return null
  const first = api.store.findByIdempotencyKey(call.idempotencyKey)
  if (!first) return null
  if (first.created.fingerprint === fingerprintOf(call)) return { status: 200, body: first.created.reply, isReplay: true }
  throw new SandboxRefusal(400, {
    type: 'idempotency_error',
    message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${call.idempotencyKey}' if you meant to execute a different request.`,
  })
}

function fingerprintOf(call: Call): string {
  return createHash('sha256').update(`${call.path}\n${call.body}`).digest('hex')
}

function expire(api: SandboxApi, record: SessionRecord): Reply {
  if (api.sessions.expire(record)) return found(record.session)
  throw invalidRequest(
    `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${record.session.status}.`,
  )
}

function prices(catalog: Catalog, call: Call, id: string | undefined): Reply {
  const all = catalog.prices.map(wirePrice)
  if (id === undefined) return found(listOf(all, call.path))
  const price = all.find((one) => one.id === id)
  if (!price) throw missing('price', id, 'price', 404)
  return found(price)
}

/** Sessions can be listed by their payment only. */
function paidBy(api: SandboxApi, { query }: Call): SessionRecord[] {
  const id = query['payment_intent']
  if (typeof id !== 'string') throw invalidRequest('The sandbox supports lists by payment_intent only.', { param: 'payment_intent' })
  const record = api.store.findByPayment(id)
  return record ? [record] : []
}

function sessionOf(api: SandboxApi, id: string): SessionRecord {
  const record = api.sessions.find(id)
  if (!record) throw missing('checkout.session', id, 'session', 404)
  return record
}

function shown(record: SessionRecord, query: FormFields): Stripe.Checkout.Session | object {
  const expand = Array.isArray(query['expand']) ? query['expand'] : []
  if (!expand.includes('line_items')) return record.session
  return { ...record.session, line_items: listOf(record.lineItems, `/v1/checkout/sessions/${record.session.id}/line_items`) }
}

function listOf(data: readonly object[], url: string): object {
  return { object: 'list', data, has_more: false, url }
}

function found(body: object): Reply {
  return { status: 200, body: JSON.stringify(body) }
}

function checkKey(api: SandboxApi, authorization: string | undefined): void {
  const given = Buffer.from(authorization?.replace(/^Bearer /, '') ?? '')
  const wanted = Buffer.from(api.store.keys.secretKey)
  if (given.length === 0) throw invalidRequest('You did not provide an API key.', {}, 401)
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw invalidRequest('Invalid API Key provided.', {}, 401)
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > BODY_MAXIMUM) throw new Error('The request is larger than any the SDK sends.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
