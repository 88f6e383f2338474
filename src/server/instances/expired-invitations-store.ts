import { and, eq, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm'
import { daysBefore } from '#contract/rules/dates.ts'
import type { Database } from '../db/database.ts'
import { instances } from '../db/schema/instances.ts'
import { users } from '../db/schema/users.ts'
import { tryEach } from '../try-each.ts'
import { reclaimInstance } from './reclaim-store.ts'

/** Addresses of people who were invited and never signed in: they never agreed that we store those (decision 0026). */

/** Kept this long after a reclaim. */
const RETENTION_DAYS = 30
/** Kept this long after the last invitation to a pending one. */
const WAITING_DAYS = 400

// people with an account decide for themselves when it ends
const isNobodys = and(isNull(instances.userId), ne(instances.email, ''))

/** Reclaims instances that have been pending too long, with their tokens, and erases the addresses of reclaimed ones. */
export async function expireInvitations(db: Database, now: Date): Promise<void> {
  const ofErasedCoach = sql`exists (select 1 from ${users} where ${users.id} = ${instances.coachId} and ${users.erasedAt} is not null)`
  const invitedBefore = daysBefore(now, WAITING_DAYS)
  const waiting = await db
    .select({ id: instances.id, coachId: instances.coachId })
    .from(instances)
    .where(and(isNobodys, eq(instances.status, 'ALLOCATED'), or(lt(instances.invitedAt, invitedBefore), ofErasedCoach)))
  await tryEach(waiting, async ({ id, coachId }) => {
    if (coachId !== null) await reclaimInstance(db, { id, coachId, seenStatus: 'ALLOCATED', isPlayerNotified: false }, now)
  })
  const takenBackBefore = daysBefore(now, RETENTION_DAYS)
  await db
    .update(instances)
    .set({ email: '', emailNormal: '', playerName: null, userTeam: null, userPositionName: null })
    .where(and(isNobodys, isNotNull(instances.reclaimedAt), or(lt(instances.reclaimedAt, takenBackBefore), ofErasedCoach)))
}
