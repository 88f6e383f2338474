import { and, asc, eq, lt, sql } from 'drizzle-orm'
import type { ParagraphMark } from '#contract/rules/paragraph-marks.ts'
import type { Database } from '../db/database.ts'
import { instances } from '../db/schema/instances.ts'
import { paragraphMarks } from '../db/schema/marks.ts'

export async function listMarks(db: Database, instanceId: string): Promise<ParagraphMark[]> {
  const rows = await db
    .select({ paragraph: paragraphMarks.paragraph, mark: paragraphMarks.mark, at: paragraphMarks.at })
    .from(paragraphMarks)
    .where(eq(paragraphMarks.instanceId, instanceId))
    .orderBy(asc(paragraphMarks.paragraph))
  return rows.map((row) => ({ ...row, at: row.at.getTime() }))
}

/** Stores the marks that are later than the stored ones, and returns all. Undefined: the player no longer has the instance. */
export async function storeMarks(
  db: Database,
  { instanceId, userId }: { instanceId: string; userId: string },
  marks: readonly ParagraphMark[],
): Promise<ParagraphMark[] | undefined> {
  const rows = marks
    .map((one) => ({ ...one, instanceId, at: new Date(one.at) }))
    // two devices that send at once lock the rows in one order, so they cannot deadlock
    .sort((a, b) => (a.paragraph < b.paragraph ? -1 : 1))
  return db.transaction(async (tx) => {
    // before its marks, as in an erasure, which is then over or waits
    const held = tx.select({ id: instances.id }).from(instances)
    const [own] = await held.where(and(eq(instances.id, instanceId), eq(instances.userId, userId))).for('key share')
    if (!own) return undefined
    await tx
      .insert(paragraphMarks)
      .values(rows)
      .onConflictDoUpdate({
        target: [paragraphMarks.instanceId, paragraphMarks.paragraph],
        set: { mark: sql`excluded.mark`, at: sql`excluded.at` },
        setWhere: lt(paragraphMarks.at, sql`excluded.at`),
      })
    return listMarks(tx, instanceId)
  })
}
