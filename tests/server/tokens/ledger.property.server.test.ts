import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tokensTotal } from '#contract/rules/pricing.ts'
import { instances } from '#server/db/schema/instances.ts'
import { orders } from '#server/db/schema/orders.ts'
import { users } from '#server/db/schema/users.ts'
import { storeRefund, readRefund } from '#server/payments/refunds-store.ts'
import { addTokens, readTokens, returnToken, spendToken } from '#server/ledger/store.ts'
import { presentTokens } from '#server/tokens/present.ts'
import { engines } from '#tests/support/databases.ts'
import { givenServer, type TestServer } from '#tests/support/start-server.ts'
import { CONTENT_VERSION } from '../instances/support.ts'
import { booksOf, expectSound, UNIT } from './support.ts'

/**
 * Random histories of buying, spending, returning, completing and refunding: after every step the balance is that of a
 * small model, the ledger sums to it, and there is a row for each token (TOKENS-13, TOKENS-15).
 * `SEED=42` replays one, `RUNS=5000` runs more.
 */

type Step =
  | { do: 'buy'; count: number }
  | { do: 'grant'; count: number }
  | { do: 'spend' }
  | { do: 'return'; which: number }
  | { do: 'complete'; which: number }
  /** `share` is all that was refunded for one order so far, in thousandths of what was paid */
  | { do: 'refund'; which: number; share: number }

const { SEED } = process.env
const RUNS = Number(process.env['RUNS'] ?? 60)

const which = fc.nat(50)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('buy' as const), count: fc.integer({ min: 1, max: 20 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('grant' as const), count: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 6, arbitrary: fc.constant({ do: 'spend' as const }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('return' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('complete' as const), which }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('refund' as const), which, share: fc.constantFrom(0, 1, 250, 333, 500, 999, 1000) }),
  },
)

interface Model {
  /** tokens paid for or granted, less those refunded; fewer than are used if some are owed */
  worth: number
  pending: string[]
  completed: number
  orders: { id: string; quantity: number; amountTotal: number; refunded: number }[]
}

async function newHistory(server: TestServer): Promise<string> {
  const id = randomUUID()
  const email = `${id}@ledger.test`
  await server.deps.db.insert(users).values({ id, email, emailNormal: email, userType: 'coach', createdAt: new Date() })
  return id
}

async function take(server: TestServer, coachId: string, model: Model, step: Step): Promise<void> {
  const { db } = server.deps
  const now = new Date()
  switch (step.do) {
    case 'grant':
      await db.transaction((tx) => addTokens(tx, { coachId, amount: step.count, orderId: null }, now))
      model.worth += step.count
      return
    case 'buy': {
      const id = randomUUID()
      const amountTotal = tokensTotal(UNIT, step.count)
      const sold = { kind: 'tokens', priceId: 'price_token', quantity: step.count, unitAmount: UNIT, amountTotal, currency: 'USD' } as const
      await db.transaction(async (tx) => {
        const done = { status: 'fulfilled', idempotencyKey: id, createdAt: now, fulfilledAt: now } as const
        await tx.insert(orders).values({ id, userId: coachId, ...sold, ...done })
        await addTokens(tx, { coachId, amount: step.count, orderId: id }, now)
      })
      model.orders.push({ id, quantity: step.count, amountTotal, refunded: 0 })
      model.worth += step.count
      return
    }
    case 'spend': {
      const id = randomUUID()
      const isExpected = model.pending.length + model.completed < model.worth
      const isSpent = await db.transaction(async (tx) => {
        const email = `${id}@club.test`
        const given = { id, coachId, email, emailNormal: email, status: 'ALLOCATED', allocatedAt: now, createdAt: now } as const
        await tx.insert(instances).values({ ...given, assessmentId: 'touchline-profile', contentVersion: CONTENT_VERSION })
        if (await spendToken(tx, coachId, id, now)) return true
        await tx.delete(instances).where(eq(instances.id, id))
        return false
      })
      expect(isSpent).toBe(isExpected)
      if (isSpent) model.pending.push(id)
      return
    }
    case 'return': {
      const [id] = model.pending.splice(step.which % Math.max(1, model.pending.length), 1)
      if (id === undefined) return
      await db.transaction(async (tx) => {
        await tx.update(instances).set({ status: 'RECLAIMED', reclaimedAt: now }).where(eq(instances.id, id))
        await returnToken(tx, coachId, id, now)
      })
      return
    }
    case 'complete': {
      const [id] = model.pending.splice(step.which % Math.max(1, model.pending.length), 1)
      if (id === undefined) return
      await db.execute(`update instances set status = 'COMPLETED', completed_at = now(), results = '{}' where id = '${id}'`)
      model.completed += 1
      return
    }
    case 'refund': {
      const bought = model.orders[step.which % Math.max(1, model.orders.length)]
      if (!bought) return
      const amount = Math.floor((bought.amountTotal * step.share) / 1000)
      const [order] = await db.select().from(orders).where(eq(orders.id, bought.id))
      if (!order) throw new Error('no order')
      const seen = await readRefund(db, order.id)
      expect(await storeRefund(db, order, seen, amount, now)).toBe(true)
      // a refund is not stored if another change came after `seen` was read
      expect(await storeRefund(db, order, seen, 0, now)).toBe(false)
      const refunded = Math.floor((amount * bought.quantity) / bought.amountTotal)
      model.worth += bought.refunded - refunded
      bought.refunded = refunded
    }
  }
}

async function agrees(server: TestServer, coachId: string, { worth, pending, completed }: Model): Promise<void> {
  const { db } = server.deps
  const used = pending.length + completed
  const books = await booksOf(db, coachId)
  expectSound(books)
  expect(books).toMatchObject({ used, total: Math.max(worth, used), owed: Math.max(0, used - worth), worth })
  const list = presentTokens(await readTokens(db, coachId), 'en')
  const rows = (status: string) => list.tokens.filter((row) => row.status === status).length
  expect(list).toMatchObject({ total: books.total, used, available: books.total - used })
  expect([rows('PENDING'), rows('AVAILABLE'), rows('COMPLETED')]).toEqual([pending.length, list.available, completed])
}

describe.each(engines)('any history of tokens (%s)', (database) => {
  const server = givenServer({ database })

  it(
    'total, used, available, owed, rows and ledger agree after every step',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }), async (steps) => {
          const coachId = await newHistory(server)
          const model: Model = { worth: 0, pending: [], completed: 0, orders: [] }
          for (const one of steps) {
            await take(server, coachId, model, one)
            await agrees(server, coachId, model)
          }
        }),
        { numRuns: RUNS, ...(SEED === undefined ? {} : { seed: Number(SEED) }) },
      )
    },
    20_000 + RUNS * 1500,
  )
})
