import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '#contract/api.ts'
import { currentVersionOf } from '#server/content/content.ts'
import type { CheckoutSession } from '#server/outside/card-payments.ts'
import { openCheckout, type Buyer } from '#server/payments/orders.ts'
import type { Quote } from '#server/payments/store.ts'
import { findAssessmentOfPrice } from '#server/payments/store.ts'
import { sdkFor } from '#tests/sandbox/support.ts'
import { checkout, complete, during, LAUNCH, openShop, REGULAR, stored, type Opened, type Shop } from './support.ts'

describe('buying an assessment', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop()
  })
  afterAll(() => shop.close())

  describe('checkout', () => {
    it('opens a session at the server’s own price', async () => {
      const player = await shop.signIn()
      const { status, body } = await player<Opened & { url: null }>(api.assessments.checkout, { priceId: LAUNCH })
      expect(status).toBe(200)
      expect(body).toEqual({ url: null, clientSecret: expect.stringMatching(/^cs_test_\w+_secret_/), sessionId: expect.any(String) })
      const session = await sdkFor(shop.sandbox).checkout.sessions.retrieve(body.sessionId, { expand: ['line_items'] })
      expect(session).toMatchObject({ amount_total: 3900, currency: 'usd', status: 'open' })
      expect(session.line_items?.data).toMatchObject([{ quantity: 1, price: { id: LAUNCH } }])
      expect(session.return_url).toBe(`${shop.running.deps.env.publicUrl}/stripe/direct-purchase/return?session_id={CHECKOUT_SESSION_ID}`)
      const { order, granted } = await stored(shop, body.sessionId)
      expect(order).toMatchObject({ status: 'open', kind: 'assessment', priceId: LAUNCH, quantity: 1, unitAmount: 3900, currency: 'USD' })
      expect(session.metadata).toEqual({ orderId: order?.id })
      expect(granted).toEqual([])
    })

    it.each([
      ['en', 'Assessment: Touchline Profile¹', 'Assessment tokens: 3'],
      ['fr', 'Évaluation\u00a0: Profil Touchline¹', 'Jetons d’évaluation\u00a0: 3'],
    ])('says in the buyer’s language what is bought (%s)', async (language, ofAssessment, ofTokens) => {
      const said = async ({ body }: { body: Opened }) =>
        (await sdkFor(shop.sandbox).checkout.sessions.retrieve(body.sessionId)).custom_text.submit?.message
      const [player, coach] = [await shop.signIn(), await shop.signIn('coach')]
      expect(await said(await player<Opened>(api.assessments.checkout, { priceId: LAUNCH }, undefined, language))).toBe(ofAssessment)
      const wanted = { priceId: shop.running.deps.env.tokenPrice.id, quantity: '3' }
      expect(await said(await coach<Opened>(api.tokens.checkout, wanted, undefined, language))).toBe(ofTokens)
    })

    it('returns the open session again, and a new one for another price or user', async () => {
      const player = await shop.signIn()
      const first = await checkout(player)
      expect(await checkout(player)).toEqual(first)
      expect((await checkout(player, REGULAR)).sessionId).not.toBe(first.sessionId)
      expect((await checkout(await shop.signIn())).sessionId).not.toBe(first.sessionId)
    })

    it('opens one session for twenty concurrent calls', async () => {
      const player = await shop.signIn()
      const before = shop.sandbox.store.all().length
      const opened = await Promise.all(Array.from({ length: 20 }, () => checkout(player)))
      expect(new Set(opened.map(({ sessionId }) => sessionId)).size).toBe(1)
      expect(shop.sandbox.store.all()).toHaveLength(before + 1)
    })

    it('opens a new session once the old one has expired', async () => {
      const player = await shop.signIn()
      const first = await checkout(player)
      await sdkFor(shop.sandbox).checkout.sessions.expire(first.sessionId)
      const second = await checkout(player)
      expect(second.sessionId).not.toBe(first.sessionId)
      expect((await stored(shop, first.sessionId)).order?.status).toBe('expired')
    })

    it('grants a paid session that was not yet granted, before it opens a new one', async () => {
      const player = await shop.signIn()
      const first = await checkout(player)
      shop.pay(first.sessionId)
      const second = await checkout(player)
      expect(second.sessionId).not.toBe(first.sessionId)
      expect((await stored(shop, first.sessionId)).granted).toHaveLength(1)
    })

    it.each([
      { unitAmount: 1 },
      { quantity: 0 },
      { price: REGULAR, currency: 'EUR' },
      { discounts: [{ coupon: 'all' }] },
      { userId: 'somebody-else', metadata: { orderId: 'other' } },
    ])('does not let the client change price, quantity or buyer: %j', async (body) => {
      const player = await shop.signIn()
      const { status } = await player(api.assessments.checkout, { priceId: LAUNCH }, body)
      expect([200, 400]).toContain(status)
      const { sessionId } = await checkout(player)
      expect(shop.sandbox.store.find(sessionId)).toMatchObject({
        session: { amount_total: 3900, currency: 'usd', discounts: [] },
        lineItems: [{ quantity: 1, price: { id: LAUNCH } }],
      })
    })

    it('is for players only', async () => {
      const coach = await shop.signIn('coach')
      expect((await coach(api.assessments.checkout, { priceId: LAUNCH })).status).toBe(403)
      expect((await shop.guest(api.assessments.checkout, { priceId: LAUNCH })).status).toBe(401)
    })

    it('is refused while the provider is down, and opens one session once it is back', async () => {
      const player = await shop.signIn()
      const before = shop.sandbox.store.all().length
      during(shop, { outage: 'errors' })
      const down = await player(api.assessments.checkout, { priceId: LAUNCH })
      expect([down.status, down.body['code']]).toEqual([503, 'PAYMENTS_UNAVAILABLE'])
      expect(down.headers.get('retry-after')).toBe('30')
      shop.control({ action: 'behave', outage: 'none' })
      await checkout(player)
      await checkout(player)
      expect(shop.sandbox.store.all()).toHaveLength(before + 1)
    })

    it('does not fail for a day because the provider keeps a failure under the key of an order', async () => {
      const player = await shop.signIn()
      const before = shop.sandbox.store.failedKeys.size
      during(shop, { outage: 'errors' })
      expect((await player(api.assessments.checkout, { priceId: LAUNCH })).status).toBe(503)
      shop.control({ action: 'behave', outage: 'none' })
      const failed = shop.sandbox.store.failedKeys.size
      expect(failed).toBeGreaterThan(before)
      const again = await player<Opened>(api.assessments.checkout, { priceId: LAUNCH })
      expect(again.status).toBe(200)
      expect(await checkout(player)).toMatchObject({ sessionId: again.body.sessionId })
      // the provider was not asked under a key that it had failed
      expect(shop.sandbox.store.failedKeys.size).toBe(failed)
    })
  })

  describe('the session at the provider', () => {
    async function buyer(): Promise<{ buyer: Buyer; quote: Quote }> {
      const player = await shop.signIn()
      const { order } = await stored(shop, (await checkout(player, REGULAR)).sessionId)
      const priced = await findAssessmentOfPrice(shop.running.deps.db, LAUNCH)
      if (!order || !priced) throw new Error('no order, no price')
      const { id: priceId, unitAmount, currency } = priced.price
      return {
        buyer: { userId: order.userId, language: 'en', returnPath: '/return?session_id={CHECKOUT_SESSION_ID}' },
        quote: {
          kind: 'assessment',
          assessmentId: priced.assessmentId,
          priceId,
          quantity: 1,
          unitAmount,
          amountTotal: unitAmount,
          currency,
          coupon: null,
        },
      }
    }

    it('is found again after a crash between the provider’s reply and storing it', async () => {
      const { deps } = shop.running
      const { buyer: who, quote } = await buyer()
      let made = ''
      const dying = {
        ...deps.cards,
        openSession: async (...request: Parameters<typeof deps.cards.openSession>) => {
          made = (await deps.cards.openSession(...request)).id
          throw new Error('killed')
        },
      }
      await expect(openCheckout({ ...deps, cards: dying }, who, quote)).rejects.toThrow('killed')
      expect((await openCheckout(deps, who, quote)).id).toBe(made)
    })

    it('is the same for concurrent calls in two languages, and no other can be paid', async () => {
      const { deps } = shop.running
      const { buyer: who, quote } = await buyer()
      const before = new Set(shop.sandbox.store.all().map(({ session }) => session.id))
      const opened = await Promise.all([
        openCheckout(deps, who, quote),
        openCheckout(deps, { ...who, language: 'fr' }, quote),
        openCheckout(deps, who, quote),
      ])
      expect(new Set(opened.map(({ id }) => id)).size).toBe(1)
      const mine = shop.sandbox.store.all().filter(({ session }) => !before.has(session.id))
      expect(mine.filter(({ session }) => session.status === 'open')).toHaveLength(1)
    })

    it('is expired and never offered if its amount differs from the quote', async () => {
      const { deps } = shop.running
      const { buyer: who, quote } = await buyer()
      await expect(openCheckout(deps, who, { ...quote, amountTotal: 100 })).rejects.toThrow('card provider')
      expect(shop.sandbox.store.all().at(-1)?.session.status).toBe('expired')
    })

    it('whose amount differed is not what the provider repeats once its prices are right', async () => {
      const { deps } = shop.running
      const { buyer: who, quote } = await buyer()
      // as where the provider's price was wrong for a while: it keeps its first reply to a key
      const replies = new Map<string, CheckoutSession>()
      let isWrong = true
      const cards: typeof deps.cards = {
        ...deps.cards,
        openSession: async (request) => {
          const made = await deps.cards.openSession(request)
          const reply = replies.get(request.idempotencyKey) ?? { ...made, amountTotal: isWrong ? 1 : made.amountTotal }
          replies.set(request.idempotencyKey, reply)
          return reply
        },
      }
      await expect(openCheckout({ ...deps, cards }, who, quote)).rejects.toThrow('card provider')
      isWrong = false
      expect(await openCheckout({ ...deps, cards }, who, quote)).toMatchObject({ status: 'open', amountTotal: quote.amountTotal })
    })
  })

  describe('returning from the payment', () => {
    it('grants one instance with the current content, however often it is called', async () => {
      const player = await shop.signIn()
      const { sessionId } = await checkout(player)
      expect((await complete(player, sessionId)).body).toEqual({ status: 'open', assessmentInstanceId: null })
      shop.pay(sessionId)
      const replies = await Promise.all(Array.from({ length: 10 }, () => complete(player, sessionId)))
      const { order, granted } = await stored(shop, sessionId)
      expect(granted).toHaveLength(1)
      const [instance] = granted
      expect(instance).toMatchObject({
        status: 'OWNED',
        userId: order?.userId,
        assessmentId: order?.assessmentId,
        contentVersion: currentVersionOf(order?.assessmentId ?? ''),
        coachId: null,
        revision: 0,
      })
      expect(order?.status).toBe('fulfilled')
      for (const { status, body } of replies) {
        expect(status).toBe(200)
        expect(body).toEqual({ status: 'complete', assessmentInstanceId: instance?.id })
      }
      const mine = await player<{ data: { instanceId: string }[] }>(api.instances.list)
      expect(mine.body.data.map(({ instanceId }) => instanceId)).toEqual([instance?.id])
    })

    it('is refused for another user’s session', async () => {
      const player = await shop.signIn()
      const { sessionId } = await checkout(player)
      shop.pay(sessionId)
      const other = await complete(await shop.signIn(), sessionId)
      const unknown = await complete(await shop.signIn(), 'cs_test_unknown')
      expect([other.status, other.body.code]).toEqual([404, 'NOT_FOUND'])
      expect({ ...unknown.body, requestId: '' }).toEqual({ ...other.body, requestId: '' })
      expect((await complete(await shop.signIn('coach'), sessionId)).status).toBe(403)
      expect((await complete(shop.guest, sessionId)).status).toBe(401)
      expect((await stored(shop, sessionId)).granted).toEqual([])
    })

    it.each([{}, { session_id: '' }, { session_id: 7 }, { session_id: 'a', userId: 'b' }])('is refused with the body %j', async (body) => {
      const player = await shop.signIn()
      expect((await player(api.assessments.completeCheckout, {}, body)).status).toBe(400)
    })

    it.each(['cs_\0', "cs_' or 1=1", '../../prices', 'x'.repeat(299)])('finds no session with the id %j', async (sessionId) => {
      expect([400, 404]).toContain((await complete(await shop.signIn(), sessionId)).status)
    })

    it('distinguishes an expired session from an unpaid one', async () => {
      during(shop, { settlement: 'later' })
      const player = await shop.signIn()
      const [late, over] = [await checkout(player), await checkout(player, REGULAR)]
      shop.pay(late.sessionId)
      const unpaid = await complete(player, late.sessionId)
      expect([unpaid.status, unpaid.body.code]).toEqual([409, 'PAYMENT_NOT_COMPLETE'])
      await sdkFor(shop.sandbox).checkout.sessions.expire(over.sessionId)
      expect((await complete(player, over.sessionId)).body).toEqual({ status: 'expired', assessmentInstanceId: null })
      expect((await stored(shop, late.sessionId)).granted).toEqual([])
    })

    it('is refused while the provider is down, and does not need it once granted', async () => {
      const player = await shop.signIn()
      const { sessionId } = await checkout(player)
      shop.pay(sessionId)
      during(shop, { outage: 'errors' })
      const down = await complete(player, sessionId)
      expect([down.status, down.body.code]).toEqual([503, 'PAYMENTS_UNAVAILABLE'])
      shop.control({ action: 'behave', outage: 'none' })
      const granted = await complete(player, sessionId)
      shop.control({ action: 'behave', outage: 'errors' })
      expect((await complete(player, sessionId)).body).toEqual(granted.body)
    })
  })
})
