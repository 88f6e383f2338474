import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { normalEmail } from '#contract/rules/email.ts'
import { ASSESSMENT_ID, currentVersionOf } from '#server/content/content.ts'
import type { Database } from '#server/db/database.ts'
import { answerGroups, answerLog } from '#server/db/schema/answers.ts'
import { instances } from '#server/db/schema/instances.ts'
import { monthOf } from '#server/instances/answer-log-store.ts'
import { score } from '#server/instances/scoring.ts'
import { answeredGroups, leaningOf, type AnsweredGroup } from './leaning.ts'

/** Two letters are clear, two are not, and the style lies between two: a result that shows everything a result can say. */
const LEANING = {
  ...leaningOf(2),
  firstCounts: { EI: 2, SN: 8, TF: 6, JP: 4 },
  modes: { experience: 0.35, watch: 0.5, idea: 0.8, do: 0.45 },
}

/** Creates a player's own instance with the first part of its questions answered; completed and scored if all are. */
export async function seedInstance(
  db: Database,
  { userId, email, shareAnswered }: { userId: string; email: string; shareAnswered: number },
  now: Date,
): Promise<string> {
  const id = randomUUID()
  const contentVersion = currentVersionOf(ASSESSMENT_ID)
  const groups = answeredGroups(contentVersion, shareAnswered, LEANING)
  const status = groups.length > 0 ? 'IN_PROGRESS' : 'OWNED'
  const startedAt = groups.length > 0 ? now : null
  const revision = groups.length > 0 ? 1 : 0
  const own = { id, assessmentId: ASSESSMENT_ID, contentVersion, userId, email, emailNormal: normalEmail(email) }
  await db.insert(instances).values({ ...own, status, startedAt, revision, createdAt: now })
  if (groups.length === 0) return id
  await db.insert(answerGroups).values(groups.map((group) => ({ ...group, instanceId: id, revision: 1 })))
  await db.insert(answerLog).values(loggedSave(id, groups, shareAnswered === 1, now))
  if (shareAnswered < 1) return id
  const results = score(contentVersion, itemsOf(groups))
  await db
    .update(instances)
    .set({ status: 'COMPLETED', completedAt: now, results, scoringVersion: results.scoringVersion })
    .where(eq(instances.id, id))
  return id
}

/** The save that stored the seeded answers. */
export function loggedSave(instanceId: string, groups: readonly AnsweredGroup[], isWhole: boolean, at: Date) {
  return {
    instanceId,
    logMonth: monthOf(instanceId),
    operationId: randomUUID(),
    revision: 1,
    completionStatus: isWhole ? ('COMPLETED' as const) : ('IN_PROGRESS' as const),
    groups: groups.map((group) => ({ ...group, revision: 1, base: 0 })),
    superseded: [],
    at,
  }
}

export function itemsOf(groups: readonly AnsweredGroup[]): Record<string, string> {
  const answers: Record<string, string> = {}
  for (const { value } of groups) for (const [id, answer] of Object.entries(value)) if (answer !== null) answers[id] = answer
  return answers
}
