import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, ne, or, sql, type SQL } from 'drizzle-orm'
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
 * Nobody was invited after all, unless another invitation may have arrived. The caller has locked the instance.
 * @param refused the id of one that was just refused
 */
export async function dropHeld(tx: Database, instanceId: string, now: Date, refused?: string): Promise<void> {
  if ((await mayHaveArrived(tx, instanceId, refused)) || (await wasInvited(tx, instanceId))) return
  await drop(tx, isHeld(eq(mails.instanceId, instanceId)), now)
}

async function drop(tx: Database, wanted: SQL | undefined, now: Date): Promise<void> {
  const dropped = await tx.update(mails).set({ failedAt: now }).where(wanted).returning({ id: mails.id })
  await removeJobs(tx, 'mails', idsOf(dropped))
}

/** What a coach gives to an address, again and again. */
interface Gift {
  coachId: string
  emailNormal: string
  assessmentId: string
}

const giftsOf = (tx: Database, { coachId, emailNormal, assessmentId }: Gift) =>
  tx
    .select({ id: instances.id })
    .from(instances)
    .where(and(eq(instances.coachId, coachId), eq(instances.emailNormal, emailNormal), eq(instances.assessmentId, assessmentId)))

/** The same assessment is given to the address again: a mail about the last one would arrive after the new invitation. */
export async function dropTakenBack(tx: Database, gift: Gift, now: Date): Promise<void> {
  const hasReachedNobody = and(isOpen, eq(mails.tries, 0))
  await drop(tx, and(inArray(mails.instanceId, giftsOf(tx, gift)), eq(mails.kind, 'taken-back'), hasReachedNobody), now)
}

/** Whether the last that may have arrived about a gift is an invitation whose "taken back" was dropped for that of a later gift. */
export async function isTakenBackUntold(tx: Database, gift: Gift): Promise<boolean> {
  const mayHave = or(isNotNull(mails.sentAt), gt(mails.tries, 0))
  const [last] = await tx
    .select({ kind: mails.kind, instanceId: mails.instanceId })
    .from(mails)
    .where(and(inArray(mails.instanceId, giftsOf(tx, gift)), inArray(mails.kind, ['invitation', 'taken-back']), mayHave))
    .orderBy(desc(mails.createdAt))
    .limit(1)
  if (last?.kind !== 'invitation') return false
  const isAboutIt = and(eq(mails.instanceId, last.instanceId), eq(mails.kind, 'taken-back'))
  return (await tx.select({ id: mails.id }).from(mails).where(isAboutIt).limit(1)).length > 0
}

/**
 * Whether an invitation to the instance was begun and not sent: the mail server may have it, or may have taken it without a word. One that
 * reached nobody is uncounted; one that was refused for good is not.
 * @param refused the id of one that is not meant
 */
export async function mayHaveArrived(tx: Database, instanceId: string, refused?: string): Promise<boolean> {
  const isTried = and(eq(mails.instanceId, instanceId), eq(mails.kind, 'invitation'), isNull(mails.sentAt), gt(mails.tries, 0))
  const isMeant = refused === undefined ? undefined : ne(mails.id, refused)
  return (await tx.select({ id: mails.id }).from(mails).where(and(isTried, isMeant)).limit(1)).length > 0
}

/** Whether the mail server took an invitation to the instance. */
export async function wasInvited(tx: Database, instanceId: string): Promise<boolean> {
  const isSent = and(eq(mails.instanceId, instanceId), eq(mails.kind, 'invitation'), isNotNull(mails.sentAt))
  return (await tx.select({ id: mails.id }).from(mails).where(isSent).limit(1)).length > 0
}
