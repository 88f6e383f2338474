import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { orders, providerEvents } from '#server/db/schema/orders.ts'
import { sdkFor } from '#tests/sandbox/support.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { checkout, complete, during, everything, openShop, payloadsOf, REGULAR, stored, type Calls, type Shop } from './support.ts'

describe('the webhook', () => {
  let shop: Shop
  let player: Calls
  beforeAll(async () => {
    shop = await openShop()
    player = await shop.signIn()
  })
  afterAll(() => shop.close())

  function sign(payload: string, age = 0, secret = shop.sandbox.keys.webhookSecret): string {
    const timestamp = Math.floor(shop.clock.now().getTime() / 1000) - age
    return sdkFor(shop.sandbox).webhooks.generateTestHeaderString({ payload, secret, timestamp })
  }

  async function post(body: string, signature?: string): Promise<{ status: number; code: string | undefined }> {
    const headers = { 'content-type': 'application/json', ...(signature === undefined ? {} : { 'stripe-signature': signature }) }
    const response = await fetch(`${shop.running.address}/api/stripe/webhook`, { method: 'POST', headers, body })
    const { code } = (await response.json()) as { code?: string }
    return { status: response.status, code }
  }

  const send = async (payload: string) => (await post(payload, sign(payload))).status

  async function paid(who = player): Promise<{ sessionId: string; payload: string }> {
    const { sessionId } = await checkout(who)
    shop.pay(sessionId)
    return { sessionId, payload: payloadsOf(shop, sessionId)[0] ?? '' }
  }

  it('fulfils a paid order without the return page', async () => {
    const { sessionId } = await paid()
    shop.control({ action: 'release' })
    await waitFor(async () => (await stored(shop, sessionId)).granted.length === 1)
    expect((await stored(shop, sessionId)).order?.status).toBe('fulfilled')
    await waitFor(() => shop.sandbox.store.find(sessionId)?.deliveries[0]?.state === 'delivered')
  })

  describe('refuses, and changes nothing:', () => {
    const wrong: [string, (payload: string) => [string, string?]][] = [
      ['no signature', (payload) => [payload]],
      ['a malformed signature', (payload) => [payload, 'v1=abc']],
      ...['t=1,v1=', 't=1,v1', 't=1,v1=,v0=a', 't=1,v1=a,v1=', ',', '=', 't==1'].map((header): (typeof wrong)[number] => [
        `the signature ${header}`,
        (payload) => [payload, header.replace('t=1', `t=${Math.floor(shop.clock.now().getTime() / 1000)}`)],
      ]),
      ['another secret', (payload) => [payload, sign(payload, 0, 'whsec_other')]],
      ['a signature 301 s old', (payload) => [payload, sign(payload, 301)]],
      ['the same JSON, serialised again', (payload) => [JSON.stringify(JSON.parse(payload)), sign(payload)]],
      ['an extra byte', (payload) => [`${payload} `, sign(payload)]],
      ['a body changed after it was signed', (payload) => [payload.replace('"paid"', '"unpaid"'), sign(payload)]],
      ['no body', (payload) => ['', sign(payload)]],
    ]
    it.each(wrong)('%s', async (_what, forge) => {
      const { payload } = await paid()
      const before = await everything(shop)
      const [body, signature] = forge(payload)
      expect(await post(body, signature)).toEqual({ status: 400, code: 'INVALID_SIGNATURE' })
      expect(await everything(shop)).toEqual(before)
    })
  })

  describe('refuses what is signed and of an unexpected form, and changes nothing:', () => {
    const about = (object: unknown) => ({ data: { object } })
    const wrong: [string, string | object | null][] = [
      ['no JSON', '{'],
      ['null', null],
      ['a list', []],
      ['no id', { id: undefined }],
      ['an empty id', { id: '' }],
      ['an id with NUL', { id: 'evt_\0' }],
      ['an id with half a character', { id: 'evt_\ud800' }],
      ['a long id', { id: `evt_${'0123456789abcdef'.repeat(1000)}` }],
      ['a number as its type', { type: 5 }],
      ['a type with NUL', { type: 'a\0' }],
      ['no data', { data: null }],
      ['data about nothing', about(null)],
      ['a session without an id', about({ object: 'checkout.session' })],
      ['a session whose id has NUL', about({ object: 'checkout.session', id: 'cs_\0' })],
      ['a refund of no payment', { type: 'charge.refunded', ...about({ object: 'charge' }) }],
      ['a refund of a number', { type: 'charge.refunded', ...about({ object: 'charge', payment_intent: 5 }) }],
      ['a dispute about a payment without an id', { type: 'charge.dispute.created', ...about({ object: 'dispute', payment_intent: {} }) }],
    ]
    it.each(wrong)('%s', async (_what, change) => {
      const right = {
        id: 'evt_form',
        object: 'event',
        type: 'checkout.session.completed',
        ...about({ object: 'checkout.session', id: 'cs_1' }),
      }
      const isWhole = typeof change === 'string' || change === null || Array.isArray(change)
      const body = typeof change === 'string' ? change : JSON.stringify(isWhole ? change : { ...right, ...change })
      const before = await everything(shop)
      expect(await post(body, sign(body))).toEqual({ status: 400, code: 'INVALID_INPUT' })
      expect(await everything(shop)).toEqual(before)
    })
  })

  it('accepts events about what we do not sell, and refunds of no payment of ours', async () => {
    const data = (object: object) => JSON.stringify({ id: 'evt_foreign', type: 'charge.refunded', data: { object } })
    for (const payload of [data({ object: 'invoice', payment_intent: 5 }), data({}), data({ object: 'charge', payment_intent: null })])
      expect(await send(payload.replace('evt_foreign', `evt_foreign_${payload.length}`))).toBe(200)
  })

  it('accepts a signature 299 s old', async () => {
    const { sessionId, payload } = await paid()
    expect((await post(payload, sign(payload, 299))).status).toBe(200)
    expect((await stored(shop, sessionId)).granted).toHaveLength(1)
  })

  it('fulfils once if the same event arrives fifty times', async () => {
    const { sessionId, payload } = await paid()
    const statuses = await Promise.all(Array.from({ length: 50 }, () => send(payload)))
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect((await stored(shop, sessionId)).granted).toHaveLength(1)
    const { id } = JSON.parse(payload) as { id: string }
    expect(await shop.running.deps.db.select().from(providerEvents).where(eq(providerEvents.id, id))).toHaveLength(1)
  })

  it('and the return page fulfil once, in whatever order', async () => {
    const buyers = await Promise.all(Array.from({ length: 12 }, () => shop.signIn()))
    const bought = await Promise.all(buyers.map(async (buyer) => ({ buyer, ...(await paid(buyer)) })))
    await Promise.all(
      bought.flatMap(({ buyer, sessionId, payload }, index) => {
        const page = () => complete(buyer, sessionId)
        const event = () => send(payload)
        return (index % 2 === 0 ? [page, event, page, event] : [event, page, event, page]).map((step) => step())
      }),
    )
    for (const { buyer, sessionId } of bought) {
      const { granted } = await stored(shop, sessionId)
      expect(granted).toHaveLength(1)
      expect((await complete(buyer, sessionId)).body).toEqual({ status: 'complete', assessmentInstanceId: granted[0]?.id })
    }
  })

  it('may arrive late, twice and out of order', async () => {
    during(shop, { copies: 2 })
    const buyers = await Promise.all(Array.from({ length: 4 }, () => shop.signIn()))
    const bought = []
    for (const buyer of buyers) bought.push({ buyer, ...(await paid(buyer)) })
    const [early] = bought
    if (early) await complete(early.buyer, early.sessionId)
    shop.control({ action: 'release', order: 'reversed' })
    await shop.sandbox.delivery.settled()
    for (const { sessionId } of bought) {
      expect((await stored(shop, sessionId)).granted).toHaveLength(1)
      expect(shop.sandbox.store.find(sessionId)?.deliveries).toMatchObject([{ state: 'delivered', attempts: 2 }])
    }
  })

  it('trusts the provider, not the event: an expiry event after the payment takes nothing back', async () => {
    const { sessionId, payload } = await paid()
    await send(payload)
    const late = payload.replace('checkout.session.completed', 'checkout.session.expired').replace(/"evt_\w+"/, '"evt_late"')
    expect(await send(late)).toBe(200)
    expect(await stored(shop, sessionId)).toMatchObject({ order: { status: 'fulfilled' }, granted: [{}] })
    const other = await checkout(await shop.signIn())
    expect(await send(payload.replaceAll(sessionId, other.sessionId).replace(/"evt_\w+"/, '"evt_early"'))).toBe(200)
    expect(await stored(shop, other.sessionId)).toMatchObject({ order: { status: 'open' }, granted: [] })
  })

  it('records an expiry', async () => {
    const buyer = await shop.signIn()
    const { sessionId } = await checkout(buyer)
    await sdkFor(shop.sandbox).checkout.sessions.expire(sessionId)
    await send(payloadsOf(shop, sessionId)[0] ?? '')
    expect((await stored(shop, sessionId)).order?.status).toBe('expired')
  })

  it('waits for a delayed payment, and records if it fails', async () => {
    during(shop, { settlement: 'later' })
    const buyer = await shop.signIn()
    const [good, bad] = [(await checkout(buyer)).sessionId, (await checkout(buyer, REGULAR)).sessionId]
    for (const sessionId of [good, bad]) {
      shop.pay(sessionId)
      expect(await send(payloadsOf(shop, sessionId)[0] ?? '')).toBe(200)
      expect(await stored(shop, sessionId)).toMatchObject({ order: { status: 'paid' }, granted: [] })
    }
    shop.control({ action: 'settle', sessionId: good, outcome: 'succeeded' })
    shop.control({ action: 'settle', sessionId: bad, outcome: 'failed' })
    await send(payloadsOf(shop, good)[1] ?? '')
    await send(payloadsOf(shop, bad)[1] ?? '')
    expect(await stored(shop, good)).toMatchObject({ order: { status: 'fulfilled' }, granted: [{}] })
    expect(await stored(shop, bad)).toMatchObject({ order: { status: 'failed' }, granted: [] })
  })

  it('accepts unknown events, which change no order and no instance', async () => {
    const { payload } = await paid()
    const before = await everything(shop)
    expect(await send(payload.replace('checkout.session.completed', 'invoice.paid').replace(/"evt_\w+"/, '"evt_unknown"'))).toBe(200)
    expect(await send(payload.replace(/"cs_test_\w+"/g, '"cs_test_other"').replace(/"evt_\w+"/, '"evt_foreign"'))).toBe(200)
    const after = await everything(shop)
    expect([after.orders, after.instances]).toEqual([before.orders, before.instances])
  })

  it('is refused while the provider is down, and accepted when repeated', async () => {
    const { sessionId, payload } = await paid()
    during(shop, { outage: 'errors' })
    expect(await send(payload)).toBe(503)
    shop.control({ action: 'behave', outage: 'none' })
    expect((await stored(shop, sessionId)).granted).toEqual([])
    expect(await send(payload)).toBe(200)
    expect((await stored(shop, sessionId)).granted).toHaveLength(1)
  })

  it('finds the order even if a crash left it without its session id', async () => {
    const { sessionId, payload } = await paid(await shop.signIn())
    const { order } = await stored(shop, sessionId)
    const { db } = shop.running.deps
    await db
      .update(orders)
      .set({ checkoutSessionId: null })
      .where(eq(orders.id, order?.id ?? ''))
    expect(await send(payload)).toBe(200)
    expect(await stored(shop, sessionId)).toMatchObject({ order: { id: order?.id, status: 'fulfilled' }, granted: [{}] })
  })
})
