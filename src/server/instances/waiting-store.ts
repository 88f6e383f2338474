import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { note } from '../audit/store.ts'
import type { Database } from '../db/database.ts'
import { assessments } from '../db/schema/assessments.ts'
import { instances } from '../db/schema/instances.ts'
import { users } from '../db/schema/users.ts'
import { cancelMails, queueMail } from '../mailer/store.ts'
import { tokenReturned } from '../mailer/facts.ts'
import { mailboxOf } from '../mailer/mailbox.ts'
import { returnToken } from '../ledger/store.ts'

/** Instances that were given to an e-mail address whose owner has no open account yet (ASSIGN-9). */

/** First key of the lock of one address; any fixed number does. */
const ADDRESS_LOCK = 7_061_876

/**
 * Until this transaction ends, nobody else gives an instance to this address or makes its account: one of them comes
 * first, and the other sees it. One lock for a mailbox, whose mails are counted together.
 */
export async function lockAddress(tx: Database, emailNormal: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${ADDRESS_LOCK}::int, hashtext(${mailboxOf(emailNormal)}))`)
}

type Account = Pick<typeof users.$inferSelect, 'id' | 'userType' | 'email' | 'emailNormal'>

/** What waited for an address goes to its open account; a coach's goes back to those who gave it (ASSIGN-9). */
export async function settleWaiting(tx: Database, account: Account, now: Date): Promise<void> {
  const isWaiting = and(eq(instances.emailNormal, account.emailNormal), isNull(instances.userId))
  if (account.userType === 'player') {
    await tx.update(instances).set({ userId: account.id }).where(isWaiting)
    return
  }
  const waiting = await tx
    .select({ id: instances.id, coachId: instances.coachId, assessmentId: instances.assessmentId })
    .from(instances)
    .where(and(isWaiting, eq(instances.status, 'ALLOCATED')))
    // balances are locked in one order, so that two of these never wait for each other
    .orderBy(asc(instances.coachId), asc(instances.id))
    // and every instance before the first balance, as whoever takes one back does
    .for('update')
  const returned: { id: string; coachId: string }[] = []
  for (const { id, coachId, assessmentId } of waiting) {
    if (coachId !== null && (await giveBack(tx, { id, coachId, assessmentId }, now))) returned.push({ id, coachId })
  }
  // only now: whoever writes to the log holds up everybody else's
  for (const { id, coachId } of returned) await note(tx, { event: 'reclaimed', userId: coachId, about: id }, now)
}

interface Waiting {
  id: string
  coachId: string
  assessmentId: string
}

/** False when its coach was quicker. */
async function giveBack(tx: Database, { id, coachId, assessmentId }: Waiting, now: Date): Promise<boolean> {
  const [taken] = await tx
    .update(instances)
    .set({ status: 'RECLAIMED', reclaimedAt: now })
    .where(and(eq(instances.id, id), eq(instances.status, 'ALLOCATED')))
    .returning({ email: instances.email })
  if (!taken) return false
  await returnToken(tx, coachId, id, now)
  await cancelMails(tx, id, now)
  const [told] = await tx
    .select({ coach: users, words: assessments.words })
    .from(users)
    .innerJoin(assessments, eq(assessments.id, assessmentId))
    .where(and(eq(users.id, coachId), isNull(users.deactivatedAt)))
  if (told) await queueMail(tx, tokenReturned(id, told.coach, taken.email, { id: assessmentId, words: told.words }), now)
  return true
}
