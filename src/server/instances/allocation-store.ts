import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, or, sql, type SQL } from 'drizzle-orm'
import { ALLOCATIONS_PER_DAY, REMINDERS_MAXIMUM, RECLAIMED_UNOPENED_ALLOWANCE, RECLAIMED_UNOPENED_PER_TOKEN } from '#contract/constants.ts'
import { PENDING_STATUSES } from '#contract/rules/statuses.ts'
import { appendAuditEntry } from '../audit/store.ts'
import type { Database } from '../db/database.ts'
import { violatedConstraint } from '../db/failures.ts'
import { assessments } from '../db/schema/assessments.ts'
import { allocations, instances } from '../db/schema/instances.ts'
import { users } from '../db/schema/users.ts'
import type { Language } from '#contract/languages.ts'
import { DAY_MS, daysBefore } from '#contract/rules/dates.ts'
import { lockAddress } from '../mailer/address-lock-store.ts'
import { invitation } from '../mailer/facts.ts'
import { storedLanguage } from '../words/words.ts'
import { whenBounced } from '../mailer/bounces-store.ts'
import { cancelMails, languageOfLast, lockUntaken, queueMail } from '../mailer/store.ts'
import { isSuppressed } from '../mailer/suppressions-store.ts'
import { dropTakenBack } from '../mailer/taken-back-store.ts'
import { invitationWait } from '../mailer/weekly-limits-store.ts'
import { moveToken, readBalance, spendToken } from '../ledger/store.ts'
import { restoreAnswers } from './restored-answers-store.ts'
import { readMailDetails } from './mail-details-store.ts'

/** Allocating an assessment and resending its invitation, each in one transaction. To take one back: reclaim-store.ts */

const isPending = inArray(instances.status, PENDING_STATUSES)

export interface Allocation {
  /** of the new instance */
  id: string
  coachId: string
  assessmentId: string
  /** as the coach typed it, and normalised */
  email: string
  emailNormal: string
  operationId: string | undefined
  /** of the invitation, if the player has no account */
  language: Language | undefined
  /** the coach's name for the player */
  playerName?: string | undefined
}

/** An instance whose token pays for the new one, and what the new one takes over from it. */
export interface ReplacedInstance {
  id: string
  notes: Pick<typeof instances.$inferInsert, 'playerName' | 'userTeam' | 'userPositionName' | 'userPlayerType'>
}

export type AllocationOutcome =
  | { kind: 'allocated'; instanceId: string }
  /** this operation has been carried out before */
  | { kind: 'repeated'; instanceId: string }
  | { kind: 'mismatch' | 'unknown' | 'coach' | 'pending' | 'closed' }
  | { kind: 'no-token' }
  /** the coach has reached the limit of allocations in a day, or of mails to this address in a week */
  | { kind: 'day-limit' | 'address-limit'; seconds: number }

/** Thrown to roll an allocation back. */
export class AllocationStopped<Why> extends Error {
  readonly why: Why

  constructor(why: Why) {
    super('the allocation was stopped')
    this.why = why
  }
}

/**
 * Spends one token on an assessment for an address and queues the invitation, unless the address has opted out, mail to it came back,
 * or it has reached its limit of mails: other coaches' mails never stop an allocation. A coach's allocations are serialised, so a repeated
 * operation finds the first one and the daily limit is exact.
 */
export async function allocateInstance(db: Database, allocation: Allocation, now: Date): Promise<AllocationOutcome> {
  return outcomeOrReason(() => db.transaction((tx) => allocateIn(tx, allocation, now)))
}

/** The outcome of a transaction, or the reason for which it was rolled back. */
export async function outcomeOrReason<Outcome>(run: () => Promise<Outcome>): Promise<Outcome | AllocationOutcome> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof AllocationStopped) return error.why as Outcome | AllocationOutcome // of the transaction that was run
    if (violatedConstraint(error) === 'instances_one_pending') return { kind: 'pending' }
    throw error
  }
}

/**
 * Every refusal is thrown, and rolls the transaction back.
 * @param replace takes the token from another instance
 */
