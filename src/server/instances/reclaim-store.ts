import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import type { InstanceStatus } from '#contract/rules/statuses.ts'
import { note } from '../audit/store.ts'
import type { Database } from '../db/database.ts'
import { isId } from '../db/open.ts'
import { instances } from '../db/schema/instances.ts'
import { mails } from '../db/schema/mails.ts'
import { takenBack } from '../mailer/facts.ts'
import { storedLanguage } from '../words/words.ts'
import { cancelMails, isUnwanted, languageOfLast, mayTellTakenBack, queueMail } from '../mailer/store.ts'
import { returnToken } from '../ledger/store.ts'
import { readGiven } from './given-store.ts'
import { lockAddress } from './waiting-store.ts'

/** Taking an assessment back: one transaction, whole or nothing. */

export type Reclaiming = 'reclaimed' | 'completed' | 'already' | 'begun' | 'unknown'

interface Wanted {
  id: string
  coachId: string
  seenStatus: InstanceStatus | undefined
  /** a coach does it, not the passing of time */
  isPlayerTold: boolean
}

/** Takes a pending instance back with its token, both or neither; a save or a completion comes before or after (ASSIGN-19). */
export async function reclaimInstance(db: Database, { id, coachId, seenStatus, isPlayerTold }: Wanted, now: Date): Promise<Reclaiming> {
  if (!isId(id)) return 'unknown'
  const isGiven = and(eq(instances.id, id), eq(instances.coachId, coachId))
  const mayBe = inArray(instances.status, seenStatus === 'ALLOCATED' ? ['ALLOCATED'] : ['ALLOCATED', 'IN_PROGRESS'])
  return db.transaction(async (tx) => {
    const address = isPlayerTold ? await lockAddressOf(tx, isGiven) : undefined
    const [taken] = await tx
      .update(instances)
      .set({ status: 'RECLAIMED', reclaimedAt: now, playerName: null })
      .where(and(isGiven, mayBe))
      .returning()
    if (!taken) return whyNotReclaimed(await statusOf(tx, isGiven))
    await returnToken(tx, coachId, id, now)
    await cancelMails(tx, id, now)
    if (address !== undefined && (await wasInvited(tx, taken))) await tellPlayer(tx, taken, coachId, now)
    await note(tx, { event: 'reclaimed', userId: coachId, about: id }, now)
    return 'reclaimed'
  })
}

/** Before the instance, as whoever gives one or signs in does: mails to one address are counted one after the other. */
async function lockAddressOf(tx: Database, isWanted: ReturnType<typeof and>): Promise<string | undefined> {
  const [found] = await tx.select({ emailNormal: instances.emailNormal }).from(instances).where(isWanted)
  if (found) await lockAddress(tx, found.emailNormal)
  return found?.emailNormal
}

async function statusOf(tx: Database, isWanted: ReturnType<typeof and>): Promise<InstanceStatus | undefined> {
  const [found] = await tx.select({ status: instances.status }).from(instances).where(isWanted)
  return found?.status
}

export function whyNotReclaimed(status: InstanceStatus | undefined): Exclude<Reclaiming, 'reclaimed'> {
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

type Taken = typeof instances.$inferSelect

/** An invitation went out, and its owner has not asked for silence since: whoever heard of nothing is told of no end of it. */
async function wasInvited(tx: Database, { id, email, emailNormal, invitation }: Taken): Promise<boolean> {
  if (email === '' || (await isUnwanted(tx, emailNormal))) return false
  if (invitation === 'sent') return true
  const isSent = and(eq(mails.instanceId, id), eq(mails.kind, 'invitation'), isNotNull(mails.sentAt))
  return (await tx.select({ id: mails.id }).from(mails).where(isSent).limit(1)).length > 0
}

async function tellPlayer(tx: Database, { id, email, emailNormal, userId, assessmentId }: Taken, coachId: string, now: Date) {
  const about = await readGiven(tx, { coachId, assessmentId, userId })
  // a closed account is left in peace
  if (!about || (userId !== null && !about.player) || !(await mayTellTakenBack(tx, coachId, emailNormal, now))) return
  const language = storedLanguage(about.player?.language ?? (await languageOfLast(tx, id)) ?? about.coach.language)
  await queueMail(tx, takenBack({ instanceId: id, email, emailNormal, language }, about.coach, about.offer), now)
}
