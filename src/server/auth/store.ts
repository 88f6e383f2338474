import { and, desc, eq, gt, inArray, isNull, lt, lte } from 'drizzle-orm'
import { CODE_MINUTES, CODE_RESEND_SECONDS } from '#contract/constants.ts'
import type { UserTypeCode } from '#contract/rules/user-types.ts'
import { normalEmail } from '#contract/rules/email.ts'
import { appendAuditEntry, imitateAuditEntry } from '../audit/store.ts'
import type { Database } from '../db/database.ts'
import { signInChallenges } from '../db/schema/sign-in.ts'
import { users } from '../db/schema/users.ts'
import type { Language } from '#contract/languages.ts'
import { isId } from '#contract/rules/ids.ts'
import { daysBefore, MINUTE_MS } from '#contract/rules/dates.ts'
import { countsKeyOf } from './count-keys.ts'
import { TRIES_PER_CODE } from './one-time-code.ts'
import {
  countMail,
  countWrongGuess,
  deleteSpentCounts,
  guessWait,
  lockCounts,
  lockShared,
  mailWait,
  uncountMail,
  type MailLimits,
} from './sign-in-counts-store.ts'

/** Codes by mail, from the request to the guess. Each function is one transaction, serialised per e-mail by a row lock. */

/** How far apart the clocks of two servers may be: the leeway of tokens, too. */
const CLOCKS_DIFFER_MS = MINUTE_MS
/** Per e-mail and device with an id, so that no device displaces another's challenge. Devices without one are limited by their mails. */
const CHALLENGES_PER_EMAIL = 3
export type User = typeof users.$inferSelect
export type Challenge = typeof signInChallenges.$inferSelect

export interface ChallengeStart {
  /** the id of a new challenge */
  id: string
  codeHmac: string
  email: string
  userType: UserTypeCode
  firstName: string | null
  lastName: string | null
  city: string | null
  country: string | null
  language: Language
  /** a known device, or an unknown one's network address */
  device: string
  /** the calling device, the only one that gets the challenge */
  client: string
  clientKey?: string
  purpose: Challenge['purpose']
}
type WaitOutcome = { kind: 'wait'; seconds: number }
type ClosedOutcome = { kind: 'closed' }
type SendOutcome = { kind: 'send'; challenge: Challenge }

/**
 * The challenge for this sign-in: the one that the same device started with the same data in the last 60 s (LOGIN-14), or a new
 * one, which counts as a mail.
 * @param ownerId of the account whose own code it is: nothing is stored once that is closed or erased
 */
export async function startChallenge(
  db: Database,
  start: ChallengeStart,
  limits: MailLimits,
  now: Date,
  ownerId?: string,
): Promise<SendOutcome | WaitOutcome | ClosedOutcome | { kind: 'live'; challenge: Challenge }> {
  const emailNormal = normalEmail(start.email)
  return db.transaction(async (tx) => {
    if (ownerId !== undefined && !(await lockUnlessClosed(tx, ownerId))) return { kind: 'closed' }
    const own = await lockCounts(tx, emailNormal, countsKeyOf(start), now)
    const recent = new Date(now.getTime() - CODE_RESEND_SECONDS * 1000)
    const isLive = and(
      eq(signInChallenges.emailNormal, emailNormal),
      eq(signInChallenges.purpose, start.purpose),
      isNull(signInChallenges.usedAt),
      gt(signInChallenges.expiresAt, now),
      lte(signInChallenges.sentAt, latest(now)),
    )
    const ofClient = await tx
      .select()
      .from(signInChallenges)
      .where(and(isLive, eq(signInChallenges.client, start.client)))
      .orderBy(desc(signInChallenges.sentAt))
    // a code without attempts left is of no use: it is replaced by a new one
    const live = ofClient.find((one) => one.sentAt > recent && isSameStart(one, start) && one.tries < TRIES_PER_CODE)
    if (live) return { kind: 'live', challenge: live }
    const shared = await lockShared(tx, own, start.device, now)
    const seconds = mailWait(own, shared, limits, now)
    if (seconds > 0) return { kind: 'wait', seconds }
    const surplus = ofClient.slice(CHALLENGES_PER_EMAIL - 1).map((one) => one.id)
    if (surplus.length > 0) await tx.update(signInChallenges).set({ usedAt: now }).where(inArray(signInChallenges.id, surplus))
    const expiresAt = new Date(now.getTime() + CODE_MINUTES * MINUTE_MS)
    const [challenge] = await tx
      .insert(signInChallenges)
      .values({ ...start, emailNormal, createdAt: now, sentAt: now, expiresAt })
      .returning()
    if (!challenge) throw new Error('a challenge was not stored')
    await countMail(tx, own, shared, now)
    return { kind: 'send', challenge }
  })
}

