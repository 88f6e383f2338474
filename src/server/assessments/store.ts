import { asc, eq, sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { assessments } from '../db/schema/assessments.ts'

export type AssessmentRow = typeof assessments.$inferSelect

export async function findAssessment(db: Database, id: string): Promise<AssessmentRow | undefined> {
  const [row] = await db.select().from(assessments).where(eq(assessments.id, id))
  return row
}

/** Undefined if the id, or a price's id, is already taken. The new assessment gets the videos of the existing ones. */
export async function addAssessment(db: Database, assessment: Omit<AssessmentRow, 'videoUrls'>): Promise<AssessmentRow | undefined> {
  return db.transaction(async (tx) => {
    // two concurrent inserts could each miss the other's price
    await tx.execute(sql`lock table ${assessments} in share row exclusive mode`)
    const rows = await tx.select().from(assessments).orderBy(asc(assessments.id))
    const taken = new Set(rows.flatMap(({ prices }) => prices.map(({ id }) => id)))
    const ids = assessment.prices.map(({ id }) => id)
    if (rows.some(({ id }) => id === assessment.id) || ids.some((id) => taken.has(id)) || new Set(ids).size < ids.length) return undefined
    const [row] = await tx
      .insert(assessments)
      .values({ ...assessment, videoUrls: rows[0]?.videoUrls ?? [] })
      .returning()
    return row
  })
}

export async function pageOfAssessments(db: Database, page: number, limit: number): Promise<{ rows: AssessmentRow[]; total: number }> {
  const rows = await db
    .select()
    .from(assessments)
    .orderBy(asc(assessments.id))
    .limit(limit)
    .offset((page - 1) * limit)
  return { rows, total: await db.$count(assessments) }
}
