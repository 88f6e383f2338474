import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import { PENDING_STATUSES, type InstanceStatus } from '#contract/rules/statuses.ts'
import { isId } from '#contract/rules/ids.ts'
import { note } from '../audit/store.ts'
import type { Database } from '../db/database.ts'
import { instances } from '../db/schema/instances.ts'
import { mails } from '../db/schema/mails.ts'
import { takenBack } from '../mailer/facts.ts'
import { storedLanguage } from '../words/words.ts'
import { cancelMails, isSuppressed, languageOfLast, mayNotifyTakenBack, queueMail } from '../mailer/store.ts'
import { returnToken } from '../ledger/store.ts'
import { readMailDetails } from './mail-details-store.ts'
import { lockAddress } from './pending-store.ts'

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
  const isGiven = and(eq(instances.id, id), eq(instances.coachId, coachId))
  const mayBe = inArray(instances.status, seenStatus === 'ALLOCATED' ? ['ALLOCATED'] : PENDING_STATUSES)
  return db.transaction(async (tx) => {
    const address = isPlayerNotified ? await lockAddressOf(tx, isGiven) : undefined
    const [reclaimed] = await tx
      .update(instances)
      .set({ status: 'RECLAIMED', reclaimedAt: now, playerName: null })
      .where(and(isGiven, mayBe))
      .returning()
    if (!reclaimed) return reclaimRefusal(await statusOf(tx, isGiven))
    await returnToken(tx, coachId, id, now)
    await cancelMails(tx, id, now)
    if (address !== undefined && (await isNotified(tx, reclaimed))) await notifyPlayer(tx, reclaimed, coachId, now)
    await note(tx, { event: 'reclaimed', userId: coachId, about: id }, now)
    return 'reclaimed'
  })
}

/** Before the instance, as in an allocation or a sign-in, so that mails to one address are counted one at a time. */
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

type Reclaimed = typeof instances.$inferSelect

/** Whether the player is notified of the reclaim: only if they were sent an invitation and have not opted out since. */
async function isNotified(tx: Database, { id, email, emailNormal, invitation }: Reclaimed): Promise<boolean> {
  if (email === '' || (await isSuppressed(tx, emailNormal))) return false
  if (invitation === 'sent') return true
  const isSent = and(eq(mails.instanceId, id), eq(mails.kind, 'invitation'), isNotNull(mails.sentAt))
  return (await tx.select({ id: mails.id }).from(mails).where(isSent).limit(1)).length > 0
}

async function notifyPlayer(tx: Database, { id, email, emailNormal, userId, assessmentId }: Reclaimed, coachId: string, now: Date) {
  const about = await readMailDetails(tx, { coachId, assessmentId, userId })
  // nothing is sent to a closed account
  if (!about || (userId !== null && !about.player) || !(await mayNotifyTakenBack(tx, coachId, emailNormal, now))) return
  const language = storedLanguage(about.player?.language ?? (await languageOfLast(tx, id)) ?? about.coach.language)
  await queueMail(tx, takenBack({ instanceId: id, email, emailNormal, language }, about.coach, about.offer), now)
}
