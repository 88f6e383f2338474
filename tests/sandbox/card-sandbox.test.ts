import { describe, expect, it } from 'vitest'
import Stripe from 'stripe'
import { control } from '#sandbox/card-provider/control.ts'
import type { CardSandbox } from '#sandbox/card-provider/card-sandbox.ts'
import { movableClock } from '#tests/support/person.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { GOOD_CARD, listenForEvents, NEW_SESSION, sandboxFor, sdkFor, temporaryFolder } from './support.ts'

async function start() {
  const dataDir = await temporaryFolder()
  const webhook = await listenForEvents()
  const clock = movableClock()
  const sandbox = await sandboxFor({ dataDir, clock, webhookUrl: webhook.url })
  return { dataDir, webhook, clock, sandbox, sdk: sdkFor(sandbox) }
}

function pay(sandbox: CardSandbox, id: string) {
  const record = sandbox.sessions.find(id)
  if (!record) throw new Error('no such session')
  return sandbox.sessions.pay(record, GOOD_CARD)
}

describe('a checkout session', () => {
  it('is created with the SDK’s parameters, and found with its line items', async () => {
    const { sdk } = await start()
    const made = await sdk.checkout.sessions.create({
      ...NEW_SESSION,
      line_items: [{ price: 'price_regular', quantity: 3 }],
      discounts: [{ coupon: 'bulk20' }],
      metadata: { orderId: 'a', note: 'é & =' },
      client_reference_id: 'player',
      locale: 'fr',
      expand: ['line_items'],
    })
    expect(made).toMatchObject({
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      amount_subtotal: 14_700,
      amount_total: 11_760,
      currency: 'usd',
      metadata: { orderId: 'a', note: 'é & =' },
      client_reference_id: 'player',
      locale: 'fr',
      ui_mode: 'embedded_page',
      url: null,
      livemode: false,
    })
    expect(made.client_secret).toMatch(/^cs_test_\w+_secret_\w+$/)
    const found = await sdk.checkout.sessions.retrieve(made.id, { expand: ['line_items'] })
    expect(found.client_secret).toBe(made.client_secret)
    expect(found.line_items?.data[0]).toMatchObject({
      quantity: 3,
      amount_total: 11_760,
      price: { id: 'price_regular', unit_amount: 4900 },
    })
    expect((await sdk.checkout.sessions.listLineItems(made.id)).data).toHaveLength(1)
  })

  it('with an unknown id is not found', async () => {
    const { sdk } = await start()
    await expect(sdk.checkout.sessions.retrieve('cs_test_nobody')).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
      code: 'resource_missing',
      statusCode: 404,
    })
  })

  it('can be expired, unless it is paid', async () => {
    const { sdk, sandbox, webhook } = await start()
    const one = await sdk.checkout.sessions.create(NEW_SESSION)
    const other = await sdk.checkout.sessions.create(NEW_SESSION)
    expect(await sdk.checkout.sessions.expire(one.id)).toMatchObject({ status: 'expired', client_secret: null })
    pay(sandbox, other.id)
    await expect(sdk.checkout.sessions.expire(other.id)).rejects.toBeInstanceOf(Stripe.errors.StripeInvalidRequestError)
    await waitFor(() => webhook.received.length === 2)
    expect(webhook.received.map(({ event }) => event.type)).toEqual(['checkout.session.expired', 'checkout.session.completed'])
  })

  it('expires after a day', async () => {
    const { sdk, sandbox, clock } = await start()
    const made = await sdk.checkout.sessions.create(NEW_SESSION)
    clock.forward(86_401)
    expect(await sdk.checkout.sessions.retrieve(made.id)).toMatchObject({ status: 'expired' })
    expect(pay(sandbox, made.id)).toEqual({ status: 'closed' })
  })
})

describe('an idempotency key', () => {
  it('returns the same session again, and refuses other parameters', async () => {
    const { sdk, sandbox } = await start()
    const first = await sdk.checkout.sessions.create(NEW_SESSION, { idempotencyKey: 'order-1' })
    const again = await sdk.checkout.sessions.create(NEW_SESSION, { idempotencyKey: 'order-1' })
    expect(again.id).toBe(first.id)
    const other = sdk.checkout.sessions.create({ ...NEW_SESSION, client_reference_id: 'b' }, { idempotencyKey: 'order-1' })
    await expect(other).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError)
    expect(sandbox.store.all()).toHaveLength(1)
  })

  it('makes one session of many simultaneous requests', async () => {
    const { sdk } = await start()
    const made = await Promise.all(Array.from({ length: 20 }, () => sdk.checkout.sessions.create(NEW_SESSION, { idempotencyKey: 'k' })))
    expect(new Set(made.map((session) => session.id)).size).toBe(1)
  })

  it('still returns its session after a restart', async () => {
    const { sdk, dataDir, sandbox } = await start()
    const first = await sdk.checkout.sessions.create(NEW_SESSION, { idempotencyKey: 'order-1' })
    await sandbox.close()
    const later = await sandboxFor({ dataDir })
    expect((await sdkFor(later).checkout.sessions.create(NEW_SESSION, { idempotencyKey: 'order-1' })).id).toBe(first.id)
  })
})

