import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '#contract/api.ts'
import type { Refusal } from '#contract/errors.ts'
import { CardPaymentsError } from '#server/outside/card-payments.ts'
import { openCheckout } from '#server/payments/orders.ts'
import { hashOfAllRows } from '#tests/support/every-row.ts'
import { engines } from '#tests/support/databases.ts'
import { sdkFor } from '#tests/sandbox/support.ts'
import { checkout, during, openShop, payloadsOf, REGULAR, sendEvent, stored, type Shop } from '../payments/support.ts'
import { buyTokens, completeTokens, countsOf, listOf, newCoach, openTokens, TOKEN, UNIT } from './support.ts'

describe.each(engines)('buying tokens (%s)', (database) => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop(database)
  })
  afterAll(() => shop.close())

  it('shows the price and the bulk discount', async () => {
    const { body } = await (await newCoach(shop.running)).calls(api.tokens.pricing)
    expect(body).toEqual({
      priceIds: [TOKEN],
      prices: [{ id: TOKEN, unitAmount: UNIT, currency: 'USD' }],
      promotions: [{ condition: 'BULK_BUY', promotionType: 'PERCENT_OFF', conditionValue: 12, promotionValue: 20 }],
    })
  })

  it.each([
    [1, UNIT],
    [11, 11 * UNIT],
    [12, (12 * UNIT * 8) / 10],
    [100, (100 * UNIT * 8) / 10],
  ])('charges the server’s own price for %i', async (quantity, amount) => {
    const coach = await newCoach(shop.running)
    const sessionId = await openTokens(coach, quantity)
    const session = await sdkFor(shop.sandbox).checkout.sessions.retrieve(sessionId, { expand: ['line_items'] })
    expect(session).toMatchObject({ amount_total: amount, currency: 'usd', status: 'open' })
    expect(session.line_items?.data).toMatchObject([{ quantity, price: { id: TOKEN } }])
    expect(session.return_url).toBe(`${shop.running.deps.env.publicUrl}/stripe/token-purchase/return?session_id={CHECKOUT_SESSION_ID}`)
    expect((await stored(shop, sessionId)).order).toMatchObject({ kind: 'tokens', quantity, unitAmount: UNIT, amountTotal: amount })
  })

  it('has one open session per quantity', async () => {
    const coach = await newCoach(shop.running)
    const first = await openTokens(coach, 12)
    expect(await openTokens(coach, 12)).toBe(first)
    expect(await openTokens(coach, 11)).not.toBe(first)
  })

  it.each(['0', '101', '1.5', '-1', '1e2', '01', '+1', '１', 'NaN', '999999999999999999999'])(
    'INPUT-51: refuses a quantity of %s',
    async (quantity) => {
      const coach = await newCoach(shop.running)
      const before = await hashOfAllRows(shop.running)
      const { status, body } = await coach.calls<Refusal>(api.tokens.checkout, { priceId: TOKEN, quantity })
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_QUANTITY' })
      expect(await hashOfAllRows(shop.running)).toEqual(before)
    },
  )

  it('refuses an assessment’s price for tokens, and a token’s price for an assessment', async () => {
    const coach = await newCoach(shop.running)
    for (const priceId of [REGULAR, 'price_nobodys', `${TOKEN} `]) {
      expect((await coach.calls<Refusal>(api.tokens.checkout, { priceId, quantity: '1' })).body.code).toBe('INVALID_PRICE')
    }
    const player = await shop.signIn()
    expect((await player<Refusal>(api.assessments.checkout, { priceId: TOKEN })).body.code).toBe('INVALID_PRICE')
  })

  it('refuses to sell if the provider’s discount is missing or too large', async () => {
    const { userId } = await newCoach(shop.running)
    const buyer = { userId, language: 'en', returnPath: '/return?session_id={CHECKOUT_SESSION_ID}' } as const
    const quote = { kind: 'tokens', assessmentId: null, priceId: TOKEN, quantity: 12, unitAmount: UNIT, currency: 'USD' } as const
    const { coupon } = shop.running.deps.env.tokenPromotion
    for (const wrong of [
      { amountTotal: 33_600, coupon: null },
      { amountTotal: 42_000, coupon },
    ]) {
      await expect(openCheckout(shop.running.deps, buyer, { ...quote, ...wrong })).rejects.toBeInstanceOf(CardPaymentsError)
      expect(shop.sandbox.store.all().at(-1)?.session.status).toBe('expired')
    }
  })

  it('grants the tokens once they are paid for, and returns the status', async () => {
    const coach = await newCoach(shop.running)
    expect(countsOf(await listOf(coach))).toEqual({ total: 0, used: 0, available: 0 })
    const sessionId = await openTokens(coach, 12)
    expect((await completeTokens(coach, sessionId)).body).toEqual({ status: 'open' })
    shop.pay(sessionId)
    expect((await completeTokens(coach, sessionId)).body).toEqual({ status: 'complete' })
    expect((await completeTokens(coach, sessionId)).body).toEqual({ status: 'complete' })
    expect(countsOf(await listOf(coach))).toEqual({ total: 12, used: 0, available: 12 })
  })

  it('grants nothing while unpaid', async () => {
    during(shop, { settlement: 'later' })
    const coach = await newCoach(shop.running)
    const sessionId = await openTokens(coach, 2)
    shop.pay(sessionId)
    expect(await completeTokens(coach, sessionId)).toMatchObject({ status: 409, body: { code: 'PAYMENT_NOT_COMPLETE' } })
    expect((await listOf(coach)).total).toBe(0)
  })

  it('grants the tokens of each order once, however often webhook and return page call', async () => {
    const coach = await newCoach(shop.running)
    const sessionIds = await Promise.all(Array.from({ length: 8 }, (_, index) => openTokens(coach, index + 1)))
    sessionIds.forEach((sessionId) => shop.pay(sessionId))
    await Promise.all(
      sessionIds.flatMap((sessionId) => {
        const payload = payloadsOf(shop, sessionId)[0] ?? ''
        const event = () => sendEvent(shop, payload)
        const page = async () => (await completeTokens(coach, sessionId)).status
        return [page, event, page, event, page].map(async (step) => expect(await step()).toBe(200))
      }),
    )
    expect(countsOf(await listOf(coach))).toEqual({ total: 36, used: 0, available: 36 })
    const ledger = await shop.running.rows('token_ledger')
    expect(ledger.filter((row) => row['coach_id'] === coach.userId)).toHaveLength(8)
  })

  it('refuses the session of another user, of an assessment, and an unknown one', async () => {
    const [coach, other] = [await newCoach(shop.running), await newCoach(shop.running)]
    const sessionId = await buyTokens(shop, coach, 1)
    const own = await checkout(await shop.signIn())
    for (const id of [sessionId, own.sessionId, 'cs_test_nobodys', '../../x']) {
      expect(await completeTokens(other, id)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    }
    expect((await listOf(other)).total).toBe(0)
  })

  it('is refused while the provider is down', async () => {
    const coach = await newCoach(shop.running)
    const sessionId = await openTokens(coach, 1)
    during(shop, { outage: 'errors' })
    const { status, body } = await coach.calls<Refusal>(api.tokens.checkout, { priceId: TOKEN, quantity: '5' })
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'PAYMENTS_UNAVAILABLE' })
    expect(await completeTokens(coach, sessionId)).toMatchObject({ status: 503, body: { code: 'PAYMENTS_UNAVAILABLE' } })
  })
})
