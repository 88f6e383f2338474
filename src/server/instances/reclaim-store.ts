import { and, eq, inArray } from 'drizzle-orm'
import { PENDING_STATUSES, type InstanceStatus } from '#contract/rules/statuses.ts'
import { isId } from '#contract/rules/ids.ts'
import { appendAuditEntry } from '../audit/store.ts'
import type { Database } from '../db/database.ts'
import { instances } from '../db/schema/instances.ts'
import { users } from '../db/schema/users.ts'
import { lockAddress } from '../mailer/address-lock-store.ts'
import { takenBack } from '../mailer/facts.ts'
import { storedLanguage } from '../words/words.ts'
import { cancelMails, languageOfLast, queueMail } from '../mailer/store.ts'
import { isSuppressed } from '../mailer/suppressions-store.ts'
import { holdMail, lockMailsAbout, mayHaveArrived, resumeTakenBack, wasInvited } from '../mailer/taken-back-store.ts'
import { mayNotifyTakenBack } from '../mailer/weekly-limits-store.ts'
import { returnToken } from '../ledger/store.ts'
import { readMailDetails } from './mail-details-store.ts'

/** Reclaiming an instance, in one transaction. */

export type ReclaimOutcome = 'reclaimed' | 'completed' | 'already' | 'begun' | 'unknown'

interface ReclaimRequest {
  id: string
  coachId: string
  seenStatus: InstanceStatus | undefined
  /** true if a coach reclaims it, false if it expires */
  isPlayerNotified: boolean
}

/** Reclaims a pending instance and its token, both or neither; a save or a completion comes before or after (ASSIGN-19). */
export async function reclaimInstance(
  db: Database,
  { id, coachId, seenStatus, isPlayerNotified }: ReclaimRequest,
  now: Date,
): Promise<ReclaimOutcome> {
  if (!isId(id)) return 'unknown'
  const isAllocatedByCoach = and(eq(instances.id, id), eq(instances.coachId, coachId))
  const mayBe = inArray(instances.status, seenStatus === 'ALLOCATED' ? ['ALLOCATED'] : PENDING_STATUSES)
  return db.transaction(async (tx) => {
    const address = isPlayerNotified ? await lockAddressOf(tx, isAllocatedByCoach) : undefined
    // the ledger refers to the coach: before the instance, as where the coach is erased
    await tx.select({ id: users.id }).from(users).where(eq(users.id, coachId)).for('key share')
    const [reclaimed] = await tx
      .update(instances)
      .set({ status: 'RECLAIMED', reclaimedAt: now, playerName: null })
      .where(and(isAllocatedByCoach, mayBe))
      .returning()
    if (!reclaimed) return reclaimRefusal(await statusOf(tx, isAllocatedByCoach))
    await returnToken(tx, coachId, id, now)
    await lockMailsAbout(tx, id)
    // which waits for a try that begins: it counts below
    await cancelMails(tx, id, now)
    if (address !== undefined) await notifyPlayer(tx, reclaimed, coachId, now)
    await appendAuditEntry(tx, { event: 'reclaimed', userId: coachId, about: id }, now)
    return 'reclaimed'
  })
}

/** Locks the address before the instance, as in an allocation or a sign-in, so that mails to one address are counted one at a time. */
async function lockAddressOf(tx: Database, isWanted: ReturnType<typeof and>): Promise<string | undefined> {
  const [found] = await tx.select({ emailNormal: instances.emailNormal }).from(instances).where(isWanted)
  if (found) await lockAddress(tx, found.emailNormal)
  return found?.emailNormal
}

async function statusOf(tx: Database, isWanted: ReturnType<typeof and>): Promise<InstanceStatus | undefined> {
  const [found] = await tx.select({ status: instances.status }).from(instances).where(isWanted)
  return found?.status
}

export function reclaimRefusal(status: InstanceStatus | undefined): Exclude<ReclaimOutcome, 'reclaimed'> {
  switch (status) {
    case 'ALLOCATED':
    case 'IN_PROGRESS':
      return 'begun'
    case 'COMPLETED':
      return 'completed'
    case 'RECLAIMED':
      return 'already'
    default:
      return 'unknown'
  }
}

type ReclaimedInstance = typeof instances.$inferSelect

/** Tells the player if an invitation was sent; holds the mail if one may have been. Never if they want no mails. */
async function notifyPlayer(tx: Database, reclaimed: ReclaimedInstance, coachId: string, now: Date): Promise<void> {
  const { id, email, emailNormal, userId, assessmentId, invitation } = reclaimed
  if (email === '' || (await isSuppressed(tx, emailNormal))) return
  const about = await readMailDetails(tx, { coachId, assessmentId, userId })
  // nothing is sent to a closed account
  if (!about || (userId !== null && !about.player)) return
  // the mails of a month ago are deleted
  const isSent = invitation === 'sent' || (await wasInvited(tx, id))
  if (!isSent && !(await mayHaveArrived(tx, id))) return resumeTakenBack(tx, reclaimed, now)
  if (!(await mayNotifyTakenBack(tx, coachId, emailNormal, now))) return
  const language = storedLanguage(about.player?.language ?? (await languageOfLast(tx, id)) ?? about.coach.language)
  const mail = takenBack({ instanceId: id, email, emailNormal, language }, about.coach, about.offer)
  await (isSent ? queueMail(tx, mail, now) : holdMail(tx, mail, now))
}
