import { randomUUID } from 'node:crypto'
import {
  and,
  asc,
  desc,
  eq,
  exists,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  not,
  notInArray,
  or,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { REMINDERS_MAXIMUM } from '#contract/constants.ts'
import type { BounceReason, InvitationState } from '#contract/rules/statuses.ts'
import type { Database } from '../db/database.ts'
import { blockedAddresses } from '../db/schema/blocks.ts'
import { instances } from '../db/schema/instances.ts'
import { MAILBOX_IN_SQL, mails, mailSuppressions } from '../db/schema/mails.ts'
import type { Language } from '#contract/languages.ts'
import { removeJobs, sendJob, startNow } from '../job-engine/engine.ts'
import { forgetBounce } from './bounces-store.ts'
import { mailboxOf } from './mailbox.ts'
import { addressHash } from './unsubscribe-tokens.ts'

/**
 * Mails to send: queued in the transaction they report, sent by sending.ts (decisions 0019, 0051). Only this file writes them, and
 * bounces-store.ts what became of them later.
 */

const isOpen = and(isNull(mails.sentAt), isNull(mails.failedAt))

export type QueuedMail = typeof mails.$inferSelect

export interface NewMail {
  kind: QueuedMail['kind']
  to: string
  toNormal: string
  instanceId: string
  language: Language
  /** fills the placeholders of its words; never a secret */
  facts: Record<string, string>
}

/** Queues a mail in the transaction of what it reports, so that both happen or neither. */
export async function queueMail(tx: Database, mail: NewMail, now: Date): Promise<void> {
  const id = await storeMail(tx, mail, now)
  await sendJob(tx, 'mails', { id, name: mail.kind })
}

/** Longer than a mail server may take for a mail (outside/mail.ts): by then it took the invitation, or its process was killed. */
const HOLD_SECONDS = 15 * 60

/** Queues a mail that is sent once an invitation to its instance turns out to have been (`sendHeld`), or if that does not become known. */
export async function holdMail(tx: Database, mail: NewMail, now: Date): Promise<void> {
  const id = await storeMail(tx, mail, now)
  await sendJob(tx, 'mails', { id, name: mail.kind, startAfter: HOLD_SECONDS })
}

async function storeMail(tx: Database, mail: NewMail, now: Date): Promise<string> {
  const id = randomUUID()
  await tx.insert(mails).values({ ...mail, id, createdAt: now })
  return id
}

const hasJobThat = (is: SQL) => sql`exists (select from jobs.job where name = 'mails' and jobs.job.id = ${mails.id} and ${is})`

// not as of the transaction's start: it may have waited for the one that made the mail due
const isWaiting = hasJobThat(sql`state = 'created' and start_after > clock_timestamp()`)

const isHeld = (instance: SQL | undefined) => and(instance, eq(mails.kind, 'taken-back'), isOpen, isWaiting)

/** The caller has locked the instance. */
async function sendHeld(tx: Database, instanceId: string): Promise<void> {
  const held = await tx
    .select({ id: mails.id })
    .from(mails)
    .where(isHeld(eq(mails.instanceId, instanceId)))
    .orderBy(asc(mails.id))
    .for('update')
  await startNow(tx, 'mails', idsOf(held))
}

/** An invitation may have arrived: the mail server had all of it, and did not say what became of it. */
export async function noteUnanswered(db: Database, { kind, instanceId }: QueuedMail): Promise<void> {
  if (kind !== 'invitation') return
  await db.transaction(async (tx) => {
    await lockInstance(tx, instanceId)
    await sendHeld(tx, instanceId)
  })
}

/** The mail server refused an invitation for good. */
export async function noteRefused(db: Database, { id, kind, instanceId, tries }: QueuedMail, now: Date): Promise<void> {
  // an earlier try may have arrived
  if (kind !== 'invitation' || tries > 1) return
  await db.transaction(async (tx) => {
    await lockInstance(tx, instanceId)
    await dropHeld(tx, instanceId, now, id)
  })
}

/**
 * Nobody was invited after all, unless another invitation is at the mail server. The caller has locked the instance.
 * @param refused the id of one that is there no longer
 */
async function dropHeld(tx: Database, instanceId: string, now: Date, refused?: string): Promise<void> {
  if ((await isLeaving(tx, instanceId, refused)) || (await wasInvited(tx, instanceId))) return
  await drop(tx, isHeld(eq(mails.instanceId, instanceId)), now)
}

async function drop(tx: Database, wanted: SQL | undefined, now: Date): Promise<void> {
  const dropped = await tx.update(mails).set({ failedAt: now }).where(wanted).returning({ id: mails.id })
  await removeJobs(tx, 'mails', idsOf(dropped))
}

/** The same assessment is given to the address again: a mail about the last one would arrive after the new invitation. */
export async function dropTakenBack(
  tx: Database,
  { coachId, emailNormal, assessmentId }: { coachId: string; emailNormal: string; assessmentId: string },
  now: Date,
): Promise<void> {
  const given = tx
    .select({ id: instances.id })
    .from(instances)
    .where(and(eq(instances.coachId, coachId), eq(instances.emailNormal, emailNormal), eq(instances.assessmentId, assessmentId)))
  const isUntried = and(isOpen, eq(mails.tries, 0), hasJobThat(sql`state in ('created', 'retry')`))
  await drop(tx, and(inArray(mails.instanceId, given), eq(mails.kind, 'taken-back'), isUntried), now)
}

/** Whether the mail server may be taking an invitation to the instance at this moment, or may have taken one without a word. */
export async function mayBeTaken(tx: Database, instanceId: string): Promise<boolean> {
  const isTried = and(eq(mails.instanceId, instanceId), eq(mails.kind, 'invitation'), isNull(mails.sentAt), gt(mails.tries, 0))
  // a reminder removes the job of what it replaces, which the mail server may have
  const isUndecided = and(isTried, not(hasJobThat(sql`state in ('completed', 'failed')`)))
  return (await tx.select({ id: mails.id }).from(mails).where(isUndecided).limit(1)).length > 0
}

/** Whether an invitation to the instance, other than this one, was begun and not decided; also one without a job, as it was cancelled. */
async function isLeaving(tx: Database, instanceId: string, refused?: string): Promise<boolean> {
  const isTried = and(eq(mails.instanceId, instanceId), eq(mails.kind, 'invitation'), isNull(mails.sentAt), gt(mails.tries, 0))
  const isOther = refused === undefined ? undefined : ne(mails.id, refused)
  return (await tx.select({ id: mails.id }).from(mails).where(and(isTried, isOther)).limit(1)).length > 0
}

/** Whether the mail server took an invitation to the instance. */
export async function wasInvited(tx: Database, instanceId: string): Promise<boolean> {
  const isSent = and(eq(mails.instanceId, instanceId), eq(mails.kind, 'invitation'), isNotNull(mails.sentAt))
  return (await tx.select({ id: mails.id }).from(mails).where(isSent).limit(1)).length > 0
}

/** Locks several mails before they are written, in the order of their ids, so that two transactions cannot deadlock. */
async function lockInOrder(tx: Database, wanted: SQL | undefined): Promise<void> {
  await tx.select({ id: mails.id }).from(mails).where(wanted).orderBy(asc(mails.id)).for('update')
}

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

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)

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

