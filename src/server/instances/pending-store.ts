import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import { appendAuditEntry } from '../audit/store.ts'
import type { Database } from '../db/database.ts'
import { assessments } from '../db/schema/assessments.ts'
import { instances } from '../db/schema/instances.ts'
import { users } from '../db/schema/users.ts'
import { cancelMails, queueMail } from '../mailer/store.ts'
import { tokenReturned } from '../mailer/facts.ts'
import { returnToken } from '../ledger/store.ts'
import { restoreAnswers } from './restored-answers-store.ts'

/** Instances allocated to an e-mail address that has no open account yet (ASSIGN-9). */

type Account = Pick<typeof users.$inferSelect, 'id' | 'userType' | 'email' | 'emailNormal'>

/** Attaches the instances of an address to its new account; a coach's account has none, so their tokens are returned (ASSIGN-9). */
export async function attachPending(tx: Database, account: Account, now: Date): Promise<void> {
  const isWaiting = and(eq(instances.emailNormal, account.emailNormal), isNull(instances.userId))
  if (account.userType === 'player') {
    // in the order of their ids, as where their coach is erased
    await tx.select({ id: instances.id }).from(instances).where(isWaiting).orderBy(asc(instances.id)).for('update')
    const attached = await tx.update(instances).set({ userId: account.id }).where(isWaiting).returning()
    for (const { coachId, status, ...instance } of attached)
      // of a reopened account, what was allocated while it was closed
      if (coachId !== null && status === 'ALLOCATED') await restoreAnswers(tx, { ...instance, coachId, userId: account.id }, now)
    return
  }
  // the ledger refers to the coaches: before the instances, as where one of them is erased
  const theirCoaches = tx
    .select({ id: instances.coachId })
    .from(instances)
    .where(and(isWaiting, eq(instances.status, 'ALLOCATED')))
  await tx.select({ id: users.id }).from(users).where(inArray(users.id, theirCoaches)).orderBy(asc(users.id)).for('key share')
  const waiting = await tx
    .select({ id: instances.id, coachId: instances.coachId, assessmentId: instances.assessmentId })
    .from(instances)
    .where(and(isWaiting, eq(instances.status, 'ALLOCATED')))
    // balances are locked in one order, so that two of these transactions cannot deadlock
    .orderBy(asc(instances.coachId), asc(instances.id))
    // and all instances before the first balance, as when one is reclaimed
    .for('update')
  const returned: { id: string; coachId: string }[] = []
  for (const { id, coachId, assessmentId } of waiting) {
    if (coachId !== null && (await returnInstance(tx, { id, coachId, assessmentId }, now))) returned.push({ id, coachId })
  }
  // last, because a write to the audit log locks one of its streams until the transaction ends
  for (const { id, coachId } of returned) await appendAuditEntry(tx, { event: 'reclaimed', userId: coachId, about: id }, now)
}

interface PendingInstance {
  id: string
  coachId: string
  assessmentId: string
}

/** False if its coach reclaimed it first. */
async function returnInstance(tx: Database, { id, coachId, assessmentId }: PendingInstance, now: Date): Promise<boolean> {
  const [returned] = await tx
    .update(instances)
    .set({ status: 'RECLAIMED', reclaimedAt: now, playerName: null })
    .where(and(eq(instances.id, id), eq(instances.status, 'ALLOCATED')))
    .returning({ email: instances.email })
  if (!returned) return false
  const isTokenFree = await returnToken(tx, coachId, id, now)
  await cancelMails(tx, id, now)
  const [recipient] = await tx
    .select({ coach: users, words: assessments.words })
    .from(users)
    .innerJoin(assessments, eq(assessments.id, assessmentId))
    .where(and(eq(users.id, coachId), isNull(users.deactivatedAt)))
  if (!recipient) return true
  const { coach, words } = recipient
  await queueMail(tx, tokenReturned({ instanceId: id, player: returned.email, isTokenFree }, coach, { id: assessmentId, words }), now)
  return true
}
