import { and, eq } from 'drizzle-orm'
import { appendAuditEntry } from '../audit/store.ts'
import type { Database } from '../db/database.ts'
import { instances } from '../db/schema/instances.ts'
import { refunds } from '../db/schema/orders.ts'
import { giveBackTokens, takeBackTokens } from '../ledger/store.ts'
import type { Order } from './store.ts'

/** The refunds of an order so far; `amount` is their total in cents. */
interface Refund {
  amount: number
  revision: number
}

export async function readRefund(db: Database, orderId: string): Promise<Refund> {
  const [row] = await db.select({ amount: refunds.amount, revision: refunds.revision }).from(refunds).where(eq(refunds.orderId, orderId))
  return row ?? { amount: 0, revision: 0 }
}

/**
 * Stores the new total and takes back or returns tokens by the difference. False, and nothing is stored, if the total has changed
 * since `seen`: an older reply of the provider must not overwrite a newer one.
 */
export async function storeRefund(db: Database, order: Order, seen: Refund, amount: number, now: Date): Promise<boolean> {
  const { id: orderId, userId } = order
  return db.transaction(async (tx) => {
    await tx.insert(refunds).values({ orderId, amount: 0, tokens: 0, revision: 0, at: now }).onConflictDoNothing()
    const [row] = await tx.select().from(refunds).where(eq(refunds.orderId, orderId)).for('update')
    if (row?.revision !== seen.revision) return false
    // an erased buyer was granted nothing
    const tokens = order.kind === 'tokens' && order.status === 'fulfilled' ? tokensWorth(order, amount) : 0
    await tx
      .update(refunds)
      .set({ amount, tokens, revision: row.revision + 1, at: now })
      .where(eq(refunds.orderId, orderId))
    const change = { coachId: userId, orderId, amount: Math.abs(tokens - row.tokens) }
    if (tokens > row.tokens) await takeBackTokens(tx, change, now)
    if (tokens < row.tokens) await giveBackTokens(tx, change, now)
    if (order.kind === 'assessment') await (amount === order.amountTotal ? takeBackInstance : giveBackInstance)(tx, orderId, now)
    await appendAuditEntry(tx, { event: 'refunded', userId, about: orderId }, now)
    return true
  })
}

/** The number of whole tokens that this amount of an order paid for. */
function tokensWorth({ amountTotal, quantity }: Pick<Order, 'amountTotal' | 'quantity'>, amount: number): number {
  return amountTotal === 0 ? 0 : Math.floor((amount * quantity) / amountTotal)
}

/** Only one that has not been started: answers and results are the player's (BUY-21). */
async function takeBackInstance(tx: Database, orderId: string, now: Date): Promise<void> {
  await tx
    .update(instances)
    .set({ status: 'RECLAIMED', reclaimedAt: now })
    .where(and(eq(instances.orderId, orderId), eq(instances.status, 'OWNED')))
}

async function giveBackInstance(tx: Database, orderId: string): Promise<void> {
  await tx
    .update(instances)
    .set({ status: 'OWNED', reclaimedAt: null })
    .where(and(eq(instances.orderId, orderId), eq(instances.status, 'RECLAIMED')))
}
