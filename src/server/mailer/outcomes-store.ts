import { and, eq, exists, isNotNull, lt, not, sql, type SQL } from 'drizzle-orm'
import type { BounceReason, InvitationState } from '#contract/rules/statuses.ts'
import { daysBefore } from '#contract/rules/dates.ts'
import type { Database } from '../db/database.ts'
import { instances } from '../db/schema/instances.ts'
import { mails } from '../db/schema/mails.ts'
import { isLastInvitation } from './last-invitation-store.ts'
import { hasJobThat, isUnsettled, lockInstance, type MailSubject, type QueuedMail } from './store.ts'
import { dropHeld, lockForTakenBack, sendHeld } from './taken-back-store.ts'

/** What became of the tries to send a mail. */

/** Counts a try, which may reach somebody until `undoTry`; undefined if the mail was sent, cancelled or given up in the meantime. */
export async function beginTry(db: Database, id: string): Promise<QueuedMail | undefined> {
  const [mail] = await db
    .update(mails)
    .set({ tries: sql`${mails.tries} + 1` })
    .where(and(eq(mails.id, id), isUnsettled))
    .returning()
  return mail as QueuedMail | undefined // checked by the database
}

/** Uncounts a try that reached nobody; if the mail was replaced or taken back during it, also the reminder, and what was held for it. */
export async function undoTry(db: Database, { id, kind, instanceId, tries, createdAt }: QueuedMail, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    if (kind === 'invitation') await lockForTakenBack(tx, instanceId)
    // `dropIfOver` has uncounted the try of one that it ended, even where its reply was lost, and it may have been resumed since
    const isCounted = kind === 'taken-back' ? and(isUnsettled, eq(mails.tries, tries), eq(mails.createdAt, createdAt)) : undefined
    const [undone] = await tx
      .update(mails)
      .set({ tries: sql`${mails.tries} - 1` })
      .where(and(eq(mails.id, id), isCounted))
      .returning({ cancelledAt: mails.failedAt })
    if (kind !== 'invitation' || !undone?.cancelledAt) return
    await tx
      .update(instances)
      .set({ resends: sql`greatest(${instances.resends} - 1, 0)` })
      .where(eq(instances.id, instanceId))
    await dropHeld(tx, instanceId, now)
  })
}

/** An invitation may have arrived: the mail server had all of it, and did not say what became of it. */
export async function noteUnanswered(db: Database, { kind, instanceId }: QueuedMail): Promise<void> {
  if (kind !== 'invitation') return
  await db.transaction(async (tx) => {
    await lockInstance(tx, instanceId)
    await sendHeld(tx, instanceId)
  })
}

/** The mail server refused a mail for good. */
export async function noteRefused(db: Database, { id, kind, instanceId }: QueuedMail, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    if (kind === 'invitation') await lockForTakenBack(tx, instanceId)
    await tx
      .update(mails)
      .set({ refusals: sql`${mails.refusals} + 1` })
      .where(eq(mails.id, id))
    if (kind === 'invitation') await dropHeld(tx, instanceId, now)
  })
}

/** Stores that the mail server accepted a mail; for an invitation, also on its instance. */
export async function markSent(db: Database, mail: QueuedMail, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    if (mail.kind === 'invitation') {
      // it may have bounced already: the instance is locked before checking
      await lockForTakenBack(tx, mail.instanceId)
      const isBack = exists(
        tx
          .select({ id: mails.id })
          .from(mails)
          .where(and(eq(mails.id, mail.id), isNotNull(mails.bouncedAt))),
      )
      await setInvitationState(tx, mail, { invitation: 'sent' }, and(not(isBack), isLastInvitation(tx, mail)))
    }
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
  mail: MailSubject & { id: string },
  why: 'refused' | 'given-up' | 'unwanted',
  now: Date,
  bouncedAt?: Date,
): Promise<void> {
  const isMeant = and(eq(mails.id, mail.id), isUnsettled)
  const state: InstanceState = { invitation: why, ...(bouncedAt === undefined ? {} : { bouncedAt, bouncedWhy: 'unknown-address' }) }
  await db.transaction(async (tx) => {
    await setInvitationState(tx, mail, state, exists(tx.select({ id: mails.id }).from(mails).where(isMeant)))
    await tx.update(mails).set({ failedAt: now }).where(isMeant)
  })
}

const hasJob = hasJobThat(sql`state in ('created', 'retry', 'active')`)

/** Gives up on mails without a job: its process was killed at the last try, or it waited for too long. */
export async function endLostMails(db: Database, now: Date): Promise<void> {
  const lost = await db
    .select({ id: mails.id, kind: mails.kind, instanceId: mails.instanceId })
    .from(mails)
    .where(and(isUnsettled, lt(mails.createdAt, daysBefore(now, 1)), not(hasJob)))
  for (const mail of lost as (MailSubject & { id: string })[]) await markFailed(db, mail, 'given-up', now)
}

interface InstanceState {
  invitation: InvitationState
  bouncedAt?: Date
  bouncedWhy?: BounceReason
}

// the instance before its mails, the order of locks in a reclaim and a reminder
async function setInvitationState(tx: Database, mail: MailSubject, state: InstanceState, isMeant?: SQL) {
  if (mail.kind !== 'invitation') return
  await tx
    .update(instances)
    .set(state)
    .where(and(eq(instances.id, mail.instanceId), isMeant))
}