export async function allocateIn(
  tx: Database,
  allocation: Allocation,
  now: Date,
  replace?: () => Promise<ReplacedInstance>,
): Promise<AllocationOutcome> {
  const { id, coachId, assessmentId, email, emailNormal, operationId } = allocation
  await lockAddress(tx, emailNormal)
  // before the coach's lock, which all of the coach's allocations wait for
  const reach = await readReach(tx, allocation, now)
  const coach = await lockCoach(tx, coachId)
  const before = operationId === undefined ? undefined : await findOperation(tx, coachId, operationId)
  if (before) {
    const isSame = before.emailNormal === emailNormal && before.assessmentId === assessmentId
    if (!isSame) throw new AllocationStopped({ kind: 'mismatch' })
    return { kind: 'repeated', instanceId: before.id }
  }
  const [offer] = await tx.select().from(assessments).where(eq(assessments.id, assessmentId))
  if (!offer) throw new AllocationStopped({ kind: 'unknown' })
  const replaced = await replace?.()
  await refuseUnlessAllowed(tx, allocation, reach, replaced, now)
  // last: only somebody who could allocate is told that an address is a coach's
  const player = await findPlayer(tx, emailNormal)
  const invited = invitationOf(reach, now)
  // before the token: reclaiming locks the instance first and then the balance, too
  await tx.insert(instances).values({
    playerName: allocation.playerName ?? null,
    ...replaced?.notes,
    id,
    assessmentId,
    contentVersion: offer.contentVersion,
    userId: player?.id ?? null,
    email,
    emailNormal,
    coachId,
    status: 'ALLOCATED',
    allocatedAt: now,
    invitedAt: now,
    ...invited,
    createdAt: now,
  })
  if (replaced) await moveToken(tx, coachId, replaced.id, id, now)
  else if (!(await spendToken(tx, coachId, id, now))) throw new AllocationStopped({ kind: 'no-token' })
  if (operationId !== undefined) await tx.insert(allocations).values({ coachId, operationId, instanceId: id, at: now })
  if (player) await restoreAnswers(tx, { id, coachId, assessmentId, userId: player.id, contentVersion: offer.contentVersion }, now)
  await dropTakenBack(tx, { coachId, emailNormal, assessmentId }, now)
  if (invited.invitation === 'waiting') {
    const language = player ? storedLanguage(player.language) : (allocation.language ?? storedLanguage(coach.language))
    const to = { instanceId: id, email, emailNormal, hasAccount: player !== undefined, language, isReminder: false }
    await queueMail(tx, invitation(to, coach, offer), now)
  }
  await appendAuditEntry(tx, { event: 'allocated', userId: coachId, about: id }, now)
  return { kind: 'allocated', instanceId: id }
}

type Reach = Awaited<ReturnType<typeof readReach>>

/** What keeps an invitation from an address. */
async function readReach(tx: Database, { coachId, emailNormal }: Allocation, now: Date) {
  const isWanted = !(await isSuppressed(tx, emailNormal))
  const bouncedAt = await whenBounced(tx, emailNormal, now)
  const wait = isWanted ? await invitationWait(tx, { coachId, emailNormal }, now) : { own: 0, mailbox: 0 }
  return { isWanted, bouncedAt, wait }
}

/** What a new instance says of its invitation, which is queued if it is `waiting`. */
function invitationOf({ isWanted, bouncedAt, wait }: Reach, now: Date) {
  const heldUntil = wait.mailbox > 0 ? new Date(now.getTime() + wait.mailbox * 1000) : null
  const notBounced = { bouncedAt: null, bouncedWhy: null, heldUntil }
  if (!isWanted) return { ...notBounced, invitation: 'unwanted' } as const
  if (bouncedAt) return { invitation: 'refused', bouncedAt, bouncedWhy: 'unknown-address', heldUntil } as const
  return { ...notBounced, invitation: heldUntil ? 'given-up' : 'waiting' } as const
}

