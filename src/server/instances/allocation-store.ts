import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, or, sql, type SQL } from 'drizzle-orm'
import { ALLOCATIONS_PER_DAY, RESENDS_MAXIMUM, TAKEN_BACK_ANYWAY, TAKEN_BACK_PER_TOKEN } from '#contract/constants.ts'
import { note } from '../audit/store.ts'
import type { Database } from '../db/database.ts'
import { violatedConstraint } from '../db/open.ts'
import { assessments } from '../db/schema/assessments.ts'
import { allocations, instances } from '../db/schema/instances.ts'
import { users } from '../db/schema/users.ts'
import type { Language } from '#contract/languages.ts'
import { invitation } from '../mailer/facts.ts'
import { storedLanguage } from '../words/words.ts'
import { cancelMails, invitationWait, isUnwanted, languageOfLast, queueMail } from '../mailer/store.ts'
import { moveToken, readBalance, spendToken } from '../ledger/store.ts'
import { carryAnswers } from './carried-answers-store.ts'
import { readGiven } from './given-store.ts'
import { lockAddress } from './waiting-store.ts'

/** Giving an assessment away, and inviting again: each is one transaction, whole or nothing. Taking back: reclaim-store.ts */

const DAY = 86_400_000
const PENDING = ['ALLOCATED', 'IN_PROGRESS'] as const
const isPending = inArray(instances.status, [...PENDING])

export interface Gift {
  /** of the instance, where one is made */
  id: string
  coachId: string
  assessmentId: string
  /** as the coach gave it, and folded */
  email: string
  emailNormal: string
  operationId: string | undefined
  /** of the invitation to somebody without an account */
  language: Language | undefined
  /** as the coach calls the player */
  playerName?: string | undefined
}

/** An instance whose token is taken instead of a free one, and what goes over to the one that is made. */
export interface Replaced {
  id: string
  notes: Pick<typeof instances.$inferInsert, 'playerName' | 'userTeam' | 'userPositionName' | 'userPlayerType'>
}

export type Allocation =
  | { kind: 'given'; instanceId: string }
  /** this operation was carried out before */
  | { kind: 'repeated'; instanceId: string }
  | { kind: 'mismatch' | 'unknown' | 'coach' | 'pending' }
  | { kind: 'no-token' }
  /** the coach has given as many as may be in a day, or had as many mails sent to this address as may be in a week */
  | { kind: 'day-limit' | 'address-limit'; seconds: number }

/** What stopped an allocation, so that nothing of it stays. */
export class Stopped<Why> extends Error {
  readonly why: Why

  constructor(why: Why) {
    super('stopped')
    this.why = why
  }
}

/**
 * Gives an address an assessment for one token, and queues the invitation, unless the address wants none or has had
 * enough of them: others' mails never stop a gift. A coach's allocations come one after the other: a repeated operation
 * finds the first, and the day's limit is exact.
 */
export async function allocateInstance(db: Database, gift: Gift, now: Date): Promise<Allocation> {
  return orWhyNot(() => db.transaction((tx) => allocateIn(tx, gift, now)))
}

/** What a `Stopped` says, once its transaction is undone. */
export async function orWhyNot<Outcome>(run: () => Promise<Outcome>): Promise<Outcome | Allocation> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Stopped) return error.why as Outcome | Allocation // of the transaction that was run
    if (violatedConstraint(error) === 'instances_one_pending') return { kind: 'pending' }
    throw error
  }
}

/** @param replace takes the token back from where it is; what keeps it from that ends the whole */
export async function allocateIn(tx: Database, gift: Gift, now: Date, replace?: () => Promise<Replaced>): Promise<Allocation> {
  const { id, coachId, assessmentId, email, emailNormal, operationId } = gift
  await lockAddress(tx, emailNormal)
  // looked up before the coach's lock, which all of a coach's allocations wait for
  const isWanted = !(await isUnwanted(tx, emailNormal))
  const mailWait = isWanted ? await invitationWait(tx, coachId, emailNormal, now) : { own: 0, mailbox: 0 }
  const [coach] = await tx.select().from(users).where(eq(users.id, coachId)).for('no key update')
  if (!coach) throw new Error('a coach has no account')
  const before = operationId === undefined ? undefined : await findOperation(tx, coachId, operationId)
  if (before) {
    const isSame = before.emailNormal === emailNormal && before.assessmentId === assessmentId
    return isSame ? { kind: 'repeated', instanceId: before.id } : { kind: 'mismatch' }
  }
  const [offer] = await tx.select().from(assessments).where(eq(assessments.id, assessmentId))
  if (!offer) return { kind: 'unknown' }
  const replaced = await replace?.()
  if (await isWithPlayer(tx, gift)) throw new Stopped({ kind: 'pending' })
  const { total, used } = await readBalance(tx, coachId)
  const seconds = await waitOf(tx, coachId, total, now)
  if (seconds > 0) throw new Stopped({ kind: 'day-limit', seconds })
  if (mailWait.own > 0) throw new Stopped({ kind: 'address-limit', seconds: mailWait.own })
  if (!replaced && used >= total) return { kind: 'no-token' }
  // after all that: who cannot give is not told who is a coach
  const [account] = await tx.select().from(users).where(eq(users.emailNormal, emailNormal))
  if (account?.userType === 'coach') throw new Stopped({ kind: 'coach' })
  const player = account?.deactivatedAt ? undefined : account
  const isInvited = isWanted && mailWait.mailbox <= 0
  // before the token: whoever takes an instance back holds the instance first, then the balance
  await tx.insert(instances).values({
    playerName: gift.playerName ?? null,
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
    invitation: isInvited ? 'waiting' : isWanted ? 'given-up' : 'unwanted',
    heldUntil: mailWait.mailbox > 0 ? new Date(now.getTime() + mailWait.mailbox * 1000) : null,
    createdAt: now,
  })
  if (replaced) await moveToken(tx, coachId, replaced.id, id, now)
  else if (!(await spendToken(tx, coachId, id, now))) throw new Stopped({ kind: 'no-token' })
  if (operationId !== undefined) await tx.insert(allocations).values({ coachId, operationId, instanceId: id, at: now })
  if (player) await carryAnswers(tx, { id, coachId, assessmentId, userId: player.id, contentVersion: offer.contentVersion }, now)
  const language = player ? storedLanguage(player.language) : (gift.language ?? storedLanguage(coach.language))
  const invited = { instanceId: id, email, emailNormal, hasAccount: player !== undefined, language, isReminder: false }
  if (isInvited) await queueMail(tx, invitation(invited, coach, offer), now)
  await note(tx, { event: 'allocated', userId: coachId, about: id }, now)
  return { kind: 'given', instanceId: id }
}

