import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { instances } from '#server/db/schema/instances.ts'
import { orders } from '#server/db/schema/orders.ts'
import { returnToken } from '#server/ledger/store.ts'
import { hashOfAllRows } from '#tests/support/every-row.ts'
import { booksOf, buyTokens, completeTokens, expectSound, listOf, newCoach, openTokens, spendOn, type Coach } from '../tokens/support.ts'
import { checkout, complete, during, openShop, payloadsOf, sendEvent, stored, type Shop } from './support.ts'

describe('refunds', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop()
  })
  afterAll(() => shop.close())

  async function books(coach: Coach) {
    const found = await booksOf(shop.running.deps.db, coach.userId)
    expectSound(found)
    const { total, used, owed } = found
    return { total, used, owed }
  }

  const spend = (coach: Coach, email: string) => spendOn(shop.running.deps.db, coach.userId, email, shop.clock.now())

  function refund(sessionId: string, amount: number): string {
    shop.control({ action: 'refund', sessionId, amount })
    return payloadsOf(shop, sessionId).at(-1) ?? ''
  }

  function dispute(sessionId: string, outcome: 'withdrawn' | 'reinstated'): string {
    shop.control({ action: 'dispute', sessionId, outcome })
    return payloadsOf(shop, sessionId).at(-1) ?? ''
  }

  const audited = async (sessionId: string) => {
    const { order } = await stored(shop, sessionId)
    const entries = await shop.running.rows('audit_entries')
    return entries.filter((entry) => entry['event'] === 'refunded' && entry['about'] === order?.id).length
  }

  it('take back as many whole tokens as the refunded total paid for', async () => {
    const coach = await newCoach(shop.running)
    const sessionId = await buyTokens(shop, coach, 12) // 33,600 cents: 2,800 each
    const left = []
    for (const cents of [2799, 1, 2801, 2798, 1, 25_200]) {
      expect(await sendEvent(shop, refund(sessionId, cents))).toBe(200)
      left.push((await books(coach)).total)
    }
    expect(left).toEqual([12, 11, 10, 10, 9, 0])
    expect(await audited(sessionId)).toBe(6)
    expect((await listOf(coach)).tokens).toEqual([])
  })

  it('take back unspent tokens only; tokens returned or bought later cover the rest', async () => {
    const coach = await newCoach(shop.running)
    const sessionId = await buyTokens(shop, coach, 5)
    const given = [await spend(coach, 'a@club.test'), await spend(coach, 'b@club.test'), await spend(coach, 'c@club.test')]
    await sendEvent(shop, refund(sessionId, 17_500))
    expect(await books(coach)).toEqual({ total: 3, used: 3, owed: 3 })
    // the coach is told, too
    expect(await listOf(coach)).toMatchObject({ total: 3, available: 0, owed: 3 })
    expect(await spend(coach, 'd@club.test')).toBeUndefined()
    const { db, clock } = shop.running.deps
    await db.transaction(async (tx) => {
      const [first = ''] = given
      await tx.update(instances).set({ status: 'RECLAIMED', reclaimedAt: clock.now() }).where(eq(instances.id, first))
      await returnToken(tx, coach.userId, first, clock.now())
    })
    expect(await books(coach)).toEqual({ total: 2, used: 2, owed: 2 })
    await buyTokens(shop, coach, 3)
    expect(await books(coach)).toEqual({ total: 3, used: 2, owed: 0 })
  })

  it('apply once, however often and in whatever order the events arrive', async () => {
    const coach = await newCoach(shop.running)
    const sessionId = await buyTokens(shop, coach, 10)
    const payloads = Array.from({ length: 6 }, () => refund(sessionId, 3500))
    const sent = [...payloads, ...payloads, ...payloads.toReversed()].map((payload) => sendEvent(shop, payload))
    expect(new Set(await Promise.all(sent))).toEqual(new Set([200]))
    expect(await books(coach)).toEqual({ total: 4, used: 0, owed: 0 })
    const once = await hashOfAllRows(shop.running)
    for (const payload of payloads) expect(await sendEvent(shop, payload)).toBe(200)
    expect(await hashOfAllRows(shop.running)).toEqual(once)
  })

  it('may be reported late, twice and in reverse', async () => {
    during(shop, { copies: 2 })
    const coach = await newCoach(shop.running)
    const sessionId = await openTokens(coach, 4)
    shop.pay(sessionId)
    refund(sessionId, 3500)
    refund(sessionId, 3500)
    shop.control({ action: 'release', order: 'reversed' })
    await shop.sandbox.delivery.settled()
    expect(await books(coach)).toEqual({ total: 2, used: 0, owed: 0 })
    expect((await completeTokens(coach, sessionId)).body).toEqual({ status: 'complete' })
    expect(await books(coach)).toEqual({ total: 2, used: 0, owed: 0 })
    expect(shop.sandbox.store.find(sessionId)?.deliveries.map(({ state, attempts }) => [state, attempts])).toEqual([
      ['delivered', 2],
      ['delivered', 2],
      ['delivered', 2],
    ])
  })

  it('include disputes; a dispute that is won returns the tokens', async () => {
    const coach = await newCoach(shop.running)
    const sessionId = await buyTokens(shop, coach, 4)
    await spend(coach, 'e@club.test')
    await sendEvent(shop, refund(sessionId, 3500))
    expect(await books(coach)).toEqual({ total: 3, used: 1, owed: 0 })
    const withdrawn = dispute(sessionId, 'withdrawn')
    await sendEvent(shop, withdrawn)
    expect(await books(coach)).toEqual({ total: 1, used: 1, owed: 1 })
    const reinstated = dispute(sessionId, 'reinstated')
    await sendEvent(shop, reinstated)
    await sendEvent(shop, withdrawn.replace(/"evt_\w+"/, '"evt_again"'))
    expect(await books(coach)).toEqual({ total: 3, used: 1, owed: 0 })
  })

  it('that are undone while the provider’s reply is on its way leave the tokens', async () => {
    const coach = await newCoach(shop.running)
    const sessionId = await buyTokens(shop, coach, 4)
    const { cards } = shop.running.deps
    const readRefunded = cards.readRefunded.bind(cards)
    const arrives = Promise.withResolvers<void>()
    const read = vi.spyOn(cards, 'readRefunded').mockImplementationOnce(async (paymentId) => {
      const amount = await readRefunded(paymentId)
      await arrives.promise
      return amount
    })
    onTestFinished(() => read.mockRestore())
    const withdrawn = sendEvent(shop, dispute(sessionId, 'withdrawn'))
    await vi.waitFor(() => expect(read).toHaveBeenCalled())
    expect(await sendEvent(shop, dispute(sessionId, 'reinstated'))).toBe(200)
    arrives.resolve()
    expect(await withdrawn).toBe(200)
    expect(await books(coach)).toEqual({ total: 4, used: 0, owed: 0 })
  })

  it('take back an assessment that has not been started, never one that has', async () => {
    const { db } = shop.running.deps
    const player = await shop.signIn()
    const bought: { sessionId: string; instanceId: string }[] = []
    for (const status of ['OWNED', 'IN_PROGRESS'] as const) {
      const { sessionId } = await checkout(player)
      shop.pay(sessionId)
      const instanceId = (await complete(player, sessionId)).body.assessmentInstanceId ?? ''
      await db.update(instances).set({ status }).where(eq(instances.id, instanceId))
      await sendEvent(shop, refund(sessionId, 1000))
      expect((await stored(shop, sessionId)).granted).toMatchObject([{ status }])
      await sendEvent(shop, refund(sessionId, 2900))
      bought.push({ sessionId, instanceId })
    }
    const statuses = async () => Promise.all(bought.map(async ({ sessionId }) => (await stored(shop, sessionId)).granted[0]?.status))
    expect(await statuses()).toEqual(['RECLAIMED', 'IN_PROGRESS'])
    const [taken, begun] = bought
    const { body } = await player<{ data: { instanceId: string }[] }>(api.instances.list)
    expect(body.data.map((one) => one.instanceId)).toEqual([begun?.instanceId])
    expect((await player(api.instances.get, { instanceId: taken?.instanceId ?? '' })).body).toMatchObject({ status: 'RECLAIMED' })
    // no coach did that
    const late = await player(api.instances.saveResponses, {}, { instanceId: taken?.instanceId, responses: [] })
    expect(late.body).toMatchObject({ code: 'INSTANCE_RECLAIMED', message: expect.stringContaining('or because it was refunded') })
  })

  it('may be reported at the same time as the purchase', async () => {
    const coach = await newCoach(shop.running)
    const sessionIds = []
    for (let count = 1; count <= 8; count += 1) {
      const sessionId = await openTokens(coach, count)
      shop.pay(sessionId)
      refund(sessionId, 3500)
      sessionIds.push(sessionId)
    }
    const sent = sessionIds.flatMap((sessionId) => payloadsOf(shop, sessionId)).map((payload) => sendEvent(shop, payload))
    expect(new Set(await Promise.all(sent))).toEqual(new Set([200]))
    expect(await books(coach)).toEqual({ total: 36 - 8, used: 0, owed: 0 })
  })

  it('are refused while the provider is down, and accepted when repeated', async () => {
    const coach = await newCoach(shop.running)
    const sessionId = await buyTokens(shop, coach, 2)
    const payload = refund(sessionId, 3500)
    during(shop, { outage: 'errors' })
    expect(await sendEvent(shop, payload)).toBe(503)
    shop.control({ action: 'behave', outage: 'none' })
    expect((await books(coach)).total).toBe(2)
    expect(await sendEvent(shop, payload)).toBe(200)
    expect((await books(coach)).total).toBe(1)
  })

  it('of payments from another shop change nothing', async () => {
    const coach = await newCoach(shop.running)
    const sessionId = await buyTokens(shop, coach, 2)
    const payload = refund(sessionId, 3500)
    const foreign = payload.replace(/"pi_\w+"/, '"pi_foreign"').replace(/"evt_\w+"/, '"evt_foreign_refund"')
    expect(await sendEvent(shop, foreign)).toBe(200)
    await shop.running.deps.db.update(orders).set({ checkoutSessionId: 'cs_test_elsewhere' }).where(eq(orders.checkoutSessionId, sessionId))
    expect(await sendEvent(shop, payload.replaceAll(/"orderId": "[^"]*"/g, '"orderId": "x"'))).toBe(200)
    expect((await books(coach)).total).toBe(2)
  })
})