/** Counts a try, which may reach somebody until `undoTry`; undefined if the mail was sent, cancelled or given up in the meantime. */
export async function beginTry(db: Database, id: string): Promise<QueuedMail | undefined> {
  const [mail] = await db
    .update(mails)
    .set({ tries: sql`${mails.tries} + 1` })
    .where(and(eq(mails.id, id), isOpen))
    .returning()
  return mail
}

/** Uncounts a try that reached nobody, and the reminder that replaced the mail during it. */
export async function undoTry(db: Database, { id, kind, instanceId }: QueuedMail, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    if (kind === 'invitation') await lockInstance(tx, instanceId)
    const [undone] = await tx
      .update(mails)
      .set({ tries: sql`${mails.tries} - 1` })
      .where(eq(mails.id, id))
      .returning({ cancelledAt: mails.failedAt })
    if (kind !== 'invitation' || !undone?.cancelledAt) return
    await tx
      .update(instances)
      .set({ resends: sql`greatest(${instances.resends} - 1, 0)` })
      .where(eq(instances.id, instanceId))
    await dropHeld(tx, instanceId, now)
  })
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

async function lockInstance(tx: Database, id: string): Promise<void> {
  await tx.select({ id: instances.id }).from(instances).where(eq(instances.id, id)).for('update')
}

