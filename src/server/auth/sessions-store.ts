import { and, asc, desc, eq, gt, inArray, isNull, lt, ne, type SQL } from 'drizzle-orm'
import { isId } from '#contract/rules/ids.ts'
import { DAY_MS, daysBefore } from '#contract/rules/dates.ts'
import { appendAuditEntry } from '../audit/store.ts'
import type { Database } from '../db/database.ts'
import { sessions } from '../db/schema/sign-in.ts'
import { users } from '../db/schema/users.ts'
import { queueMail } from '../mailer/store.ts'
import { sessionEndedMail } from './notices.ts'
import { ABSOLUTE_DAYS, IDLE_DAYS, judgeRefresh, type ClientInfo, type Verdict } from './refresh-rules.ts'
import type { User } from './store.ts'

/** Sessions. Each function is one transaction, serialised per session by a row lock. */

const SESSIONS_PER_USER = 10

export interface NewSession extends ClientInfo {
  id: string
  salt: string
  userId: string
}

/** Opens a session; with more than ten the oldest ends. The caller has locked the account. */
export async function openSession(tx: Database, session: NewSession, now: Date): Promise<void> {
  const live = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, session.userId), isNull(sessions.revokedAt), gt(sessions.absoluteEnd, now)))
    .orderBy(asc(sessions.createdAt), asc(sessions.id))
  const surplus = live.slice(0, Math.max(0, live.length - SESSIONS_PER_USER + 1)).map((one) => one.id)
  if (surplus.length > 0) await tx.update(sessions).set({ revokedAt: now }).where(inArray(sessions.id, surplus))
  const absoluteEnd = new Date(now.getTime() + ABSOLUTE_DAYS * DAY_MS)
  await tx.insert(sessions).values({ ...session, createdAt: now, lastUsedAt: now, rotatedAt: now, absoluteEnd })
  await appendAuditEntry(tx, { event: 'signed-in', userId: session.userId, about: session.id }, now)
}

interface SessionWithUser {
  session: typeof sessions.$inferSelect
  user: User
}

export async function findSession(db: Database, id: string): Promise<SessionWithUser | undefined> {
  if (!isId(id)) return undefined
  const [row] = await db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.id, id))
  return row
}

/** Judges a refresh token by its number and applies the verdict, one at a time per session. A replay is mailed to the owner. */
export async function applyRefresh(db: Database, id: string, counter: number, requester: ClientInfo, now: Date): Promise<Verdict> {
  return db.transaction(async (tx) => {
    const [session] = await tx.select().from(sessions).where(eq(sessions.id, id)).for('update')
    if (!session) return { kind: 'ended' }
    const verdict = judgeRefresh(session, counter, requester, now)
    if (verdict.kind === 'rotate') {
      await tx
        .update(sessions)
        .set({ refreshCounter: counter + 1, rotatedAt: now, lastUsedAt: now, repeats: 0 })
        .where(eq(sessions.id, id))
    }
    if (verdict.kind === 'again' && verdict.counted) {
      await tx
        .update(sessions)
        .set({ ...verdict.counted, lastUsedAt: now })
        .where(eq(sessions.id, id))
    }
    if (verdict.kind === 'replay') {
      await tx.update(sessions).set({ revokedAt: now }).where(eq(sessions.id, id))
      const [owner] = await tx.select().from(users).where(eq(users.id, session.userId))
      if (owner) await queueMail(tx, sessionEndedMail(owner), now)
      await appendAuditEntry(tx, { event: 'refresh-reused', userId: session.userId, about: id }, now)
    }
    return verdict
  })
}

/** Deletes sessions a month after their end. */
export async function deleteOldSessions(db: Database, now: Date): Promise<void> {
  await db.delete(sessions).where(lt(sessions.absoluteEnd, daysBefore(now, ABSOLUTE_DAYS)))
}

/** Ends one session, without an audit entry; one that has ended stays as it is. */
export async function revokeSession(db: Database, id: string, now: Date): Promise<void> {
  await db
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(eq(sessions.id, id), isNull(sessions.revokedAt)))
}

const isOpen = (userId: string, now: Date) =>
  and(
    eq(sessions.userId, userId),
    isNull(sessions.revokedAt),
    gt(sessions.absoluteEnd, now),
    gt(sessions.lastUsedAt, daysBefore(now, IDLE_DAYS)),
  )

/** A user's open sessions, last used first. */
export async function listSessions(db: Database, userId: string, now: Date): Promise<(typeof sessions.$inferSelect)[]> {
  return db.select().from(sessions).where(isOpen(userId, now)).orderBy(desc(sessions.lastUsedAt), desc(sessions.createdAt))
}

/** Ends an open session of this user; false if there is none. */
export async function endSession(db: Database, userId: string, id: string, now: Date): Promise<boolean> {
  return isId(id) && (await endThose(db, userId, eq(sessions.id, id), now)) > 0
}

/** Ends all open sessions of an account but one, each with an audit entry. */
export async function endSessionsExcept(db: Database, userId: string, id: string, now: Date): Promise<void> {
  await endThose(db, userId, ne(sessions.id, id), now)
}

async function endThose(db: Database, userId: string, which: SQL, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const ended = await tx
      .update(sessions)
      .set({ revokedAt: now })
      .where(and(isOpen(userId, now), which))
      .returning({ id: sessions.id })
    for (const { id } of ended) await appendAuditEntry(tx, { event: 'session-ended', userId, about: id }, now)
    return ended.length
  })
}
