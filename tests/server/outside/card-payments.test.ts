import { describe, expect, it } from 'vitest'
import type { CardSandbox } from '#sandbox/card-provider/card-sandbox.ts'
import { control } from '#sandbox/card-provider/control.ts'
import { cardPayments, CardPaymentsError, type SessionRequest } from '#server/outside/card-payments.ts'
import { movableClock } from '#tests/support/person.ts'
import { GOOD_CARD, sandboxFor, sdkFor, temporaryFolder } from '#tests/sandbox/support.ts'

const REQUEST: SessionRequest = {
  idempotencyKey: 'order-1',
  orderId: '1',
  userId: 'player',
  priceId: 'price_regular',
  quantity: 2,
  coupon: null,
  returnUrl: 'http://localhost:3000/return?session_id={CHECKOUT_SESSION_ID}',
  description: 'Assessment: Profile',
  language: 'en',
}

const keysOf = ({ keys: { webhookSecret, ...keys } }: CardSandbox) => ({ ...keys, webhookSecrets: [webhookSecret] })

async function start(timeoutMs?: number) {
  const clock = movableClock()
  const sandbox = await sandboxFor({ dataDir: await temporaryFolder(), clock })
  const address = { host: sandbox.host, port: sandbox.port, script: '/dev/stripe.js' }
  const cards = cardPayments({ ...keysOf(sandbox), sandbox: address, ...(timeoutMs === undefined ? {} : { timeoutMs }) })
  return { clock, sandbox, cards }
}

describe('the card provider client', () => {
  it('opens a session, and gets the same session for a repeated request', async () => {
    const { cards, sandbox } = await start()
    const session = await cards.openSession(REQUEST)
    expect(session).toMatchObject({ status: 'open', isPaid: false, orderId: '1', amountTotal: 9800, currency: 'USD' })
    expect(await cards.openSession(REQUEST)).toEqual(session)
    expect(sandbox.store.find(session.id)?.session.locale).toBe('en')
    expect((await cards.openSession({ ...REQUEST, language: 'fr' })).id).not.toBe(session.id)
  })

  it('offers only cards, whatever is switched on in the provider’s settings', async () => {
    const { cards, sandbox } = await start()
    const { id } = await cards.openSession(REQUEST)
    expect(sandbox.store.find(id)?.session.payment_method_types).toEqual(['card'])
  })

  it('reports a session as paid only once the payment has settled', async () => {
    const { cards, sandbox } = await start()
    control(sandbox, { action: 'behave', settlement: 'later' })
    const { id } = await cards.openSession(REQUEST)
    const record = sandbox.sessions.find(id)
    if (record) sandbox.sessions.pay(record, GOOD_CARD)
    expect(await cards.findSession(id)).toMatchObject({ status: 'complete', isPaid: false })
    control(sandbox, { action: 'settle', sessionId: id, outcome: 'succeeded' })
    expect(await cards.findSession(id)).toMatchObject({ status: 'complete', isPaid: true })
  })

  it('finds an expired session as expired, and no unknown session', async () => {
    const { cards } = await start()
    const { id } = await cards.openSession(REQUEST)
    await cards.expireSession(id)
    // expiring an expired session must not fail
    await cards.expireSession(id)
    expect(await cards.findSession(id)).toMatchObject({ status: 'expired', clientSecret: null })
    expect(await cards.findSession('cs_test_none')).toBeNull()
  })

  it('throws a CardPaymentsError for a refusal, an error, a timeout and a closed connection', async () => {
    const { cards, sandbox } = await start(50)
    await expect(cards.openSession({ ...REQUEST, priceId: 'none' })).rejects.toBeInstanceOf(CardPaymentsError)
    for (const outage of ['errors', 'silence'] as const) {
      control(sandbox, { action: 'behave', outage })
      await expect(cards.openSession(REQUEST)).rejects.toBeInstanceOf(CardPaymentsError)
      await expect(cards.findSession('cs_test_none')).rejects.toBeInstanceOf(CardPaymentsError)
    }
    await sandbox.close()
    await expect(cards.openSession(REQUEST)).rejects.toBeInstanceOf(CardPaymentsError)
  })

  it('reads the session of a payment and its amount refunded or disputed', async () => {
    const { cards, sandbox, clock } = await start()
    const { id } = await cards.openSession(REQUEST)
    const record = sandbox.sessions.find(id)
    if (!record) throw new Error('no session')
    sandbox.sessions.pay(record, GOOD_CARD)
    const payment = typeof record.session.payment_intent === 'string' ? record.session.payment_intent : ''
    expect(await cards.findSessionOfPayment(payment)).toBe(id)
    expect(await cards.findSessionOfPayment('pi_foreign')).toBeNull()
    const amounts = [await cards.readRefunded(payment)]
    for (const step of [
      () => sandbox.sessions.refund(record, 800),
      () => sandbox.sessions.dispute(record, 'withdrawn'),
      () => sandbox.sessions.dispute(record, 'reinstated'),
    ]) {
      expect(step()).toBe(true)
      amounts.push(await cards.readRefunded(payment))
    }
    expect(amounts).toEqual([0, 800, 9800, 800])
    await expect(cards.readRefunded('pi_foreign')).rejects.toBeInstanceOf(CardPaymentsError)
    const events = record.deliveries.map(({ payload }) => {
      const timestamp = Math.floor(clock.now().getTime() / 1000)
      const signature = sdkFor(sandbox).webhooks.generateTestHeaderString({ payload, secret: sandbox.keys.webhookSecret, timestamp })
      return cards.readEvent(Buffer.from(payload), signature, clock.now())
    })
    expect(events.map((event) => [event?.sessionId, event?.paymentId])).toEqual([
      [id, null],
      [null, payment],
      [null, payment],
      [null, payment],
    ])
  })

  it('accepts an event only if its bytes match the signature and it is at most 5 minutes old', async () => {
    const { cards, sandbox, clock } = await start()
    const payload = JSON.stringify({
      id: 'evt_1',
      object: 'event',
      type: 'invoice.paid',
      data: { object: { object: 'invoice', id: 'in_1' } },
    })
    const timestamp = Math.floor(clock.now().getTime() / 1000)
    const signature = sdkFor(sandbox).webhooks.generateTestHeaderString({ payload, secret: sandbox.keys.webhookSecret, timestamp })
    const read = (body: string, header = signature) => cards.readEvent(Buffer.from(body), header, clock.now())
    expect(read(payload)).toEqual({ id: 'evt_1', type: 'invoice.paid', sessionId: null, paymentId: null, secretPlace: 0 })
    expect(read(`${payload}\n`)).toBeNull()
    expect(read(payload, '')).toBeNull()
    clock.forward(300)
    expect(read(payload)).not.toBeNull()
    clock.forward(1)
    expect(read(payload)).toBeNull()
  })
})
