import { and, asc, desc, eq, inArray, isNotNull, lt, lte, or, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { mails } from '../db/schema.ts'
import type { Language } from '../http/handle.ts'

/** Mails to send: written in the transaction of what they tell, sent by queue.ts (decision 0019). Only this file writes them. */

export type QueuedMail = typeof mails.$inferSelect

export interface NewMail {
  kind: QueuedMail['kind']
  to: string
  toNormal: string
  instanceId: string
  language: Language
  /** what its words are filled with; never a secret */
  facts: Record<string, string>
}

export async function queueMail(tx: Database, mail: NewMail, now: Date): Promise<void> {
  await tx.insert(mails).values({ ...mail, createdAt: now, nextTryAt: now })
}

/** What was to be sent about an instance and has not left is not sent any more. */
export async function cancelMails(tx: Database, instanceId: string, now: Date): Promise<void> {
  await tx
    .update(mails)
    .set({ nextTryAt: null, failedAt: now })
    .where(and(eq(mails.instanceId, instanceId), isNotNull(mails.nextTryAt)))
}

/** Of the last invitation to an instance. */
export async function languageOfLast(tx: Database, instanceId: string): Promise<string | undefined> {
  const [last] = await tx
    .select({ language: mails.language })
    .from(mails)
    .where(and(eq(mails.instanceId, instanceId), eq(mails.kind, 'invitation')))
    .orderBy(desc(mails.createdAt))
    .limit(1)
  return last?.language
}

/**
 * Takes some that are due for as long as `until`: meanwhile nobody else gets them, and if this server dies they are due
 * again then.
 */
export async function takeDue(db: Database, count: number, now: Date, until: Date): Promise<QueuedMail[]> {
  // rows that another server is taking are passed by, not waited for
  const due = db
    .$with('due')
    .as(
      db
        .select({ id: mails.id })
        .from(mails)
        .where(lte(mails.nextTryAt, now))
        .orderBy(asc(mails.nextTryAt))
        .limit(count)
        .for('update', { skipLocked: true }),
    )
  return db
    .with(due)
    .update(mails)
    .set({ nextTryAt: until, tries: sql`${mails.tries} + 1` })
    .where(inArray(mails.id, db.select({ id: due.id }).from(due)))
    .returning()
}

export async function noteSent(db: Database, id: string, now: Date): Promise<void> {
  await db.update(mails).set({ sentAt: now, nextTryAt: null }).where(eq(mails.id, id))
}

/** `again` null: given up. One that was cancelled while it was under way stays so. */
export async function noteNotSent(db: Database, id: string, again: Date | null, now: Date): Promise<void> {
  await db
    .update(mails)
    .set(again === null ? { nextTryAt: null, failedAt: now } : { nextTryAt: again })
    .where(and(eq(mails.id, id), isNotNull(mails.nextTryAt)))
}

/** Those to an address are emptied, and no more is sent there. */
export async function eraseMails(tx: Database, toNormal: string, now: Date): Promise<void> {
  const isOpen = isNotNull(mails.nextTryAt)
  await tx
    .update(mails)
    .set({
      to: '',
      toNormal: '',
      facts: {},
      nextTryAt: null,
      failedAt: sql`case when ${isOpen} then ${now.toISOString()}::timestamptz else ${mails.failedAt} end`,
    })
    .where(eq(mails.toNormal, toNormal))
}

const KEPT_DAYS = 30
const DAY = 86_400_000

/** Those that are over go after a month: they name people. */
export async function forgetOldMails(db: Database, now: Date): Promise<void> {
  const then = new Date(now.getTime() - KEPT_DAYS * DAY)
  await db.delete(mails).where(or(lt(mails.sentAt, then), lt(mails.failedAt, then)))
}
