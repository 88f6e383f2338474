import { randomUUID } from 'node:crypto'
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, ne, not, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { Language } from '#contract/languages.ts'
import { PENDING_STATUSES } from '#contract/rules/statuses.ts'
import { daysBefore } from '#contract/rules/dates.ts'
import type { Database } from '../db/database.ts'
import { instances } from '../db/schema/instances.ts'
import { mails, type AccountKind, type AllocationKind } from '../db/schema/mails.ts'
import { removeJobs, sendJob } from '../job-engine/engine.ts'
import { forgetBounce } from './bounces-store.ts'

/**
 * Mails to send: queued in the transaction they report, sent by sending.ts (decisions 0019, 0051). What became of the tries is in
 * outcomes-store.ts, what came back later in bounces-store.ts. No file outside this folder writes them.
 */

/** A mail that was neither sent nor given up. */
export const isUnsettled = and(isNull(mails.sentAt), isNull(mails.failedAt))

/** What a mail is about: an allocation, or an account. The database checks it (`mails_about`). */
export type MailSubject = { kind: AllocationKind; instanceId: string } | { kind: AccountKind; instanceId: null }

export type QueuedMail = Omit<typeof mails.$inferSelect, keyof MailSubject> & MailSubject

export type AllocationMail = Extract<QueuedMail, { instanceId: string }>
export type AccountMail = Extract<QueuedMail, { instanceId: null }>

export type NewMail = MailSubject & {
  to: string
  toNormal: string
  language: Language
  /** fills the placeholders of its words; never a secret */
  facts: Record<string, string>
}

/** Queues a mail in the transaction of what it reports, so that both happen or neither. */
export async function queueMail(tx: Database, mail: NewMail, now: Date): Promise<void> {
  const id = await storeMail(tx, mail, now)
  await sendJob(tx, 'mails', { id, name: mail.kind })
}

export async function storeMail(tx: Database, mail: NewMail, now: Date): Promise<string> {
  const id = randomUUID()
  await tx.insert(mails).values({ ...mail, id, createdAt: mail.kind === 'invitation' ? afterLast(mail.instanceId, now) : now })
  return id
}

/** A time after the last invitation, even if a process whose clock is ahead stored it. */
const afterLast = (instanceId: string, now: Date) => {
  const last = sql`select max(created_at) + interval '1 millisecond' from mails where instance_id = ${instanceId} and kind = 'invitation'`
  return sql`greatest(${now.toISOString()}::timestamptz, (${last}))`
}

export const hasJobThat = (is: SQL) => sql`exists (select from jobs.job where name = 'mails' and jobs.job.id = ${mails.id} and ${is})`

/** Locks several mails before they are written, in the order of their ids, so that two transactions cannot deadlock. */
export async function lockInOrder(tx: Database, wanted: SQL | undefined): Promise<void> {
  await lockedInOrder(tx, wanted)
}

const lockedInOrder = (tx: Database, wanted: SQL | undefined) =>
  tx.select({ id: mails.id }).from(mails).where(wanted).orderBy(asc(mails.id)).for('update')

/** Cancels the unsent mails about an instance, also those that were given up, so that nobody repeats them. */
export async function cancelMails(tx: Database, instanceId: string, now: Date): Promise<void> {
  await lockInOrder(tx, and(eq(mails.instanceId, instanceId), isNull(mails.sentAt)))
  const unsent = await tx
    .update(mails)
    .set({ failedAt: sql`coalesce(${mails.failedAt}, ${now.toISOString()}::timestamptz)` })
    .where(and(eq(mails.instanceId, instanceId), isNull(mails.sentAt)))
    .returning({ id: mails.id })
  await removeJobs(tx, 'mails', idsOf(unsent))
}

export const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)

/** The language of the last invitation to an instance. */
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
 * The ids of an instance's invitations that the mail server did not take, and that wait for another try or were given up. Locked, so that
 * no try begins.
 */
