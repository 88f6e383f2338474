import { randomUUID } from 'node:crypto'
import { and, desc, eq, gt } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { answerGroups, answerLog } from '../db/schema/answers.ts'
import { instances } from '../db/schema/instances.ts'

interface Given {
  /** of the instance that was just made */
  id: string
  coachId: string
  assessmentId: string
  userId: string
  contentVersion: string
}

/**
 * An assessment that comes back to the same player from the same coach, with the same questions, goes on where it was
 * taken away: its answers are there again (decision 0039). They stay the player's alone.
 */
export async function carryAnswers(tx: Database, { id, coachId, assessmentId, userId, contentVersion }: Given, now: Date): Promise<void> {
  const isSame = and(eq(instances.coachId, coachId), eq(instances.assessmentId, assessmentId), eq(instances.userId, userId))
  const [before] = await tx
    .select({ id: instances.id })
    .from(instances)
    .where(and(isSame, eq(instances.contentVersion, contentVersion), eq(instances.status, 'RECLAIMED'), gt(instances.revision, 0)))
    .orderBy(desc(instances.reclaimedAt))
    .limit(1)
  if (!before) return
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
  })
  // not begun: the coach is shown nothing of the player's before the brief was opened again (PRIVACY-3)
  await tx.update(instances).set({ revision: 1 }).where(eq(instances.id, id))
}