async function lockCoach(tx: Database, coachId: string) {
  const [coach] = await tx.select().from(users).where(eq(users.id, coachId)).for('no key update')
  if (!coach) throw new Error('the coach has no account')
  // since the call began: nobody could take back what is allocated, and an erased coach has written nothing
  if (coach.deactivatedAt) throw new AllocationStopped({ kind: 'closed' })
  return coach
}

async function refuseUnlessAllowed(
  tx: Database,
  allocation: Allocation,
  { wait }: Reach,
  replaced: ReplacedInstance | undefined,
  now: Date,
) {
  if (await hasPending(tx, allocation)) throw new AllocationStopped({ kind: 'pending' })
  const { total, used } = await readBalance(tx, allocation.coachId)
  const seconds = await secondsUntilAllowed(tx, allocation.coachId, total, now)
  if (seconds > 0) throw new AllocationStopped({ kind: 'day-limit', seconds })
  if (wait.own > 0) throw new AllocationStopped({ kind: 'address-limit', seconds: wait.own })
  if (!replaced && used >= total) throw new AllocationStopped({ kind: 'no-token' })
}

/** Whose address it is, unless nobody's or of a closed account. */
async function findPlayer(tx: Database, emailNormal: string) {
  const [account] = await tx.select().from(users).where(eq(users.emailNormal, emailNormal))
  if (account?.userType === 'coach') throw new AllocationStopped({ kind: 'coach' })
  return account?.deactivatedAt ? undefined : account
}

async function findOperation(tx: Database, coachId: string, operationId: string) {
  const [found] = await tx
    .select({ id: instances.id, emailNormal: instances.emailNormal, assessmentId: instances.assessmentId })
    .from(allocations)
    .innerJoin(instances, eq(instances.id, allocations.instanceId))
    .where(and(eq(allocations.coachId, coachId), eq(allocations.operationId, operationId)))
  return found
}

function isOf({ coachId, assessmentId, emailNormal }: Pick<Allocation, 'coachId' | 'assessmentId' | 'emailNormal'>) {
  return and(eq(instances.coachId, coachId), eq(instances.assessmentId, assessmentId), eq(instances.emailNormal, emailNormal))
}

async function hasPending(tx: Database, allocation: Allocation): Promise<boolean> {
  const [found] = await tx
    .select({ id: instances.id })
    .from(instances)
    .where(and(isOf(allocation), isPending))
  return found !== undefined
}

/**
 * Seconds until the coach may allocate again. There is a daily limit of all allocations (SECURITY-13), and one of those reclaimed
 * before anybody opened them, since each is a mail to a stranger for a token that came back.
 */
async function secondsUntilAllowed(tx: Database, coachId: string, tokens: number, now: Date): Promise<number> {
  const isReclaimedUnopened = and(isNotNull(instances.reclaimedAt), isNull(instances.briefOpenedAt), isNull(instances.startedAt))
  const isOfDay = and(eq(instances.coachId, coachId), gt(instances.allocatedAt, daysBefore(now, 1)))
  const waitFor = async (isCounted: SQL | undefined, maximum: number) => {
    const [oldest] = await tx
      .select({ at: instances.allocatedAt })
      .from(instances)
      .where(and(isOfDay, isCounted))
      .orderBy(desc(instances.allocatedAt))
      .offset(maximum - 1)
      .limit(1)
    return oldest?.at ? (oldest.at.getTime() + DAY_MS - now.getTime()) / 1000 : 0
  }
  const reclaimedMaximum = RECLAIMED_UNOPENED_PER_TOKEN * tokens + RECLAIMED_UNOPENED_ALLOWANCE
  return Math.max(await waitFor(undefined, ALLOCATIONS_PER_DAY), await waitFor(isReclaimedUnopened, reclaimedMaximum))
}

type ResendOutcome =
  | { kind: 'queued'; at: Date }
  | { kind: 'completed' | 'unknown' | 'unwanted' | 'bounced' | 'resent' | 'limit' }
  | { kind: 'address-limit'; seconds: number }

interface ResendRequest {
  coachId: string
  assessmentId: string
  emailNormal: string
  /** when the coach was shown that the last invitation was sent: nothing is sent if there was one since */
  seen?: Date | undefined
}