/** Locks an account and returns whether it is open. Called before the counts are locked, the order of an erasure. */
async function lockUnlessClosed(tx: Database, id: string): Promise<boolean> {
  const isOpen = and(eq(users.id, id), isNull(users.deactivatedAt))
  return (await tx.select({ id: users.id }).from(users).where(isOpen).for('share')).length > 0
}

/** When a code may have been sent: another server's clock may be ahead by as much. */
const latest = (now: Date) => new Date(now.getTime() + CLOCKS_DIFFER_MS)

/** A code from the future has expired before the clock was set back, or may have: it must not become valid again. INPUT-73 */
const isExpired = ({ sentAt, expiresAt }: Challenge, now: Date) => expiresAt <= now || sentAt > latest(now)

function isSameStart(one: Challenge, start: ChallengeStart): boolean {
  return (['userType', 'firstName', 'lastName', 'city', 'country'] as const).every((name) => one[name] === start[name])
}

/** Gives a challenge a new code: its attempts start again, the day's guesses do not (LOGIN-15). */
export async function renewChallenge(
  db: Database,
  id: string,
  email: string,
  codeHmac: string,
  limits: MailLimits,
  now: Date,
): Promise<(SendOutcome & { before: Challenge }) | WaitOutcome | { kind: 'too-soon'; seconds: number } | { kind: 'expired' }> {
  if (!isId(id)) return { kind: 'expired' }
  const emailNormal = normalEmail(email)
  return db.transaction(async (tx) => {
    const mine = and(eq(signInChallenges.id, id), eq(signInChallenges.emailNormal, emailNormal), eq(signInChallenges.purpose, 'sign-in'))
    const [known] = await tx.select().from(signInChallenges).where(mine)
    if (!known) return { kind: 'expired' }
    const own = await lockCounts(tx, emailNormal, countsKeyOf(known), now)
    // locked, as a sign-in may be consuming it
    const [before] = await tx.select().from(signInChallenges).where(mine).for('update')
    if (!before || before.usedAt || isExpired(before, now)) return { kind: 'expired' }
    const early = before.sentAt.getTime() + CODE_RESEND_SECONDS * 1000 - now.getTime()
    if (early > 0) return { kind: 'too-soon', seconds: early / 1000 }
    const shared = await lockShared(tx, own, known.device, now)
    const seconds = mailWait(own, shared, limits, now)
    if (seconds > 0) return { kind: 'wait', seconds }
    const [challenge] = await tx
      .update(signInChallenges)
      .set({ codeHmac, tries: 0, sentAt: now, expiresAt: new Date(now.getTime() + CODE_MINUTES * MINUTE_MS) })
      .where(eq(signInChallenges.id, id))
      .returning()
    if (!challenge) throw new Error('a challenge was not updated')
    await countMail(tx, own, shared, now)
    return { kind: 'send', challenge, before }
  })
}

