import { and, desc, eq, isNull, ne, sql } from 'drizzle-orm'
import type { Price } from '#contract/rules/pricing.ts'
import { isId } from '#contract/rules/ids.ts'
import { appendAuditEntry } from '../audit/store.ts'
import type { Offer } from '../content/offer.ts'
import type { Database } from '../db/database.ts'
import { assessments } from '../db/schema/assessments.ts'
import { instances } from '../db/schema/instances.ts'
import { orders, providerEvents, refunds } from '../db/schema/orders.ts'
import { users } from '../db/schema/users.ts'

export type Order = typeof orders.$inferSelect

/** What is sold and for how much, in cents; nothing of it comes from the client. */
export interface Quote {
  kind: Order['kind']
  assessmentId: string | null
  priceId: string
  quantity: number
  unitAmount: number
  /** what is paid, less the discount that the provider's `coupon` stands for */
  amountTotal: number
  currency: string
  coupon: string | null
}

const PRICE_ID = /^[\w-]{1,200}$/
const SESSION_ID = /^cs_\w{1,250}$/

/** The assessment that a price belongs to. */
export async function findAssessmentOfPrice(db: Database, priceId: string): Promise<{ assessmentId: string; price: Price } | undefined> {
  if (!PRICE_ID.test(priceId)) return undefined
  const rows = await db
    .select({ assessmentId: assessments.id, prices: assessments.prices })
    .from(assessments)
    .where(sql`${assessments.prices} @> ${JSON.stringify([{ id: priceId }])}::jsonb`)
  const [row] = rows
  const price = row?.prices.find((one) => one.id === priceId)
  return row && price ? { assessmentId: row.assessmentId, price } : undefined
}

export async function findOffer(db: Database, assessmentId: string): Promise<Offer | undefined> {
  const [found] = await db
    .select({ id: assessments.id, words: assessments.words })
    .from(assessments)
    .where(eq(assessments.id, assessmentId))
  return found
}

export async function listAssessmentPrices(db: Database) {
  return db.select({ id: assessments.id, words: assessments.words, prices: assessments.prices }).from(assessments)
}

/** The user's open order for this quote, or a new one. Of two concurrent calls, the second gets the first one's order. */
export async function findOrOpenOrder(
  db: Database,
  userId: string,
  { coupon: _theirs, ...quote }: Quote,
  id: string,
  now: Date,
): Promise<Order> {
  return db.transaction(async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
    const [open] = await tx
      .select()
      .from(orders)
      .where(
        and(
          eq(orders.userId, userId),
          eq(orders.status, 'open'),
          eq(orders.kind, quote.kind),
          eq(orders.priceId, quote.priceId),
          eq(orders.quantity, quote.quantity),
          eq(orders.unitAmount, quote.unitAmount),
          eq(orders.amountTotal, quote.amountTotal),
          eq(orders.currency, quote.currency),
        ),
      )
      .orderBy(desc(orders.createdAt))
      .limit(1)
    if (open) return open
    const [made] = await tx
      .insert(orders)
      .values({ ...quote, id, userId, status: 'open', idempotencyKey: `order-${id}`, createdAt: now })
      .returning()
    if (!made) throw new Error('an order was not stored')
    return made
  })
}

/** Stores the session of an order, once. Resolves to the stored one, which may be another. */
export async function bindSession(db: Database, orderId: string, sessionId: string): Promise<string | null> {
  if (!isId(orderId)) return null
  await db
    .update(orders)
    .set({ checkoutSessionId: sessionId })
    .where(and(eq(orders.id, orderId), isNull(orders.checkoutSessionId)))
  const [row] = await db.select({ bound: orders.checkoutSessionId }).from(orders).where(eq(orders.id, orderId))
  return row?.bound ?? null
}

/** Somebody's own order by its session; undefined for anybody else's. */
export async function findOrderOf(db: Database, userId: string, kind: Order['kind'], sessionId: string): Promise<Order | undefined> {
  if (!SESSION_ID.test(sessionId)) return undefined
  const [order] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.checkoutSessionId, sessionId), eq(orders.userId, userId), eq(orders.kind, kind)))
  return order
}

