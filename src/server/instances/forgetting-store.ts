import { and, eq, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { instances } from '../db/schema/instances.ts'
import { users } from '../db/schema/users.ts'
import { reclaimInstance } from './reclaim-store.ts'

/** Addresses of people who were invited and never came: nobody asked them whether we may keep those (decision 0026). */

const DAY = 86_400_000
/** After an assessment was taken back. */
const KEPT_DAYS = 30
/** After the last invitation to one that still waits: then nobody is coming. */
const WAITING_DAYS = 400

// whoever has an account says when it ends
const isNobodys = and(isNull(instances.userId), ne(instances.email, ''))

/** Takes back what has waited too long, with its token, and empties the addresses of what was taken back. */
export async function forgetInvited(db: Database, now: Date): Promise<void> {
  const ofErasedCoach = sql`exists (select 1 from ${users} where ${users.id} = ${instances.coachId} and ${users.erasedAt} is not null)`
  const invitedBefore = new Date(now.getTime() - WAITING_DAYS * DAY)
  const waiting = await db
    .select({ id: instances.id, coachId: instances.coachId })
    .from(instances)
    .where(and(isNobodys, eq(instances.status, 'ALLOCATED'), or(lt(instances.invitedAt, invitedBefore), ofErasedCoach)))
  for (const { id, coachId } of waiting) {
    if (coachId !== null) await reclaimInstance(db, { id, coachId, seenStatus: 'ALLOCATED', isPlayerTold: false }, now)
  }
  const takenBackBefore = new Date(now.getTime() - KEPT_DAYS * DAY)
  await db
    .update(instances)
    .set({ email: '', emailNormal: '', playerName: null, userTeam: null, userPositionName: null })
    .where(and(isNobodys, isNotNull(instances.reclaimedAt), or(lt(instances.reclaimedAt, takenBackBefore), ofErasedCoach)))
}
