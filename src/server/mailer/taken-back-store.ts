import { and, asc, eq, gt, inArray, isNotNull, isNull, ne, not, sql, type SQL } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { instances } from '../db/schema/instances.ts'
import { mails } from '../db/schema/mails.ts'
import { removeJobs, sendJob, startNow } from '../job-engine/engine.ts'
import { hasJobThat, idsOf, isOpen, storeMail, type NewMail } from './store.ts'

/** Mails that tell of a reclaim: who is told, and how they wait for an invitation that the mail server may have. decisions/0039 */

/** Longer than a mail server may take for a mail (outside/mail.ts): by then it took the invitation, or its process was killed. */
const HOLD_SECONDS = 15 * 60

/** Queues a mail that is sent once an invitation to its instance turns out to have been (`sendHeld`), or if that does not become known. */
export async function holdMail(tx: Database, mail: NewMail, now: Date): Promise<void> {
  const id = await storeMail(tx, mail, now)
  await sendJob(tx, 'mails', { id, name: mail.kind, startAfter: HOLD_SECONDS })
}

// not as of the transaction's start: it may have waited for the one that made the mail due
const isWaiting = hasJobThat(sql`state = 'created' and start_after > clock_timestamp()`)

const isHeld = (instance: SQL | undefined) => and(instance, eq(mails.kind, 'taken-back'), isOpen, isWaiting)

/** The caller has locked the instance. */
export async function sendHeld(tx: Database, instanceId: string): Promise<void> {
  const held = await tx
    .select({ id: mails.id })
    .from(mails)
    .where(isHeld(eq(mails.instanceId, instanceId)))
    .orderBy(asc(mails.id))
    .for('update')
  await startNow(tx, 'mails', idsOf(held))
}

/**
 * Nobody was invited after all, unless another invitation is at the mail server. The caller has locked the instance.
 * @param refused the id of one that is there no longer
 */
export async function dropHeld(tx: Database, instanceId: string, now: Date, refused?: string): Promise<void> {
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
