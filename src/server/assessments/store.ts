import { asc, eq, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { assessments } from '../db/schema.ts'

export type AssessmentRow = typeof assessments.$inferSelect

export async function findAssessment(db: Database, id: string): Promise<AssessmentRow | undefined> {
  const [row] = await db.select().from(assessments).where(eq(assessments.id, id))
  return row
}

export async function pageOfAssessments(db: Database, page: number, limit: number): Promise<{ rows: AssessmentRow[]; total: number }> {
  const rows = await db
    .select()
    .from(assessments)
    .orderBy(asc(assessments.id))
    .limit(limit)
    .offset((page - 1) * limit)
  const [counted] = await db.select({ total: sql<number>`count(*)::int` }).from(assessments)
  return { rows, total: counted?.total ?? 0 }
}
