import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { assessments } from '../db/schema/assessments.ts'
import { users } from '../db/schema/users.ts'

interface InstanceOfMail {
  coachId: string
  assessmentId: string
  userId: string | null
}

/** What mails about an allocated instance need; its player only while their account is open. Undefined if it has no coach. */
export async function readMailDetails(tx: Database, { coachId, assessmentId, userId }: InstanceOfMail) {
  const [about] = await tx
    .select({ coach: users, offer: assessments })
    .from(users)
    .innerJoin(assessments, eq(assessments.id, assessmentId))
    .where(eq(users.id, coachId))
  if (!about) return undefined
  const [player] =
    userId === null
      ? []
      : await tx
          .select({ language: users.language })
          .from(users)
          .where(and(eq(users.id, userId), isNull(users.deactivatedAt)))
  return { ...about, player }
}
