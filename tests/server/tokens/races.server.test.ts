import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { instances } from '#server/db/schema/instances.ts'
import { orders } from '#server/db/schema/orders.ts'
import { users } from '#server/db/schema/users.ts'
import { bindSealKeys } from '#server/audit/seals.ts'
import type { Database } from '#server/db/database.ts'
import { openDatabase, type OpenDatabase } from '#server/db/open.ts'
import { storeRefund, readRefund } from '#server/payments/refunds-store.ts'
import { fulfilOnce } from '#server/payments/store.ts'
import { addTokens, returnToken } from '#server/ledger/store.ts'
import { engines } from '#tests/support/databases.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'
import { booksOf, expectSound, spendOn, UNIT } from './support.ts'

/** Each round has a new coach, so that rounds do not affect one another. `ROUNDS=10000` runs as many as HOUSE-6 asks for. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 25)
const CLIENTS = 64
const TIMEOUT = 20_000 + ROUNDS * 400

describe.runIf(engines.includes('postgres'))('many connections at once', () => {
  let server: TestServer
  let wide: OpenDatabase
  beforeAll(async () => {
    server = await startServer({ database: 'postgres' })
    wide = await openDatabase({ url: server.databaseUrl ?? '', connections: CLIENTS }, () => {})
    bindSealKeys(wide.db, server.deps.keys.auditKeys)
  })
  afterAll(async () => {
    await wide.close()
    await server.close()
  })

  async function newCoach(tokens: number): Promise<string> {
    const id = randomUUID()
    const email = `${id}@races.test`
    await wide.db.insert(users).values({ id, email, emailNormal: email, userType: 'coach', createdAt: new Date() })
    await wide.db.transaction((tx) => addTokens(tx, { coachId: id, amount: tokens, orderId: null }, new Date()))
    return id
  }

  it(
    `${CLIENTS} clients want the last token: one gets it (TOKENS-14)`,
    async () => {
      const winners: number[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        const coachId = await newCoach(1)
        const spent = await Promise.all(Array.from({ length: CLIENTS }, (_, client) => spendOn(wide.db, coachId, `p${client}@races.test`)))
        winners.push(spent.filter((id) => id !== undefined).length)
        const books = await booksOf(wide.db, coachId)
        expectSound(books)
        expect(books).toMatchObject({ total: 1, used: 1, given: 1 })
      }
      expect(new Set(winners)).toEqual(new Set([1]))
    },
    TIMEOUT,
  )

  it(
    'an order is granted once, and an instance’s token returned once, however many ask at the same time',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const coachId = await newCoach(1)
        const instanceId = (await spendOn(wide.db, coachId, 'one@races.test')) ?? ''
        const orderId = await newOrder(wide.db, coachId, 12)
        const granted = Array.from({ length: 16 }, () =>
          fulfilOnce(wide.db, orderId, (tx) => addTokens(tx, { coachId, amount: 12, orderId }, new Date()), new Date()),
        )
        const returned = Array.from({ length: 16 }, () => takeBack(wide.db, coachId, instanceId))
        expect((await Promise.all(granted)).filter(Boolean)).toHaveLength(1)
        expect((await Promise.all(returned)).filter(Boolean)).toHaveLength(1)
        const books = await booksOf(wide.db, coachId)
        expectSound(books)
        expect(books).toMatchObject({ total: 13, used: 0, owed: 0 })
      }
    },
    TIMEOUT,
  )

  it(
    'balance, ledger and instances agree during concurrent spending, reclaims and refunds',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const coachId = await newCoach(3)
        const orderId = await newOrder(wide.db, coachId, 10)
        await fulfilOnce(wide.db, orderId, (tx) => addTokens(tx, { coachId, amount: 10, orderId }, new Date()), new Date())
        const held = await Promise.all(Array.from({ length: 8 }, (_, place) => spendOn(wide.db, coachId, `held${place}@races.test`)))
        await Promise.all([
          ...held.map((id) => takeBack(wide.db, coachId, id ?? '')),
          ...Array.from({ length: 24 }, (_, place) => spendOn(wide.db, coachId, `more${place}@races.test`)),
          ...[1, 2, 3, 4, 5, 6].map((tokens) => refundTo(wide.db, orderId, tokens * UNIT)),
          ...Array.from({ length: 10 }, async () => expectSound(await booksOf(wide.db, coachId))),
        ])
        expectSound(await booksOf(wide.db, coachId))
      }
    },
    TIMEOUT,
  )
})

async function newOrder(db: Database, userId: string, quantity: number): Promise<string> {
  const id = randomUUID()
  const sold = {
    kind: 'tokens',
    priceId: 'price_token',
    quantity,
    unitAmount: UNIT,
    amountTotal: UNIT * quantity,
    currency: 'USD',
  } as const
  await db.insert(orders).values({ id, userId, ...sold, status: 'open', idempotencyKey: id, createdAt: new Date() })
  return id
}

/** As a reclaim does it: the instance first, then its token. */
async function takeBack(db: Database, coachId: string, instanceId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [instance] = await tx.select().from(instances).where(eq(instances.id, instanceId)).for('update')
    if (instance?.status !== 'ALLOCATED') return false
    await tx.update(instances).set({ status: 'RECLAIMED', reclaimedAt: new Date() }).where(eq(instances.id, instanceId))
    await returnToken(tx, coachId, instanceId, new Date())
    return true
  })
}

async function refundTo(db: Database, orderId: string, amount: number): Promise<void> {
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId))
  if (!order) throw new Error('no order')
  while (!(await storeRefund(db, order, await readRefund(db, orderId), amount, new Date())));
}
