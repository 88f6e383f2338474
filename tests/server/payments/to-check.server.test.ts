import { expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import { fillPath } from '#contract/endpoint.ts'
import { usersForOperator } from '#contract/users.operator.ts'
import { ask, signIn } from '#tests/support/person.ts'
import { checkout, complete, during, openShop, toCheck } from './support.ts'

/** GET payment. API-51 */

const HOUR = 3600

test('payments to check are those without an event from the provider, and those that were not paid', async () => {
  const shop = await openShop()
  onTestFinished(shop.close)
  const [left, paying, buyer] = [await shop.signIn(), await shop.signIn(), await shop.signIn()]
  const unheard = await checkout(left)
  shop.clock.forward(60)
  const paid = await checkout(paying)
  shop.pay(paid.sessionId)
  expect((await complete(paying, paid.sessionId)).status).toBe(200)
  expect(await toCheck(shop)).toEqual({ data: [], total: 0, owing: [] })

  // the form was completed, and the payment is still to come
  const slow = await checkout(buyer)
  during(shop, { settlement: 'later' })
  shop.pay(slow.sessionId)
  expect((await complete(buyer, slow.sessionId)).status).toBe(409)
  shop.clock.forward(24 * HOUR)
  expect((await toCheck(shop)).data).toEqual([expect.objectContaining({ why: 'unpaid', kind: 'assessment' })])
  shop.clock.forward(2 * HOUR)
  const { data, total } = await toCheck(shop)
  expect([data.map(({ why }) => why), total]).toEqual([['unheard', 'unpaid'], 2])
  const order = (await shop.running.rows('orders')).find((row) => row['checkout_session_id'] === unheard.sessionId)
  expect(data[0]).toEqual({
    orderId: order?.['id'],
    userId: order?.['user_id'],
    kind: 'assessment',
    why: 'unheard',
    amount: order?.['amount_total'],
    currency: order?.['currency'],
    since: expect.stringMatching(/^2026-03-01T12:00/),
  })
  expect(await toCheck(shop, '?page=2&limit=1')).toMatchObject({ data: [{ why: 'unpaid' }], total: 2 })
})

test('coaches who owe tokens that were refunded after use are listed, too', async () => {
  const shop = await openShop()
  onTestFinished(shop.close)
  const coach = await shop.signIn('coach')
  const me = await coach<{ data: unknown[] }>(api.tokens.pricing)
  expect(me.status).toBe(200)
  const { db } = shop.running.deps
  const [user] = await shop.running.rows('users')
  await db.execute(`insert into token_balances (coach_id, total, used, owed) values ('${String(user?.['id'])}', 2, 2, 3)`)
  expect((await toCheck(shop)).owing).toEqual([{ userId: user?.['id'], tokens: 3 }])
})

test('a coach who is erased owes nothing that anybody could settle, and is no longer listed', async () => {
  const shop = await openShop()
  onTestFinished(shop.close)
  const { running } = shop
  const [kept, erased] = [await signIn(running, 'kept@club.test', 'coach'), await signIn(running, 'erased@club.test', 'coach')]
  for (const { userId } of [kept, erased])
    await running.deps.db.execute(`insert into token_balances (coach_id, total, used, owed) values ('${userId}', 2, 2, 3)`)
  const { method, path } = usersForOperator.erase
  const options = { bearer: running.deps.keys.operatorKey, body: { email: erased.email } }
  expect((await ask(running, method, fillPath(path, { userId: erased.userId }), options)).status).toBe(204)
  expect((await toCheck(shop)).owing).toEqual([{ userId: kept.userId, tokens: 3 }])
})
