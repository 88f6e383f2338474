import { and, asc, eq, isNotNull } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { orders } from '../db/schema/orders.ts'
import { users } from '../db/schema/users.ts'
import { sendJob } from '../job-engine/engine.ts'

/** The sweep that ends them. */
const NAME = 'erased-checkouts'

/** Has the checkouts of an account ended soon after its erasure, instead of within an hour. In the transaction of the erasure. */
export async function endCheckoutsSoon(tx: Database, userId: string): Promise<void> {
  const [open] = await tx
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.userId, userId), eq(orders.status, 'open')))
    .limit(1)
  if (open) await sendJob(tx, 'sweeps', { name: NAME, singletonKey: NAME })
}

/** Sessions that the provider may still let be paid although their account is erased. */
export async function openSessionsOfErased(db: Database): Promise<string[]> {
  const rows = await db
    .select({ sessionId: orders.checkoutSessionId })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.userId))
    .where(and(eq(orders.status, 'open'), isNotNull(orders.checkoutSessionId), isNotNull(users.erasedAt)))
    .orderBy(asc(orders.createdAt))
  return rows.flatMap(({ sessionId }) => sessionId ?? [])
}