/** Restores the challenge of a mail that was never sent, unless it was used all the same, and does not count the mail (INPUT-8). */
export async function undoSending(db: Database, challenge: Challenge, before: Challenge | null): Promise<void> {
  await db.transaction(async (tx) => {
    const isKnown = eq(signInChallenges.id, challenge.id)
    // erased meanwhile: counting would store the address again
    if ((await tx.select({ id: signInChallenges.id }).from(signInChallenges).where(isKnown)).length === 0) return
    const own = await lockCounts(tx, challenge.emailNormal, countsKeyOf(challenge))
    const shared = await lockShared(tx, own, challenge.device)
    await uncountMail(tx, own, shared, challenge.sentAt)
    const isUnused = and(isKnown, eq(signInChallenges.codeHmac, challenge.codeHmac), isNull(signInChallenges.usedAt))
    if (before) await tx.update(signInChallenges).set(before).where(isUnused)
    else await tx.delete(signInChallenges).where(isUnused)
  })
}

export type Guess =
  | { kind: 'right'; challenge: Challenge }
  | { kind: 'wrong' }
  | { kind: 'exhausted' }
  | { kind: 'expired' }
  | WaitOutcome
  | { kind: 'unknown' }

/** Uses one guess, if one is left. A right one has to be followed by `consumeCode`. */
export async function guessCode(
  db: Database,
  guess: {
    challengeId: string
    email: string
    purpose: Challenge['purpose']
    /** the device that must have started it, if known */
    client?: string
    isRight: (challenge: Challenge) => boolean
  },
  now: Date,
): Promise<Guess> {
  const { challengeId, email, purpose, client, isRight } = guess
  if (!isId(challengeId)) return { kind: 'unknown' }
  const emailNormal = normalEmail(email)
  return db.transaction(async (tx) => {
    const mine = and(
      eq(signInChallenges.id, challengeId),
      eq(signInChallenges.emailNormal, emailNormal),
      eq(signInChallenges.purpose, purpose),
      client === undefined ? undefined : eq(signInChallenges.client, client),
    )
    const [known] = await tx.select().from(signInChallenges).where(mine)
    if (!known) return { kind: 'unknown' }
    const counts = await lockCounts(tx, emailNormal, countsKeyOf(known), now)
    const [challenge] = await tx.select().from(signInChallenges).where(mine)
    if (!challenge || challenge.usedAt) return { kind: 'unknown' }
    if (isExpired(challenge, now)) {
      // for good, also if the clock is set back to while it was valid
      const expiresAt = new Date(challenge.sentAt.getTime() - CLOCKS_DIFFER_MS)
      await tx.update(signInChallenges).set({ expiresAt }).where(mine)
      return { kind: 'expired' }
    }
    if (challenge.tries >= TRIES_PER_CODE) return { kind: 'exhausted' }
    const wait = guessWait(counts, now)
    if (wait > 0) return { kind: 'wait', seconds: wait }
    if (isRight(challenge)) return { kind: 'right', challenge }
    const tries = challenge.tries + 1
    await tx.update(signInChallenges).set({ tries }).where(mine)
    await countWrongGuess(tx, counts, now)
    const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.emailNormal, emailNormal))
    const event = purpose === 'sign-in' ? 'sign-in-failed' : 'account-close-failed'
    const failed = { event, userId: user?.id ?? null, about: challenge.id } as const
    await (user ? appendAuditEntry(tx, failed, now) : imitateAuditEntry(tx, failed, now))
    return { kind: tries >= TRIES_PER_CODE ? 'exhausted' : 'wrong' }
  })
}

/**
 * Consumes the code of a right guess, in the transaction of what it permits: if that fails, the code can be used again. Of several
 * concurrent requests one gets true. The caller has locked the account, as an erasure does before it deletes codes.
 */
export async function consumeCode(tx: Database, { id, codeHmac }: Challenge, now: Date): Promise<boolean> {
  const isUnused = and(eq(signInChallenges.id, id), eq(signInChallenges.codeHmac, codeHmac), isNull(signInChallenges.usedAt))
  const consumed = await tx.update(signInChallenges).set({ usedAt: now }).where(isUnused).returning({ id: signInChallenges.id })
  return consumed.length > 0
}

/** Deletes sign-ins a day after their end, and their counts. */
export async function deleteOldSignIns(db: Database, now: Date): Promise<void> {
  await db.delete(signInChallenges).where(lt(signInChallenges.expiresAt, daysBefore(now, 1)))
  await deleteSpentCounts(db, now)
}
