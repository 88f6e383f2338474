import { createHmac } from 'node:crypto'
import { createServer, request as ask, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { CardSandbox } from '#sandbox/card-provider/card-sandbox.ts'
import { control } from '#sandbox/card-provider/control.ts'
import { cardPayments, CardPaymentsError, KeptFailure, type CardPayments, type SessionRequest } from '#server/outside/card-payments.ts'
import { sandboxFor, temporaryFolder } from '#tests/sandbox/support.ts'

/** What goes over the wire to and from the card provider, seen from outside the SDK. */

const REQUEST: SessionRequest = {
  idempotencyKey: 'order-1',
  orderId: '1',
  userId: 'player',
  priceId: 'price_regular',
  quantity: 1,
  coupon: null,
  returnUrl: 'http://localhost:3000/return?session_id={CHECKOUT_SESSION_ID}',
  description: 'Assessment: Profile',
  language: 'en',
}

interface Seen {
  method: string
  path: string
  headers: IncomingHttpHeaders
}

/** A line to the sandbox on which the replies to so many requests are lost: the sandbox has carried them out. */
async function lineTo(sandbox: CardSandbox) {
  const seen: Seen[] = []
  let toLose = 0
  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming
    seen.push({ method, path: url, headers })
    const isLost = toLose > 0
    toLose -= 1
    const onward = ask({ host: sandbox.host, port: sandbox.port, method, path: url, headers }, (reply) => {
      if (isLost) {
        reply.resume()
        return outgoing.destroy()
      }
      outgoing.writeHead(reply.statusCode ?? 0, reply.headers)
      return reply.pipe(outgoing)
    })
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  // listening on a port, never on a pipe
  const { port } = server.address() as AddressInfo
  const lose = (replies: number) => {
    toLose = replies
  }
  return { seen, lose, at: { host: '127.0.0.1', port, script: '' } }
}

async function setUp() {
  const sandbox = await sandboxFor({ dataDir: await temporaryFolder() })
  const line = await lineTo(sandbox)
  const { webhookSecret, ...keys } = sandbox.keys
  const client = (): CardPayments => cardPayments({ ...keys, webhookSecrets: [webhookSecret], sandbox: line.at })
  const creating = () => line.seen.filter(({ method, path }) => method === 'POST' && path === '/v1/checkout/sessions')
  const keysSeen = () => creating().map(({ headers }) => headers['idempotency-key'])
  return { sandbox, line, client, creating, keysSeen }
}

describe('a request that creates something', () => {
  it('has the same idempotency key in every retry, by the SDK, by a later call and by another process', async () => {
    const { sandbox, line, client, keysSeen } = await setUp()
    // both attempts of the SDK are carried out, and neither reply arrives
    line.lose(2)
    await expect(client().openSession(REQUEST)).rejects.toThrow('did not reply as expected')
    const session = await client().openSession(REQUEST)
    expect(sandbox.store.all().map((one) => one.session.id)).toEqual([session.id])
    expect(keysSeen()).toEqual([keysSeen()[0], keysSeen()[0], keysSeen()[0]])
    expect(keysSeen()[0]).toMatch(/^order-1-[0-9a-f]{32}$/)
  })

  it('has another key for another order, and for other parameters', async () => {
    const { client, keysSeen } = await setUp()
    const cards = client()
    await cards.openSession(REQUEST)
    await cards.openSession({ ...REQUEST, idempotencyKey: 'order-2' })
    await cards.openSession({ ...REQUEST, language: 'fr' })
    expect(new Set(keysSeen()).size).toBe(3)
  })

  it('always has a key, whatever it creates or changes', async () => {
    const { line, client } = await setUp()
    const cards = client()
    const { id } = await cards.openSession(REQUEST)
    await cards.expireSession(id)
    const writes = line.seen.filter(({ method }) => method !== 'GET')
    expect(writes).toHaveLength(2)
    for (const { path, headers } of writes) expect(headers['idempotency-key'], path).toMatch(/\S{8,255}/)
  })

  it('fails with KeptFailure if the provider stores an error under its key', async () => {
    const { sandbox, client } = await setUp()
    const cards = client()
    control(sandbox, { action: 'behave', outage: 'errors' })
    await expect(cards.openSession(REQUEST)).rejects.toBeInstanceOf(KeptFailure)
    await expect(cards.findSession('cs_test_1')).rejects.not.toBeInstanceOf(KeptFailure)
    control(sandbox, { action: 'behave', outage: 'none' })
    await expect(cards.openSession(REQUEST)).rejects.toBeInstanceOf(KeptFailure)
    expect(await cards.openSession({ ...REQUEST, idempotencyKey: 'order-2' })).toMatchObject({ status: 'open' })
  })
})

/** A provider that refuses the first request of a key, for what is mended meanwhile, and keeps that reply. */
async function keepingProvider() {
  const kept = new Set<string>()
  const server = createServer((incoming, outgoing) => {
    const key = String(incoming.headers['idempotency-key'])
    const isReplay = kept.has(key)
    kept.add(key)
    outgoing.writeHead(400, { 'content-type': 'application/json', ...(isReplay ? { 'idempotent-replayed': 'true' } : {}) })
    outgoing.end(JSON.stringify({ error: { type: 'invalid_request_error', message: 'The price specified is inactive.' } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // listening on a port, never on a pipe
  return { host: '127.0.0.1', port, script: '' }
}

it('a refusal that the provider stores under a key is a KeptFailure, too', async () => {
  const sandbox = await keepingProvider()
  const cards = cardPayments({ secretKey: 'sk_test_x', publishableKey: 'pk_test_x', webhookSecrets: [], sandbox })
  await expect(cards.openSession(REQUEST)).rejects.not.toBeInstanceOf(KeptFailure)
  await expect(cards.openSession(REQUEST)).rejects.toBeInstanceOf(KeptFailure)
})

/** A provider that replies to everything with this. */
async function replying(body: string) {
  const server = createServer((_incoming, outgoing) => outgoing.writeHead(200, { 'content-type': 'application/json' }).end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // listening on a port, never on a pipe
  const sandbox = { host: '127.0.0.1', port, script: '' }
  return cardPayments({ secretKey: 'sk_test_x', publishableKey: 'pk_test_x', webhookSecrets: [], sandbox })
}

it.each(['{}', '[]', '{"data":null}', '{"data":[{}]}', '{"id":5,"amount_total":"1","latest_charge":5,"data":[null]}', '<html>'])(
  'the reply %s has another form, and is a CardPaymentsError',
  async (body) => {
    const cards = await replying(body)
    for (const call of [
      () => cards.openSession(REQUEST),
      () => cards.findSession('cs_1'),
      () => cards.findSessionOfPayment('pi_1'),
      () => cards.readRefunded('pi_1'),
    ])
      await expect(call()).rejects.toBeInstanceOf(CardPaymentsError)
  },
)

describe('an event, signed as the provider describes it', () => {
  const NOW = new Date('2026-11-24T12:00:00Z')
  const BODY = '{\n  "id": "evt_1",\n  "object": "event",\n  "type": "invoice.paid",\n  "data": { "object": { "object": "invoice" } }\n}'
  const [NEW, OLD, FOREIGN] = ['whsec_new', 'whsec_old', 'whsec_foreign']
  const cards = (webhookSecrets: string[]) => cardPayments({ secretKey: 'sk_test_x', publishableKey: 'pk_test_x', webhookSecrets })

  /** HMAC-SHA256 of `seconds.BODY`, by each secret. */
  function signatureBy(secrets: string[]): string {
    const seconds = Math.floor(NOW.getTime() / 1000)
    const signatures = secrets.map((secret) => `v1=${createHmac('sha256', secret).update(`${seconds}.${BODY}`).digest('hex')}`)
    return [`t=${seconds}`, ...signatures, 'v0=6ffbb59b2300aae63f272406069a9788598b792a944a07aba816edb039989a39'].join(',')
  }

  // [what, our secrets, the secrets it is signed with, which of ours is found]
  it.each<[string, string[], string[], number | undefined]>([
    ['one secret', [OLD], [OLD], 0],
    ['the old server, while the provider signs with both', [OLD], [NEW, OLD], 0],
    ['the new server, while the provider signs with both', [NEW, OLD], [NEW, OLD], 0],
    ['the new server, before the provider changes', [NEW, OLD], [OLD], 1],
    ['the new server, after the provider has changed', [NEW, OLD], [NEW], 0],
    ['the old secret once it is removed', [NEW], [OLD], undefined],
    ['somebody else’s secret', [NEW, OLD], [FOREIGN], undefined],
  ])('is accepted, or refused, with %s', (_what, ours, theirs, place) => {
    expect(cards(ours).readEvent(Buffer.from(BODY), signatureBy(theirs), NOW)?.secretPlace).toBe(place)
  })

  it('is refused with each of several secrets if a byte differs or it is too old', () => {
    const read = (body: string, at: Date) => cards([NEW, OLD]).readEvent(Buffer.from(body), signatureBy([OLD]), at)
    expect(read(BODY, NOW)).not.toBeNull()
    expect(read(`${BODY} `, NOW)).toBeNull()
    expect(read(BODY, new Date(NOW.getTime() + 301_000))).toBeNull()
  })
})
