import { and, asc, desc, eq, gte, lt, lte, sql } from 'drizzle-orm'
import { daysBefore } from '#contract/rules/dates.ts'
import type { Database } from '../db/database.ts'
import { auditEntries, auditHeads } from '../db/schema/audit.ts'
import { append, lockStream } from './store.ts'

/** Deletes the oldest entries of the audit log. docs/decisions/0029 */

export const RETENTION_DAYS = 400

/** Deletes entries older than RETENTION_DAYS and logs that. Once a day, since each time adds an entry. */
export async function trimOldEntries(db: Database, now: Date): Promise<void> {
  const oldest = sql`(select ${auditEntries.at} from ${auditEntries} where ${auditEntries.stream} = ${auditHeads.stream} order by ${auditEntries.seq} limit 1)`
  const due = await db
    .select({ stream: auditHeads.stream })
    .from(auditHeads)
    .where(sql`${oldest} < ${daysBefore(now, RETENTION_DAYS + 1).toISOString()}::timestamptz`)
    .orderBy(asc(auditHeads.stream))
  for (const { stream } of due) await trim(db, stream, daysBefore(now, RETENTION_DAYS), now)
}

async function trim(db: Database, stream: number, then: Date, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const head = await lockStream(tx, stream)
    const ofStream = eq(auditEntries.stream, stream)
    const [young] = await tx
      .select({ seq: auditEntries.seq })
      .from(auditEntries)
      .where(and(ofStream, gte(auditEntries.at, then)))
      .orderBy(asc(auditEntries.seq))
      .limit(1)
    // one that a clock that was behind has dated too early goes with those before it
    const isOld = and(ofStream, young ? lt(auditEntries.seq, young.seq) : undefined)
    const [last] = await tx.select().from(auditEntries).where(isOld).orderBy(desc(auditEntries.seq)).limit(1)
    if (!last) return
    await append(tx, head, [{ event: 'trimmed', userId: null, about: `${last.seq}:${last.seal}` }], now)
    await tx.delete(auditEntries).where(and(eq(auditEntries.stream, stream), lte(auditEntries.seq, last.seq)))
  })
}
