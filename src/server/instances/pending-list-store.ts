import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm'
import { PENDING_STATUSES } from '#contract/rules/statuses.ts'
import type { Database } from '../db/database.ts'
import { instances } from '../db/schema/instances.ts'

interface PendingInstance {
  id: string
  coachId: string
  assessmentId: string
}

/** What coaches allocated to an address and is pending, oldest first. */
export async function listPendingOf(db: Database, emailNormal: string): Promise<PendingInstance[]> {
  const rows = await db
    .select({ id: instances.id, coachId: instances.coachId, assessmentId: instances.assessmentId })
    .from(instances)
    .where(and(eq(instances.emailNormal, emailNormal), isNotNull(instances.coachId), inArray(instances.status, [...PENDING_STATUSES])))
    .orderBy(asc(instances.allocatedAt), asc(instances.id))
  return rows.flatMap(({ coachId, ...rest }) => (coachId === null ? [] : [{ ...rest, coachId }]))
}