/** Stores that the mail server accepted a mail; for an invitation, also on its instance. */
export async function markSent(db: Database, mail: QueuedMail, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    // it may have bounced already: the instance is locked before checking
    if (mail.kind === 'invitation') await lockInstance(tx, mail.instanceId)
    const isBack = exists(
      tx
        .select({ id: mails.id })
        .from(mails)
        .where(and(eq(mails.id, mail.id), isNotNull(mails.bouncedAt))),
    )
    await setInvitationState(tx, mail, { invitation: 'sent' }, not(isBack))
    await tx.update(mails).set({ sentAt: now, failedAt: null }).where(eq(mails.id, mail.id))
    if (mail.kind === 'invitation') await sendHeld(tx, mail.instanceId)
  })
}

/**
 * Ends a mail that will not be sent, with the reason. One that was cancelled while it was being sent stays cancelled.
 * @param bouncedAt when another mail to the address came back because nobody has it, if that is why
 */
export async function markFailed(
  db: Database,
  mail: Pick<QueuedMail, 'id' | 'kind' | 'instanceId'>,
  why: 'refused' | 'given-up' | 'unwanted',
  now: Date,
  bouncedAt?: Date,
): Promise<void> {
  const isMeant = and(eq(mails.id, mail.id), isOpen)
  const state: InstanceState = { invitation: why, ...(bouncedAt === undefined ? {} : { bouncedAt, bouncedWhy: 'unknown-address' }) }
  await db.transaction(async (tx) => {
    await setInvitationState(tx, mail, state, exists(tx.select({ id: mails.id }).from(mails).where(isMeant)))
    await tx.update(mails).set({ failedAt: now }).where(isMeant)
  })
}

const isUnsent = (ids: string[]) => and(inArray(mails.id, ids), isNull(mails.sentAt))

const invitedBy = (tx: Database, ids: string[]) =>
  tx
    .select({ id: mails.instanceId })
    .from(mails)
    .where(and(isUnsent(ids), eq(mails.kind, 'invitation')))

/** Before their jobs are locked: instances, mails, jobs is the order of locks in a reclaim and an erasure. */
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

const DAY_MS = 86_400_000

const hasJob = hasJobThat(sql`state in ('created', 'retry', 'active')`)

/** Gives up on mails without a job: its process was killed at the last try, or it waited for too long. */
export async function endLostMails(db: Database, now: Date): Promise<void> {
  const lost = await db
    .select({ id: mails.id, kind: mails.kind, instanceId: mails.instanceId })
    .from(mails)
    .where(and(isOpen, lt(mails.createdAt, new Date(now.getTime() - DAY_MS)), not(hasJob)))
  for (const mail of lost) await markFailed(db, mail, 'given-up', now)
}

interface InstanceState {
  invitation: InvitationState
  bouncedAt?: Date
  bouncedWhy?: BounceReason
}

// the instance before its mails, the order of locks in a reclaim and a reminder
async function setInvitationState(tx: Database, mail: Pick<QueuedMail, 'kind' | 'instanceId'>, state: InstanceState, isMeant?: SQL) {
  if (mail.kind !== 'invitation') return
  await tx
    .update(instances)
    .set(state)
    .where(and(eq(instances.id, mail.instanceId), isMeant))
}

const WEEK_MS = 7 * 86_400_000
/** Invitations and reminders that one coach may send to an address in a week, however often it is allocated and reclaimed. */
const PER_COACH = 1 + REMINDERS_MAXIMUM
/** What all coaches together may send to a mailbox in a week. */
const PER_MAILBOX = 20

/** Seconds until one more may be sent; 0 is now. */
interface InvitationWait {
  /** by what this coach has sent to this address */
  own: number
  /** by what its mailbox has received: from all coaches, or from this one at the mailbox's other addresses */
  mailbox: number
}

/** Was sent, may have been, or is due: not what was cancelled or given up and reached nobody. */
const mayArrive = or(gt(mails.tries, 0), isNull(mails.failedAt))

