import { and, asc, desc, eq, gt, gte, inArray, isNotNull, isNull, ne, or, sql, type SQL } from 'drizzle-orm'
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

/** Nobody was invited after all, unless another invitation may have arrived. The caller has locked the instance. */
export async function dropHeld(tx: Database, instanceId: string, now: Date): Promise<void> {
  if ((await mayHaveArrived(tx, instanceId)) || (await wasInvited(tx, instanceId))) return
  await drop(tx, isHeld(eq(mails.instanceId, instanceId)), now)
  const [reclaimed] = await tx
    .select(giftFields)
    .from(instances)
    .where(and(eq(instances.id, instanceId), eq(instances.status, 'RECLAIMED')))
  if (reclaimed) await resumeTakenBack(tx, reclaimed)
}

async function drop(tx: Database, wanted: SQL | undefined, now: Date): Promise<void> {
  const dropped = await tx.update(mails).set({ failedAt: now }).where(wanted).returning({ id: mails.id })
  await removeJobs(tx, 'mails', idsOf(dropped))
}

/** What a coach gives to an address, perhaps again and again. */
interface Gift {
  /** null: no coach's */
  coachId: string | null
  emailNormal: string
  assessmentId: string
}

const giftFields = { coachId: instances.coachId, emailNormal: instances.emailNormal, assessmentId: instances.assessmentId }

const isOfGift = ({ coachId, emailNormal, assessmentId }: Gift) =>
  and(eq(instances.coachId, coachId ?? sql`null`), eq(instances.emailNormal, emailNormal), eq(instances.assessmentId, assessmentId))

const isAboutGift = (tx: Database, gift: Gift) =>
  inArray(mails.instanceId, tx.select({ id: instances.id }).from(instances).where(isOfGift(gift)))

/** The same assessment is given to the address again: a mail about the last one would arrive after the new invitation. */
export async function dropTakenBack(tx: Database, gift: Gift, now: Date): Promise<void> {
  const hasReachedNobody = and(isOpen, eq(mails.tries, 0))
  await drop(tx, and(isAboutGift(tx, gift), eq(mails.kind, 'taken-back'), hasReachedNobody), now)
}

/** Whether the assessment that a mail takes back has been given to its address again since, with an invitation. */
export async function isGivenAgain(db: Database, instanceId: string): Promise<boolean> {
  const [taken] = await db
    .select({ ...giftFields, reclaimedAt: instances.reclaimedAt })
    .from(instances)
    .where(eq(instances.id, instanceId))
  if (!taken?.reclaimedAt) return false
  const isLater = and(isOfGift(taken), ne(instances.id, instanceId), gte(instances.allocatedAt, taken.reclaimedAt))
  const found = await db
    .select({ id: mails.id })
    .from(instances)
    .innerJoin(mails, and(eq(mails.instanceId, instances.id), eq(mails.kind, 'invitation')))
    .where(and(isLater, ne(instances.status, 'RECLAIMED')))
    .limit(1)
  return found.length > 0
}

/**
 * A gift was taken back and its invitation reached nobody: if an earlier one's may have, the mail that takes that back, dropped for the
 * later invitation, is sent after all.
 */
export async function resumeTakenBack(tx: Database, gift: Gift): Promise<void> {
  // of somebody who was erased
  if (gift.emailNormal === '') return
  const [last] = await tx
    .select({ kind: mails.kind, instanceId: mails.instanceId })
    .from(mails)
    .where(and(isAboutGift(tx, gift), inArray(mails.kind, ['invitation', 'taken-back']), or(isDelivered, isUncertain)))
    .orderBy(desc(mails.createdAt))
    .limit(1)
  if (last?.kind !== 'invitation') return
  const isDropped = and(eq(mails.instanceId, last.instanceId), eq(mails.kind, 'taken-back'), isNotNull(mails.failedAt))
  const resumed = await tx.update(mails).set({ failedAt: null }).where(isDropped).returning({ id: mails.id, kind: mails.kind })
  // a job of a mail that was ended when it was due is still there
  await removeJobs(tx, 'mails', idsOf(resumed))
  for (const { id, kind } of resumed) await sendJob(tx, 'mails', { id, name: kind })
}

/** The mail server took it, and it did not come back. */
const isDelivered = and(isNotNull(mails.sentAt), isNull(mails.bouncedAt))
/** Begun and not sent: the mail server may have it, or may have taken it without a word. A try that reached nobody is uncounted. */
const isUncertain = and(isNull(mails.sentAt), gt(mails.tries, mails.refusals))

async function hasInvitation(tx: Database, instanceId: string, is: SQL | undefined): Promise<boolean> {
  const wanted = and(eq(mails.instanceId, instanceId), eq(mails.kind, 'invitation'), is)
  return (await tx.select({ id: mails.id }).from(mails).where(wanted).limit(1)).length > 0
}

/** Whether an invitation to the instance may have arrived, though the mail server did not say so. */
export const mayHaveArrived = (tx: Database, instanceId: string) => hasInvitation(tx, instanceId, isUncertain)

/** Whether the mail server took an invitation to the instance, and it did not come back. */
export const wasInvited = (tx: Database, instanceId: string) => hasInvitation(tx, instanceId, isDelivered)
