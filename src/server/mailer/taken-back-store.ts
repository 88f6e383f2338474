import { and, asc, desc, eq, gt, gte, inArray, isNotNull, isNull, ne, or, sql, type SQL } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { instances } from '../db/schema/instances.ts'
import { mails } from '../db/schema/mails.ts'
import { users } from '../db/schema/users.ts'
import { removeJobs, sendJob, startNow } from '../job-engine/engine.ts'
import { lockAddress } from './address-lock-store.ts'
import { hasJobThat, idsOf, isUnsettled, lockInOrder, lockInstance, storeMail, type NewMail } from './store.ts'
import { mayNotifyTakenBack } from './weekly-limits-store.ts'

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

const isHeld = (instance: SQL | undefined) => and(instance, eq(mails.kind, 'taken-back'), isUnsettled, isWaiting)

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
 * Nobody was invited after all, unless another invitation may have arrived. The caller has locked as `lockForTakenBack` does.
 */
export async function dropHeld(tx: Database, instanceId: string, now: Date): Promise<void> {
  if ((await mayHaveArrived(tx, instanceId)) || (await wasInvited(tx, instanceId))) return
  await drop(tx, isHeld(eq(mails.instanceId, instanceId)), now)
  const [reclaimed] = await tx
    .select(allocationKeyFields)
    .from(instances)
    .where(and(eq(instances.id, instanceId), eq(instances.status, 'RECLAIMED')))
  if (reclaimed) await resumeTakenBack(tx, reclaimed, now)
}

async function drop(tx: Database, wanted: SQL | undefined, now: Date): Promise<void> {
  const dropped = await tx.update(mails).set({ failedAt: now }).where(wanted).returning({ id: mails.id })
  await removeJobs(tx, 'mails', idsOf(dropped))
}

/** What a coach allocates to an address, perhaps again and again. */
interface AllocationKey {
  /** null: no coach's */
  coachId: string | null
  emailNormal: string
  assessmentId: string
}

const allocationKeyFields = { coachId: instances.coachId, emailNormal: instances.emailNormal, assessmentId: instances.assessmentId }

const hasKey = ({ coachId, emailNormal, assessmentId }: AllocationKey) =>
  and(eq(instances.coachId, coachId ?? sql`null`), eq(instances.emailNormal, emailNormal), eq(instances.assessmentId, assessmentId))

const isAboutKey = (tx: Database, key: AllocationKey) =>
  inArray(mails.instanceId, tx.select({ id: instances.id }).from(instances).where(hasKey(key)))

/**
 * Locks the mails about an allocation before any of their jobs, and in one order: two transactions about it cannot deadlock, nor one and the
 * operator's retry.
 */
export async function lockMailsAbout(tx: Database, instanceId: string): Promise<void> {
  const [key] = await tx.select(allocationKeyFields).from(instances).where(eq(instances.id, instanceId))
  if (key) await lockInOrder(tx, isAboutKey(tx, key))
}

/**
 * Locks the address of an allocation, the instance and the mails about it. Called before a "taken back" is dropped, and an earlier one
 * resumed, which counts towards the week's limit.
 */
export async function lockForTakenBack(tx: Database, instanceId: string): Promise<void> {
  const [found] = await tx.select({ emailNormal: instances.emailNormal }).from(instances).where(eq(instances.id, instanceId))
  if (found) await lockAddress(tx, found.emailNormal)
  await lockInstance(tx, instanceId)
  await lockMailsAbout(tx, instanceId)
}

/** Drops the mail that takes the last allocation back: the assessment is allocated to the address again, so it would be untrue. */
export async function dropTakenBack(tx: Database, key: AllocationKey, now: Date): Promise<void> {
  await drop(tx, and(isAboutKey(tx, key), eq(mails.kind, 'taken-back'), isUnsettled, eq(mails.tries, 0)), now)
}

/**
 * Drops a mail whose try has begun if it must no longer be sent: the assessment was allocated again, the invitation came back, or the
 * account is closed.
 */
export async function dropIfOver(db: Database, { id, instanceId }: { id: string; instanceId: string }, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    // a reclaim of the later allocation then comes before or after
    await lockForTakenBack(tx, instanceId)
    const isBack = await hasOnlyComeBack(tx, instanceId)
    if (!isBack && !(await isAllocatedAgain(tx, instanceId)) && !(await isAccountClosed(tx, instanceId))) return false
    await tx
      .update(mails)
      .set({ tries: sql`${mails.tries} - 1`, failedAt: now })
      .where(and(eq(mails.id, id), isUnsettled))
    const [key] = isBack ? await tx.select(allocationKeyFields).from(instances).where(eq(instances.id, instanceId)) : []
    if (key) await resumeTakenBack(tx, key, now)
    return true
  })
}

