import { randomUUID } from 'node:crypto'
import { and, desc, eq, gt, or, sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { answerGroups, answerLog } from '../db/schema/answers.ts'
import { instances } from '../db/schema/instances.ts'
import { monthOf } from './answer-log-store.ts'

interface NewInstance {
  /** of the new instance */
  id: string
  coachId: string
  assessmentId: string
  userId: string
  contentVersion: string
}

/**
 * When the same coach allocates the same questions to the same player again, the answers of the reclaimed instance are restored, unless
 * the player has completed one since (decision 0039). They remain the player's alone.
 */
export async function restoreAnswers(
  tx: Database,
  { id, coachId, assessmentId, userId, contentVersion }: NewInstance,
  now: Date,
): Promise<void> {
  const isSame = and(eq(instances.coachId, coachId), eq(instances.assessmentId, assessmentId), eq(instances.userId, userId))
  const isOfSameQuestions = eq(instances.contentVersion, contentVersion)
  const isReclaimed = and(eq(instances.status, 'RECLAIMED'), isOfSameQuestions, gt(instances.revision, 0))
  const [before] = await tx
    .select({ id: instances.id, status: instances.status })
    .from(instances)
    .where(and(isSame, or(isReclaimed, eq(instances.status, 'COMPLETED'))))
    .orderBy(desc(sql`coalesce(${instances.reclaimedAt}, ${instances.completedAt})`))
    .limit(1)
  // once completed, the next one starts empty: its result is compared with this one
  if (before?.status !== 'RECLAIMED') return
  const groups = await tx.select().from(answerGroups).where(eq(answerGroups.instanceId, before.id))
  if (groups.length === 0) return
  const carried = groups.map(({ questionId, value }) => ({ questionId, value, revision: 1 }))
  await tx.insert(answerGroups).values(carried.map((group) => ({ ...group, instanceId: id, device: null })))
  await tx.insert(answerLog).values({
    instanceId: id,
    operationId: randomUUID(),
    revision: 1,
    completionStatus: 'IN_PROGRESS',
    groups: carried.map((group) => ({ ...group, base: 0 })),
    superseded: [],
    at: now,
    logMonth: monthOf(id),
  })
  // the instance does not count as begun: the coach sees nothing of the player before the brief is opened again (PRIVACY-3)
  await tx.update(instances).set({ revision: 1 }).where(eq(instances.id, id))
}
