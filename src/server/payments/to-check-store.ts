import { and, asc, count, desc, eq, gt, isNotNull, isNull, lt, or } from 'drizzle-orm'
import { HOUR_MS } from '#contract/rules/dates.ts'
import type { Database } from '../db/database.ts'
import { orders, refunds } from '../db/schema/orders.ts'
import { tokenBalances } from '../db/schema/tokens.ts'
import { users } from '../db/schema/users.ts'

/** What the operator should compare with the card provider. */

// the provider ends a session after 24 hours, and tells it again for days
const SESSION_HOURS = 25
const DEBTS_MAXIMUM = 100

/**
 * Orders whose session must have ended unheard, those that are still unpaid (`paid` stands for a completed form), and those paid by an
 * erased account (`refunded`, in cents, is null for all others) until all is refunded. Oldest first.
 */
export async function pageOfOrdersToCheck(db: Database, { page, limit }: { page: number; limit: number }, now: Date) {
  const ended = new Date(now.getTime() - SESSION_HOURS * HOUR_MS)
  const isUnheard = and(eq(orders.status, 'open'), isNotNull(orders.checkoutSessionId), lt(orders.createdAt, ended))
  const isKept = and(eq(orders.status, 'paid'), or(isNull(refunds.amount), lt(refunds.amount, orders.amountTotal)))
  const isToCheck = or(isKept, isUnheard)
  const ofOrder = eq(refunds.orderId, orders.id)
  const { id, userId, kind, status, amountTotal, currency, createdAt } = orders
  const rows = await db
    .select({ id, userId, kind, status, amountTotal, currency, createdAt, refunded: refunds.amount })
    .from(orders)
    .leftJoin(refunds, ofOrder)
    .where(isToCheck)
    .orderBy(asc(createdAt), asc(id))
    .limit(limit)
    .offset((page - 1) * limit)
  const [counted] = await db.select({ total: count() }).from(orders).leftJoin(refunds, ofOrder).where(isToCheck)
  return { rows, total: counted?.total ?? 0 }
}

/** Coaches who owe tokens, those who owe most first. An erased one buys none that could settle it, and nobody could ask them. */
export async function readDebts(db: Database): Promise<{ userId: string; tokens: number }[]> {
  return db
    .select({ userId: tokenBalances.coachId, tokens: tokenBalances.owed })
    .from(tokenBalances)
    .innerJoin(users, and(eq(users.id, tokenBalances.coachId), isNull(users.erasedAt)))
    .where(gt(tokenBalances.owed, 0))
    .orderBy(desc(tokenBalances.owed), asc(tokenBalances.coachId))
    .limit(DEBTS_MAXIMUM)
}