async function findOperation(tx: Database, coachId: string, operationId: string) {
  const [found] = await tx
    .select({ id: instances.id, emailNormal: instances.emailNormal, assessmentId: instances.assessmentId })
    .from(allocations)
    .innerJoin(instances, eq(instances.id, allocations.instanceId))
    .where(and(eq(allocations.coachId, coachId), eq(allocations.operationId, operationId)))
  return found
}

function isOf({ coachId, assessmentId, emailNormal }: Pick<Gift, 'coachId' | 'assessmentId' | 'emailNormal'>) {
  return and(eq(instances.coachId, coachId), eq(instances.assessmentId, assessmentId), eq(instances.emailNormal, emailNormal))
}

async function isWithPlayer(tx: Database, gift: Gift): Promise<boolean> {
  const [found] = await tx
    .select({ id: instances.id })
    .from(instances)
    .where(and(isOf(gift), isPending))
  return found !== undefined
}

/**
 * Seconds until one more may be given, when in a day there were as many as there may be: of all (SECURITY-13), and of those
 * that were taken back before anybody looked, each of them a mail to a stranger for a token that came back.
 */
async function waitOf(tx: Database, coachId: string, tokens: number, now: Date): Promise<number> {
  const isTakenBack = and(isNotNull(instances.reclaimedAt), isNull(instances.briefOpenedAt), isNull(instances.startedAt))
  const isOfDay = and(eq(instances.coachId, coachId), gt(instances.allocatedAt, new Date(now.getTime() - DAY)))
  const waitFor = async (isCounted: SQL | undefined, maximum: number) => {
    const [oldest] = await tx
      .select({ at: instances.allocatedAt })
      .from(instances)
      .where(and(isOfDay, isCounted))
      .orderBy(desc(instances.allocatedAt))
      .offset(maximum - 1)
      .limit(1)
    return oldest?.at ? (oldest.at.getTime() + DAY - now.getTime()) / 1000 : 0
  }
  const takenBackMaximum = TAKEN_BACK_PER_TOKEN * tokens + TAKEN_BACK_ANYWAY
  return Math.max(await waitFor(undefined, ALLOCATIONS_PER_DAY), await waitFor(isTakenBack, takenBackMaximum))
}

export type Resending = { kind: 'queued' | 'completed' | 'unknown' | 'unwanted' | 'limit' } | { kind: 'address-limit'; seconds: number }

/** Queues a reminder of a pending instance, so often as it may be; what of it has not left yet is replaced. */
export async function inviteAgain(
  db: Database,
  wanted: { coachId: string; assessmentId: string; emailNormal: string },
  now: Date,
): Promise<Resending> {
  return db.transaction(async (tx) => {
    await lockAddress(tx, wanted.emailNormal)
    const wait = await invitationWait(tx, wanted.coachId, wanted.emailNormal, now)
    const seconds = Math.max(wait.own, wait.mailbox)
    const mayBeMailed = seconds <= 0 && !(await isUnwanted(tx, wanted.emailNormal))
    const [invited] = await tx
      .update(instances)
      .set({ resends: sql`${instances.resends} + 1`, invitedAt: now, invitation: 'waiting', heldUntil: null })
      .where(and(isOf(wanted), isPending, lt(instances.resends, RESENDS_MAXIMUM), sql`${mayBeMailed}`))
      .returning()
    if (!invited) return whyNotAgain(tx, wanted, seconds)
    const { id: instanceId, email, emailNormal, userId } = invited
    const about = await readGiven(tx, { ...wanted, userId })
    if (!about) throw new Error('an instance has no coach, or nothing that was given')
    const { coach, offer, player } = about
    const last = await languageOfLast(tx, instanceId)
    const language = storedLanguage(player?.language ?? last ?? coach.language)
    await cancelMails(tx, instanceId, now)
    const again = { instanceId, email, emailNormal, hasAccount: player !== undefined, language, isReminder: last !== undefined }
    await queueMail(tx, invitation(again, coach, offer), now)
    return { kind: 'queued' }
  })
}

async function whyNotAgain(tx: Database, wanted: Parameters<typeof isOf>[0], seconds: number): Promise<Resending> {
  const found = await tx
    .select({ status: instances.status, resends: instances.resends })
    .from(instances)
    .where(and(isOf(wanted), or(isPending, eq(instances.status, 'COMPLETED'))))
  if (found.length === 0) return { kind: 'unknown' }
  const pending = found.find(({ status }) => status !== 'COMPLETED')
  if (!pending) return { kind: 'completed' }
  if (pending.resends >= RESENDS_MAXIMUM) return { kind: 'limit' }
  return seconds > 0 ? { kind: 'address-limit', seconds } : { kind: 'unwanted' }
}