/** Ends an open order; a fulfilled one is not changed. */
export async function closeOrder(db: Database, orderId: string, status: 'paid' | 'expired' | 'failed'): Promise<void> {
  await db
    .update(orders)
    .set({ status })
    .where(and(eq(orders.id, orderId), ne(orders.status, 'fulfilled')))
}

export async function findOrderBySession(db: Database, sessionId: string): Promise<Order | undefined> {
  const [order] = await db.select().from(orders).where(eq(orders.checkoutSessionId, sessionId))
  return order
}

/** What a fulfilled order granted. */
export async function findGranted(db: Database, orderId: string): Promise<{ instanceId: string | null }> {
  const [row] = await db.select({ instanceId: instances.id }).from(instances).where(eq(instances.orderId, orderId))
  return { instanceId: row?.instanceId ?? null }
}

/** Grants what an order bought, inside the transaction that marks it fulfilled. */
export type Grant = (tx: Database, order: Order) => Promise<void>

/**
 * Fulfils a paid order once, however many concurrent calls there are: the row's lock admits one, the others find it fulfilled. Grants
 * nothing if the buyer is erased. Resolves to what this call did; undefined: it was done before.
 */
export async function fulfilOnce(db: Database, orderId: string, grant: Grant, now: Date): Promise<'fulfilled' | 'erased' | undefined> {
  return db.transaction(async (tx) => {
    const [order] = await tx.select().from(orders).where(eq(orders.id, orderId)).for('update')
    if (!order || order.status === 'fulfilled') return undefined
    const account = tx.select({ erasedAt: users.erasedAt }).from(users).where(eq(users.id, order.userId))
    // an erasure is then over, or erases what is granted, too
    const [buyer] = await account.for('key share')
    if (buyer?.erasedAt) return (await owePayment(tx, orderId, now)) ? 'erased' : undefined
    await grant(tx, order)
    await tx.update(orders).set({ status: 'fulfilled', fulfilledAt: now }).where(eq(orders.id, orderId))
    await appendAuditEntry(tx, { event: 'purchased', userId: order.userId, about: orderId }, now)
    return 'fulfilled'
  })
}

/** Marks an order as paid for nothing: its refunds are counted until all is given back. False if it was marked before. */
async function owePayment(tx: Database, orderId: string, now: Date): Promise<boolean> {
  await tx.update(orders).set({ status: 'paid' }).where(eq(orders.id, orderId))
  const nothing = { orderId, amount: 0, tokens: 0, revision: 0, at: now }
  return (await tx.insert(refunds).values(nothing).onConflictDoNothing().returning()).length === 1
}

/** Creates an OWNED instance for the buyer, pinned to the current content version; a unique key prevents a second one for the order. */
export async function addOwnedInstance(
  tx: Database,
  order: { id: string; userId: string },
  instance: { id: string; assessmentId: string },
  now: Date,
): Promise<void> {
  const [buyer] = await tx.select({ email: users.email, emailNormal: users.emailNormal }).from(users).where(eq(users.id, order.userId))
  const [offer] = await tx
    .select({ contentVersion: assessments.contentVersion })
    .from(assessments)
    .where(eq(assessments.id, instance.assessmentId))
  if (!buyer || !offer) throw new Error('an order has no buyer or no assessment')
  const owned = { ...instance, ...buyer, ...offer, userId: order.userId, status: 'OWNED', orderId: order.id, createdAt: now } as const
  await tx.insert(instances).values(owned)
}

/** Whether an event of the card provider has been processed before. */
export async function isEventProcessed(db: Database, id: string): Promise<boolean> {
  const [row] = await db.select({ id: providerEvents.id }).from(providerEvents).where(eq(providerEvents.id, id))
  return row !== undefined
}

/** Stores that an event of the card provider has been carried out; a second time changes nothing. */
export async function markEventProcessed(db: Database, event: { id: string; type: string }, now: Date): Promise<void> {
  await db.insert(providerEvents).values({ id: event.id, type: event.type, at: now }).onConflictDoNothing()
}