// as a row shows it, in milliseconds
const lastInvitedAt = sql<Date>`date_trunc('milliseconds', coalesce(${instances.invitedAt}, ${instances.allocatedAt}))`

/** Queues a reminder for a pending instance, within its limit; it replaces mails that have not been sent. */
export async function resendInvitation(db: Database, { seen, ...wanted }: ResendRequest, now: Date): Promise<ResendOutcome> {
  return db.transaction(async (tx) => {
    await lockAddress(tx, wanted.emailNormal)
    const [pending] = await tx
      .select({ id: instances.id })
      .from(instances)
      .where(and(isOf(wanted), isPending))
      .for('update')
    // a reminder in place of a mail that reached nobody is not one more
    const replaced = pending ? await lockUntaken(tx, pending.id) : []
    const isReplacing = replaced.length > 0
    const wait = await invitationWait(tx, { ...wanted, replaced }, now)
    const seconds = Math.max(wait.own, wait.mailbox)
    const isBounced = (await whenBounced(tx, wanted.emailNormal, now)) !== null
    // not as text: PostgreSQL knows no year 0
    const isAsSeen = seen && sql`${lastInvitedAt} = timestamptz 'epoch' + ${seen.getTime()}::bigint * interval '1 millisecond'`
    const at = now.toISOString()
    const mayBeMailed = seconds <= 0 && !isBounced && !(await isSuppressed(tx, wanted.emailNormal))
    const [invited] = await tx
      .update(instances)
      .set({
        resends: isReplacing ? instances.resends : sql`${instances.resends} + 1`,
        // never the time that was seen, even if the clock stands still or was set back
        invitedAt: sql`case when ${lastInvitedAt} = ${at}::timestamptz then ${at}::timestamptz + interval '1 millisecond' else ${at}::timestamptz end`,
        invitation: 'waiting',
        heldUntil: null,
        bouncedAt: null,
        bouncedWhy: null,
      })
      .where(
        and(isOf(wanted), isPending, isReplacing ? undefined : lt(instances.resends, REMINDERS_MAXIMUM), isAsSeen, sql`${mayBeMailed}`),
      )
      .returning()
    if (!invited) return resendRefusal(tx, { ...wanted, seen }, { seconds, isBounced, isReplacing })
    const { id: instanceId, email, emailNormal, userId, resends } = invited
    const about = await readMailDetails(tx, { ...wanted, userId })
    if (!about) throw new Error('an allocated instance has no coach or no assessment')
    const { coach, offer, player } = about
    const last = await languageOfLast(tx, instanceId)
    const language = storedLanguage(player?.language ?? last ?? coach.language)
    await cancelMails(tx, instanceId, now)
    const again = {
      instanceId,
      email,
      emailNormal,
      hasAccount: player !== undefined,
      language,
      isReminder: last !== undefined && resends > 0,
    }
    await queueMail(tx, invitation(again, coach, offer), now)
    return { kind: 'queued', at: invited.invitedAt ?? now }
  })
}

async function resendRefusal(
  tx: Database,
  { seen, ...wanted }: ResendRequest,
  { seconds, isBounced, isReplacing }: { seconds: number; isBounced: boolean; isReplacing: boolean },
): Promise<ResendOutcome> {
  const found = await tx
    .select({ status: instances.status, resends: instances.resends, at: instances.invitedAt, allocatedAt: instances.allocatedAt })
    .from(instances)
    .where(and(isOf(wanted), or(isPending, eq(instances.status, 'COMPLETED'))))
  if (found.length === 0) return { kind: 'unknown' }
  const pending = found.find(({ status }) => status !== 'COMPLETED')
  if (!pending) return { kind: 'completed' }
  // first: it may have been the last one that the limit allows
  if (seen && seen.getTime() !== (pending.at ?? pending.allocatedAt)?.getTime()) return { kind: 'resent' }
  if (!isReplacing && pending.resends >= REMINDERS_MAXIMUM) return { kind: 'limit' }
  if (isBounced) return { kind: 'bounced' }
  return seconds > 0 ? { kind: 'address-limit', seconds } : { kind: 'unwanted' }
}