describe('the provider refuses', () => {
  const wrong: [string, object, object][] = [
    ['an old ui_mode', { ui_mode: 'embedded' }, { param: 'ui_mode' }],
    ['an unknown way to pay', { allowed_payment_method_types: ['cash'] }, { param: 'allowed_payment_method_types' }],
    ['no mode', { mode: undefined }, { param: 'mode', code: 'parameter_missing' }],
    ['no line items', { line_items: undefined }, { param: 'line_items', code: 'parameter_missing' }],
    ['an unknown price', { line_items: [{ price: 'free', quantity: 1 }] }, { param: 'line_items[0][price]', code: 'resource_missing' }],
    ['no quantity', { line_items: [{ price: 'price_regular' }] }, { param: 'line_items[0][quantity]', code: 'parameter_missing' }],
    ['a quantity that is not whole', { line_items: [{ price: 'price_regular', quantity: 1.5 }] }, { code: 'parameter_invalid_integer' }],
    ['a price of the caller’s own', { line_items: [{ price_data: { unit_amount: 1 }, quantity: 1 }] }, { code: 'parameter_unknown' }],
    ['an unknown coupon', { discounts: [{ coupon: 'all' }] }, { code: 'resource_missing' }],
    ['no return address', { return_url: undefined }, { param: 'return_url', code: 'parameter_missing' }],
    ['a return address that is not http(s)', { return_url: 'javascript:alert(1)' }, { param: 'return_url', code: 'url_invalid' }],
    ['no text where one is announced', { custom_text: { submit: { message: '' } } }, { param: 'custom_text[submit][message]' }],
    ['a text that is too long', { custom_text: { submit: { message: 'x'.repeat(1201) } } }, { param: 'custom_text[submit][message]' }],
    ['a text elsewhere', { custom_text: { after_submit: { message: 'x' } } }, { code: 'parameter_unknown' }],
    ['an amount', { amount_total: 1 }, { param: 'amount_total', code: 'parameter_unknown' }],
    ['an expiry in one minute', { expires_at: Math.floor(Date.now() / 1000) + 60 }, { param: 'expires_at' }],
  ]
  it.each(wrong)('%s', async (_name, change, refusal) => {
    const { sdk, sandbox } = await start()
    const asked = sdk.checkout.sessions.create({ ...NEW_SESSION, ...change })
    await expect(asked).rejects.toMatchObject({ type: 'StripeInvalidRequestError', statusCode: 400, ...refusal })
    expect(sandbox.store.all()).toEqual([])
  })

  it('another secret key', async () => {
    const { sandbox } = await start()
    const asked = sdkFor(sandbox, 'sk_test_other').checkout.sessions.create(NEW_SESSION)
    await expect(asked).rejects.toBeInstanceOf(Stripe.errors.StripeAuthenticationError)
  })

  it('an unknown path', async () => {
    const { sdk } = await start()
    await expect(sdk.balance.retrieve()).rejects.toMatchObject({ statusCode: 404 })
  })
})

it('the price list is shown, and each price by its id', async () => {
  const { sdk } = await start()
  expect((await sdk.prices.list()).data.map(({ id, nickname }) => [id, nickname])).toEqual([
    ['price_regular', null],
    ['price_promotion', 'launch'],
  ])
  expect(await sdk.prices.retrieve('price_regular')).toMatchObject({ unit_amount: 4900, currency: 'usd' })
  await expect(sdk.prices.retrieve('price_none')).rejects.toMatchObject({ code: 'resource_missing', statusCode: 404 })
})

describe('an outage', () => {
  it('replies with errors, or not at all, until it ends', async () => {
    const { sdk, sandbox } = await start()
    control(sandbox, { action: 'behave', outage: 'errors' })
    await expect(sdk.checkout.sessions.create(NEW_SESSION)).rejects.toBeInstanceOf(Stripe.errors.StripeAPIError)
    control(sandbox, { action: 'behave', outage: 'silence' })
    await expect(sdk.checkout.sessions.create(NEW_SESSION, { timeout: 50 })).rejects.toBeInstanceOf(Stripe.errors.StripeConnectionError)
    control(sandbox, { action: 'behave', outage: 'none' })
    expect(await sdk.checkout.sessions.create(NEW_SESSION)).toMatchObject({ status: 'open' })
  })
})