/**
 * How long until this coach may send another invitation to this address, which replaces some. Counts mails that may arrive. The caller
 * holds the address's lock (instances/pending-store.ts).
 */
export async function invitationWait(
  tx: Database,
  { coachId, emailNormal: toNormal, replaced = [] }: { coachId: string; emailNormal: string; replaced?: string[] },
  now: Date,
): Promise<InvitationWait> {
  const isInMailbox = sql`${MAILBOX_IN_SQL} = ${mailboxOf(toNormal)}`
  const isInvitation = and(isInMailbox, eq(mails.kind, 'invitation'), gt(mails.createdAt, new Date(now.getTime() - WEEK_MS)))
  const sent = await tx
    .select({ at: mails.createdAt, toNormal: mails.toNormal, coachId: instances.coachId })
    .from(mails)
    .innerJoin(instances, eq(instances.id, mails.instanceId))
    .where(and(isInvitation, mayArrive, notInArray(mails.id, replaced)))
    .orderBy(desc(mails.createdAt))
    .limit(PER_MAILBOX)
  const waitFor = (newestFirst: typeof sent, maximum: number) => {
    const first = newestFirst.at(maximum - 1)
    return first === undefined ? 0 : (first.at.getTime() + WEEK_MS - now.getTime()) / 1000
  }
  const ofCoach = sent.filter((one) => one.coachId === coachId)
  const toAddress = ofCoach.filter((one) => one.toNormal === toNormal)
  return { own: waitFor(toAddress, PER_COACH), mailbox: Math.max(waitFor(ofCoach, PER_COACH), waitFor(sent, PER_MAILBOX)) }
}

/** "Taken back" mails in a week: from one coach, and from all. */
const TAKEN_BACK_PER_COACH = 1
const TAKEN_BACK_PER_MAILBOX = 3

/** Whether another "taken back" mail may be sent. The caller holds the address's lock. */
export async function mayNotifyTakenBack(tx: Database, coachId: string, toNormal: string, now: Date): Promise<boolean> {
  const isInMailbox = sql`${MAILBOX_IN_SQL} = ${mailboxOf(toNormal)}`
  const told = await tx
    .select({ coachId: instances.coachId })
    .from(mails)
    .innerJoin(instances, eq(instances.id, mails.instanceId))
    .where(and(isInMailbox, eq(mails.kind, 'taken-back'), mayArrive, gt(mails.createdAt, new Date(now.getTime() - WEEK_MS))))
    .limit(TAKEN_BACK_PER_MAILBOX)
  return told.length < TAKEN_BACK_PER_MAILBOX && told.filter((one) => one.coachId === coachId).length < TAKEN_BACK_PER_COACH
}

/** Whether the owner of an address has unsubscribed from invitations, or the operator has blocked it. */
export async function isSuppressed(db: Database, toNormal: string): Promise<boolean> {
  const hash = addressHash(toNormal)
  const found = await unionAll(
    db.select({ at: mailSuppressions.at }).from(mailSuppressions).where(eq(mailSuppressions.addressHash, hash)),
    db.select({ at: blockedAddresses.at }).from(blockedAddresses).where(eq(blockedAddresses.addressHash, hash)),
  )
  return found.length > 0
}

/** Stops invitations to the address of this hash. */
export async function unsubscribe(db: Database, hash: string, now: Date): Promise<void> {
  await db.insert(mailSuppressions).values({ addressHash: hash, at: now }).onConflictDoNothing()
}

/** Reverses `unsubscribe`. */
export async function resubscribe(db: Database, hash: string): Promise<void> {
  await db.delete(mailSuppressions).where(eq(mailSuppressions.addressHash, hash))
}

interface ErasedAccount {
  /** of the account */
  id: string
  emailNormal: string
  /** the ids of what was given to the person */
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

/** Deletes mails a month after their end: they name people. */
export async function deleteOldMails(db: Database, now: Date): Promise<void> {
  const then = new Date(now.getTime() - RETENTION_DAYS * DAY_MS)
  const isOld = or(lt(mails.sentAt, then), lt(mails.failedAt, then))
  await db.transaction(async (tx) => {
    await lockInOrder(tx, isOld)
    await tx.delete(mails).where(isOld)
  })
}
