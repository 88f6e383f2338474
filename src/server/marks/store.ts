import { asc, eq, lt, sql } from 'drizzle-orm'
import type { ParagraphMark } from '#contract/rules/paragraph-marks.ts'
import type { Database } from '../db/database.ts'
import { paragraphMarks } from '../db/schema/marks.ts'

export async function listMarks(db: Database, instanceId: string): Promise<ParagraphMark[]> {
  const rows = await db
    .select({ paragraph: paragraphMarks.paragraph, mark: paragraphMarks.mark, at: paragraphMarks.at })
    .from(paragraphMarks)
    .where(eq(paragraphMarks.instanceId, instanceId))
    .orderBy(asc(paragraphMarks.paragraph))
  return rows.map((row) => ({ ...row, at: row.at.getTime() }))
}

/** Stores the marks that are later than the stored ones, and returns all. */
export async function storeMarks(db: Database, instanceId: string, marks: readonly ParagraphMark[]): Promise<ParagraphMark[]> {
  const rows = marks
    .map((one) => ({ ...one, instanceId, at: new Date(one.at) }))
    // two devices that send at once lock the rows in one order, so they cannot deadlock
    .sort((a, b) => (a.paragraph < b.paragraph ? -1 : 1))
  await db
    .insert(paragraphMarks)
    .values(rows)
    .onConflictDoUpdate({
      target: [paragraphMarks.instanceId, paragraphMarks.paragraph],
      set: { mark: sql`excluded.mark`, at: sql`excluded.at` },
      setWhere: lt(paragraphMarks.at, sql`excluded.at`),
    })
  return listMarks(db, instanceId)
}