describe('an event', () => {
  it('has a signature that the SDK accepts only for exactly its bytes', async () => {
    const { sdk, sandbox, webhook, clock } = await start()
    const made = await sdk.checkout.sessions.create(NEW_SESSION)
    pay(sandbox, made.id)
    await waitFor(() => webhook.received.length === 1)
    const [{ body, signature } = { body: Buffer.alloc(0), signature: '' }] = webhook.received
    const secret = sandbox.keys.webhookSecret
    const read = (bytes: Buffer | string) => sdk.webhooks.constructEvent(bytes, signature, secret, 300, undefined, clock.now().getTime())
    const event = read(body)
    expect(event).toMatchObject({ type: 'checkout.session.completed', data: { object: { id: made.id, payment_status: 'paid' } } })
    const again = JSON.stringify(JSON.parse(body.toString()))
    expect(() => read(again)).toThrow(Stripe.errors.StripeSignatureVerificationError)
  })

  it('is sent again until it is accepted', async () => {
    const { sdk, sandbox, webhook } = await start()
    webhook.answerWith(500, 404, 302)
    pay(sandbox, (await sdk.checkout.sessions.create(NEW_SESSION)).id)
    await waitFor(() => sandbox.store.all()[0]?.deliveries[0]?.state === 'delivered')
    expect(new Set(webhook.received.map(({ event }) => event.id)).size).toBe(1)
    expect(webhook.received).toHaveLength(4)
  })

  it('is sent twice, late, out of order or not at all, as set', async () => {
    const { sdk, sandbox, webhook } = await start()
    control(sandbox, { action: 'behave', delivery: 'held', copies: 2 })
    const first = await sdk.checkout.sessions.create(NEW_SESSION)
    const second = await sdk.checkout.sessions.create(NEW_SESSION)
    pay(sandbox, first.id)
    pay(sandbox, second.id)
    control(sandbox, { action: 'behave', delivery: 'suppressed' })
    pay(sandbox, (await sdk.checkout.sessions.create(NEW_SESSION)).id)
    await sandbox.delivery.settled()
    expect(webhook.received).toEqual([])
    control(sandbox, { action: 'release', order: 'reversed' })
    await sandbox.delivery.settled()
    const order = webhook.received.map(({ event }) => (event.data.object as Stripe.Checkout.Session).id)
    expect(order).toEqual([second.id, second.id, first.id, first.id])
  })

  it('reports whether a payment that settles later succeeded', async () => {
    const { sdk, sandbox, webhook } = await start()
    control(sandbox, { action: 'behave', settlement: 'later' })
    const [one, other] = [await sdk.checkout.sessions.create(NEW_SESSION), await sdk.checkout.sessions.create(NEW_SESSION)]
    pay(sandbox, one.id)
    pay(sandbox, other.id)
    expect(await sdk.checkout.sessions.retrieve(one.id)).toMatchObject({ status: 'complete', payment_status: 'unpaid' })
    expect(control(sandbox, { action: 'settle', sessionId: one.id, outcome: 'succeeded' })).toBe(true)
    expect(control(sandbox, { action: 'settle', sessionId: one.id, outcome: 'failed' })).toBe(false)
    expect(control(sandbox, { action: 'settle', sessionId: other.id, outcome: 'failed' })).toBe(true)
    await waitFor(() => webhook.received.length === 4)
    expect(webhook.received.slice(2).map(({ event }) => event.type)).toEqual([
      'checkout.session.async_payment_succeeded',
      'checkout.session.async_payment_failed',
    ])
    expect(await sdk.checkout.sessions.retrieve(one.id)).toMatchObject({ payment_status: 'paid' })
    expect(await sdk.checkout.sessions.retrieve(other.id)).toMatchObject({ payment_status: 'unpaid' })
  })

  it('is delivered after a restart of the sandbox', async () => {
    const { dataDir, sdk, sandbox, webhook } = await start()
    webhook.answerWith(...Array.from({ length: 1000 }, () => 503))
    const made = await sdk.checkout.sessions.create(NEW_SESSION)
    pay(sandbox, made.id)
    await sandbox.close()
    expect(sandbox.store.find(made.id)?.deliveries[0]?.state).toBe('waiting')
    webhook.answerWith(200)
    const later = await sandboxFor({ dataDir, webhookUrl: webhook.url })
    await waitFor(() => later.store.find(made.id)?.deliveries[0]?.state === 'delivered')
    expect(later.keys).toEqual(sandbox.keys)
    expect(await sdkFor(later).checkout.sessions.retrieve(made.id)).toMatchObject({ status: 'complete', payment_status: 'paid' })
  })
})
