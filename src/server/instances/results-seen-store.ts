import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import { appendAuditEntries } from '../audit/store.ts'
import type { Database } from '../db/database.ts'
import { instances } from '../db/schema/instances.ts'

/** Stores that a coach was sent these results, and logs each that is sent for the first time. */
export async function storeResultsSeen(db: Database, coachId: string, ids: readonly string[], now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const unseen = await tx
      .select({ id: instances.id })
      .from(instances)
      .where(and(eq(instances.coachId, coachId), inArray(instances.id, [...ids]), isNull(instances.resultSeenAt)))
      // a dashboard reads the same rows by several calls at once: locked in one order, they cannot deadlock
      .orderBy(asc(instances.id))
      .for('no key update')
    const seen = unseen.map(({ id }) => id)
    if (seen.length === 0) return
    await tx.update(instances).set({ resultSeenAt: now }).where(inArray(instances.id, seen))
    const entries = seen.map((about) => ({ event: 'result-seen', userId: coachId, about }) as const)
    await appendAuditEntries(tx, entries, now)
  })
}
