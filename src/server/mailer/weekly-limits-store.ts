import { and, desc, eq, gt, isNull, notInArray, or, sql } from 'drizzle-orm'
import { REMINDERS_MAXIMUM } from '#contract/constants.ts'
import { DAY_MS, daysBefore } from '#contract/rules/dates.ts'
import type { Database } from '../db/database.ts'
import { instances } from '../db/schema/instances.ts'
import { MAILBOX_IN_SQL, mails } from '../db/schema/mails.ts'
import { mailboxOf } from './mailbox.ts'

/** How many mails an address, or its mailbox, may get in a week. */

const WEEK_MS = 7 * DAY_MS
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

/** A mail that was sent, may have been, or is due: not one that was cancelled or given up and reached nobody. */
const mayArrive = or(gt(mails.tries, 0), isNull(mails.failedAt))

/**
 * How long until this coach may send another invitation to this address, which replaces some. Counts mails that may arrive. The caller
 * holds the address's lock (address-lock-store.ts).
 */
export async function invitationWait(
  tx: Database,
  { coachId, emailNormal: toNormal, replaced = [] }: { coachId: string; emailNormal: string; replaced?: string[] },
  now: Date,
): Promise<InvitationWait> {
  const isInMailbox = sql`${MAILBOX_IN_SQL} = ${mailboxOf(toNormal)}`
  const isInvitation = and(isInMailbox, eq(mails.kind, 'invitation'), gt(mails.createdAt, daysBefore(now, 7)))
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
    .where(and(isInMailbox, eq(mails.kind, 'taken-back'), mayArrive, gt(mails.createdAt, daysBefore(now, 7))))
    .limit(TAKEN_BACK_PER_MAILBOX)
  return told.length < TAKEN_BACK_PER_MAILBOX && told.filter((one) => one.coachId === coachId).length < TAKEN_BACK_PER_COACH
}