export async function lockUntaken(tx: Database, instanceId: string): Promise<string[]> {
  const wasTried = sql`exists (select from jobs.job where name = 'mails' and jobs.job.id = ${mails.id} and state in ('retry', 'failed'))`
  const untaken = await tx
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.instanceId, instanceId), eq(mails.kind, 'invitation'), isNull(mails.sentAt), eq(mails.tries, 0), wasTried))
    .orderBy(asc(mails.id))
    .for('update')
  return idsOf(untaken)
}

export async function lockInstance(tx: Database, id: string): Promise<void> {
  await tx.select({ id: instances.id }).from(instances).where(eq(instances.id, id)).for('update')
}

const isUnsent = (ids: string[]) => and(inArray(mails.id, ids), isNull(mails.sentAt))

const invitedBy = (tx: Database, ids: string[]) =>
  tx
    .select({ id: mails.instanceId })
    .from(mails)
    .where(and(isUnsent(ids), eq(mails.kind, 'invitation')))

/** Locks mails before their jobs are locked: instances, mails, jobs is the order of locks in a reclaim and an erasure. */
export async function lockMails(tx: Database, ids: string[]): Promise<void> {
  const isInvited = inArray(instances.id, invitedBy(tx, ids))
  await tx.select({ id: instances.id }).from(instances).where(isInvited).orderBy(asc(instances.id)).for('update')
  await lockInOrder(tx, isUnsent(ids))
}

/** Mails that were given up wait again; their jobs are repeated in the same transaction, which has locked them. */
export async function reopenMails(tx: Database, ids: string[]): Promise<void> {
  await tx
    .update(instances)
    .set({ invitation: 'waiting' })
    .where(inArray(instances.id, invitedBy(tx, ids)))
  await tx.update(mails).set({ failedAt: null }).where(isUnsent(ids))
}

interface ErasedAccount {
  /** of the account */
  id: string
  emailNormal: string
  /** the ids of the person's instances */
  own: SQLWrapper
}

/** Erases the mails to a person and those that tell a coach their address, which are not sent any more; in all others, a coach's name. */
export async function eraseMails(tx: Database, { id, emailNormal, own }: ErasedAccount, now: Date): Promise<void> {
  // they then say "your coach"
  const isOfCoach = inArray(mails.instanceId, tx.select({ id: instances.id }).from(instances).where(eq(instances.coachId, id)))
  // mails about the person's own instances follow their new ids by the foreign key
  await lockInOrder(tx, or(eq(mails.toNormal, emailNormal), inArray(mails.instanceId, own), isOfCoach))
  const tellsAddress = and(eq(mails.kind, 'token-returned'), inArray(mails.instanceId, own))
  const ended = sql`case when ${mails.sentAt} is null then coalesce(${mails.failedAt}, ${now.toISOString()}::timestamptz) end`
  const erased = await tx
    .update(mails)
    .set({ to: '', toNormal: '', facts: {}, failedAt: ended })
    .where(or(eq(mails.toNormal, emailNormal), tellsAddress))
    .returning({ id: mails.id })
  await removeJobs(tx, 'mails', idsOf(erased))
  await tx
    .update(mails)
    .set({ facts: sql`${mails.facts} - 'coach'` })
    .where(isOfCoach)
  await forgetBounce(tx, emailNormal)
}

const RETENTION_DAYS = 30

/**
 * Deletes mails a month after their end: they name people. Sent invitations stay while a reclaim has to be told of, or may have to be; not
 * once the address was deleted with its coach.
 */
export async function deleteOldMails(db: Database, now: Date): Promise<void> {
  const then = daysBefore(now, RETENTION_DAYS)
  const isPending = or(inArray(instances.status, PENDING_STATUSES), gt(instances.reclaimedAt, then))
  const allocated = db
    .select({ id: instances.id })
    .from(instances)
    .where(and(isPending, ne(instances.emailNormal, '')))
  const isNeeded = and(eq(mails.kind, 'invitation'), isNotNull(mails.sentAt), inArray(mails.instanceId, allocated))
  const isOld = and(or(lt(mails.sentAt, then), lt(mails.failedAt, then)), not(isNeeded ?? sql`false`))
  await db.delete(mails).where(inArray(mails.id, lockedInOrder(db, isOld)))
}