async function isAccountClosed(tx: Database, instanceId: string): Promise<boolean> {
  const isClosed = and(eq(instances.id, instanceId), isNotNull(users.deactivatedAt))
  const found = await tx.select({ id: users.id }).from(instances).innerJoin(users, eq(users.id, instances.userId)).where(isClosed)
  return found.length > 0
}

async function isAllocatedAgain(tx: Database, instanceId: string): Promise<boolean> {
  const [taken] = await tx
    .select({ ...allocationKeyFields, allocatedAt: instances.allocatedAt })
    .from(instances)
    .where(eq(instances.id, instanceId))
  if (!taken?.allocatedAt) return false
  // not as of its reclaim, which may be later by another process's clock
  const isLater = and(hasKey(taken), ne(instances.id, instanceId), gte(instances.allocatedAt, taken.allocatedAt))
  const isTheirs = and(isLater, ne(instances.status, 'RECLAIMED'))
  return (await tx.select({ id: instances.id }).from(instances).where(isTheirs).limit(1)).length > 0
}

/**
 * An allocation was taken back and its invitation reached nobody: if an earlier one's may have, and the mail that takes that back did not,
 * it is sent after all. The caller has locked the address and the mails about the allocation.
 */
export async function resumeTakenBack(tx: Database, key: AllocationKey, now: Date): Promise<void> {
  const { coachId, emailNormal } = key
  // the address has been deleted
  if (coachId === null || emailNormal === '') return
  const dropped = await tx
    .select({ id: mails.id, instanceId: instances.id, createdAt: mails.createdAt, invitation: instances.invitation })
    .from(mails)
    .innerJoin(instances, eq(instances.id, mails.instanceId))
    .leftJoin(users, eq(users.id, instances.userId))
    .where(
      and(
        hasKey(key),
        eq(mails.kind, 'taken-back'),
        isNotNull(mails.failedAt),
        eq(mails.tries, mails.refusals),
        isNull(users.deactivatedAt),
      ),
    )
    .orderBy(desc(mails.createdAt))
  for (const { id, instanceId, createdAt, invitation } of dropped) {
    if (await hasOnlyComeBack(tx, instanceId)) continue
    // the mails of a month ago are deleted
    const isInvited = invitation === 'sent' || (await wasInvited(tx, instanceId))
    if (!isInvited && !(await mayHaveArrived(tx, instanceId))) continue
    if (await isAllocatedAgain(tx, instanceId)) return
    if ((await hasHeardSince(tx, key, createdAt)) || !(await mayNotifyTakenBack(tx, coachId, emailNormal, now))) return
    await tx.update(mails).set({ failedAt: null, createdAt: now }).where(eq(mails.id, id))
    // of a mail that was dropped as its try began
    await removeJobs(tx, 'mails', [id])
    return sendJob(tx, 'mails', { id, name: 'taken-back', ...(isInvited ? {} : { startAfter: HOLD_SECONDS }) })
  }
}

/** Whether a mail about the allocation that was queued later may have arrived. */
async function hasHeardSince(tx: Database, key: AllocationKey, then: Date): Promise<boolean> {
  const isLater = and(isAboutKey(tx, key), inArray(mails.kind, ['invitation', 'taken-back']), gt(mails.createdAt, then))
  const wanted = and(isLater, or(isDelivered, isUncertain))
  return (await tx.select({ id: mails.id }).from(mails).where(wanted).limit(1)).length > 0
}

/** The mail server took it, and it did not come back. */
const isDelivered = and(isNotNull(mails.sentAt), isNull(mails.bouncedAt))
/** Begun and not sent: the mail server may have it, or may have taken it without a word. A try that reached nobody is uncounted. */
const isUncertain = and(isNull(mails.sentAt), isNull(mails.bouncedAt), gt(mails.tries, mails.refusals))

async function hasInvitation(tx: Database, instanceId: string, isMeant: SQL | undefined): Promise<boolean> {
  const wanted = and(eq(mails.instanceId, instanceId), eq(mails.kind, 'invitation'), isMeant)
  return (await tx.select({ id: mails.id }).from(mails).where(wanted).limit(1)).length > 0
}

/** Whether an invitation to the instance may have arrived, though the mail server did not say so. */
export const mayHaveArrived = (tx: Database, instanceId: string) => hasInvitation(tx, instanceId, isUncertain)

/** Whether the mail server took an invitation to the instance, and it did not come back. */
export const wasInvited = (tx: Database, instanceId: string) => hasInvitation(tx, instanceId, isDelivered)

async function hasOnlyComeBack(tx: Database, instanceId: string): Promise<boolean> {
  if (!(await hasInvitation(tx, instanceId, isNotNull(mails.bouncedAt)))) return false
  return !(await wasInvited(tx, instanceId)) && !(await mayHaveArrived(tx, instanceId))
}
