import { and, eq, isNull, sql } from 'drizzle-orm'
import type { UserTypeCode } from '#contract/rules/user-types.ts'
import { inBatches } from '../db/batch.ts'
import type { Database } from '../db/database.ts'
import { prepared } from '../db/prepared.ts'
import { sessions } from '../db/schema/sign-in.ts'
import { users } from '../db/schema/users.ts'

const liveSessions = prepared('live_sessions', (db) =>
  db
    .select({
      id: sessions.id,
      userId: sessions.userId,
      userType: users.userType,
      logPosition: users.logPosition,
      absoluteEnd: sessions.absoluteEnd,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(sql`${sessions.id} = any(${sql.placeholder('ids')}::uuid[])`, isNull(sessions.revokedAt), isNull(users.deactivatedAt))),
)

interface AccountQuery {
  id: string
  userId: string
  now: Date
}

// every call asks, so concurrent calls are batched
const accountOf = inBatches(async (db, queries: readonly AccountQuery[]) => {
  const rows = await liveSessions(db).execute({ ids: `{${queries.map(({ id }) => id).join(',')}}` })
  const live = new Map(rows.map((row) => [row.id, row]))
  return queries.map(({ id, userId, now }) => {
    const session = live.get(id)
    if (session?.userId !== userId || session.absoluteEnd <= now) return undefined
    return { kind: session.userType, logPosition: session.logPosition }
  })
})

interface LiveAccount {
  kind: UserTypeCode
  /** `users.logPosition` */
  logPosition: string | null
}

/** The account of a session while both are open; undefined ends access at once (SESSION-18). */
export function liveAccount(db: Database, id: string, userId: string, now: Date): Promise<LiveAccount | undefined> {
  return accountOf(db, { id, userId, now })
}
