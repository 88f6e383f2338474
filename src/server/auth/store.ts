import { and, desc, eq, gt, inArray, isNull, lt, lte, sql } from 'drizzle-orm'
import { CODE_MINUTES, RESEND_SECONDS } from '#contract/constants.ts'
import type { UserTypeCode } from '#contract/rules/user-types.ts'
import { normalEmail } from '#contract/rules/email.ts'
import { note, noteNothing } from '../audit/store.ts'
import type { Database } from '../db/database.ts'
import { isId } from '../db/open.ts'
import { signInChallenges, signInCounts } from '../db/schema/sign-in.ts'
import { users } from '../db/schema/users.ts'
import type { Language } from '#contract/languages.ts'
import { lockAddress, attachPending } from '../instances/pending-store.ts'
import { TRIES_PER_CODE, waitAfter, WRONG_GUESSES_PER_DAY } from './one-time-code.ts'

/** Sign-ins, from the challenge to the account. Each function is one transaction, serialised per e-mail by a row lock. */

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** As the leeway of tokens. */
const CLOCKS_DIFFER_MS = MINUTE_MS
/** Per e-mail and device with an id, so that no device displaces another's challenge. Devices without one are limited by their mails. */
const CHALLENGES_PER_EMAIL = 3
/** Mails to one e-mail for a device with an id, whatever others at its network address use. */
const OWN_MAILS_PER_HOUR = 2
/** Multiplies MAILS_PER_DAY: the limit of mails from one network address to one e-mail. It includes its devices' own, since ids can be made up. */
const SOURCE_SHARE = 2
/** Share of MAILS_PER_DAY_IN_ALL; the rest is for network addresses without a mail today, one each. */
const SHARE_OF_BUSY_SOURCES = 2 / 3
/** In the device column: all unknown devices together. */
const ALL_UNKNOWN_DEVICES = '*'

export type User = typeof users.$inferSelect
export type Challenge = typeof signInChallenges.$inferSelect
type Counts = typeof signInCounts.$inferSelect

/** Whether a `device` stands for a network address, or is '' from before these were distinguished. */
export const isUnknownDevice = (device: string) => device === '' || device.startsWith('~')

/** Whether a `client` is not a device's id. */
export const isUnnamed = (client: string) => client === '' || client.startsWith('~')

/** The `device` column of the row whose attempts and mails are used first: a known device's, else the sent id's, else the network address's. */
const countsKeyOf = ({ device, client }: Pick<Challenge, 'device' | 'client'>) =>
  isUnknownDevice(device) && !isUnnamed(client) ? `@${client}` : device

export interface Start {
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
  purpose: Challenge['purpose']
}
interface MailLimits {
  mailsPerHour: number
  mailsPerDay: number
  /** to one e-mail, for all unknown devices together */
  mailsPerDayInAll: number
}
type Waiting = { kind: 'wait'; seconds: number }
type Sending = { kind: 'send'; challenge: Challenge }

/**
 * The challenge for this sign-in: the one that the same device started with the same data in the last 60 s (LOGIN-14), or a new
 * one, which counts as a mail.
 */
export async function startChallenge(
  db: Database,
  start: Start,
  limits: MailLimits,
  now: Date,
): Promise<Sending | Waiting | { kind: 'live'; challenge: Challenge }> {
  const emailNormal = normalEmail(start.email)
  return db.transaction(async (tx) => {
    const own = await lockCounts(tx, emailNormal, countsKeyOf(start))
    const recent = new Date(now.getTime() - RESEND_SECONDS * 1000)
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
    const shared = await lockShared(tx, own, start.device)
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

/** When a code may have been sent: another server's clock may be ahead by as much. */
const latest = (now: Date) => new Date(now.getTime() + CLOCKS_DIFFER_MS)

/** A code from the future has expired before the clock was set back, or may have: it must not become valid again. INPUT-73 */
const isExpired = ({ sentAt, expiresAt }: Challenge, now: Date) => expiresAt <= now || sentAt > latest(now)

function isSameStart(one: Challenge, start: Start): boolean {
  return (['userType', 'firstName', 'lastName', 'city', 'country'] as const).every((name) => one[name] === start[name])
}

/** The same challenge with a new code: its attempts start again, the day's guesses do not (LOGIN-15). */
export async function renewChallenge(
  db: Database,
  id: string,
  email: string,
  codeHmac: string,
  limits: MailLimits,
  now: Date,
): Promise<(Sending & { before: Challenge }) | Waiting | { kind: 'too-soon'; seconds: number } | { kind: 'expired' }> {
  if (!isId(id)) return { kind: 'expired' }
  const emailNormal = normalEmail(email)
  return db.transaction(async (tx) => {
    const mine = and(eq(signInChallenges.id, id), eq(signInChallenges.emailNormal, emailNormal), eq(signInChallenges.purpose, 'sign-in'))
    const [known] = await tx.select().from(signInChallenges).where(mine)
    if (!known) return { kind: 'expired' }
    const own = await lockCounts(tx, emailNormal, countsKeyOf(known))
    const [before] = await tx.select().from(signInChallenges).where(mine)
    if (!before || before.usedAt || isExpired(before, now)) return { kind: 'expired' }
    const early = before.sentAt.getTime() + RESEND_SECONDS * 1000 - now.getTime()
    if (early > 0) return { kind: 'too-soon', seconds: early / 1000 }
    const shared = await lockShared(tx, own, known.device)
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

/** For a mail that was never sent: restores the challenge and does not count the mail (INPUT-8). */
export async function undoSending(db: Database, challenge: Challenge, before: Challenge | null): Promise<void> {
  await db.transaction(async (tx) => {
    const own = await lockCounts(tx, challenge.emailNormal, countsKeyOf(challenge))
    const shared = await lockShared(tx, own, challenge.device)
    const sent = challenge.sentAt.toISOString()
    for (const one of rowsOf(own, shared)) {
      const place = one.mails.lastIndexOf(sent)
      if (place === -1) continue
      const mails = one.mails.toSpliced(place, 1)
      await tx.update(signInCounts).set({ mails }).where(isOf(one))
    }
    const same = and(eq(signInChallenges.id, challenge.id), eq(signInChallenges.codeHmac, challenge.codeHmac))
    if (before) await tx.update(signInChallenges).set(before).where(same)
    else await tx.delete(signInChallenges).where(same)
  })
}

async function lockCounts(tx: Database, emailNormal: string, device: string): Promise<Counts> {
  // an upsert without a change locks the row, whether it existed or not
  const [counts] = await tx
    .insert(signInCounts)
    .values({ emailNormal, device })
    .onConflictDoUpdate({ target: [signInCounts.emailNormal, signInCounts.device], set: { emailNormal } })
    .returning()
  if (!counts) throw new Error('sign-in counts were not locked')
  return counts
}

/** What unknown devices share. */
interface Shared {
  /** at one network address; also the row of devices without an id */
  source: Counts
  total: Counts
}

/** Always locked in this order, after the caller's row; undefined for a known device. */
async function lockShared(tx: Database, own: Counts, device: string): Promise<Shared | undefined> {
  if (!isUnknownDevice(device)) return undefined
  const source = own.device === device ? own : await lockCounts(tx, own.emailNormal, device)
  return { source, total: await lockCounts(tx, own.emailNormal, ALL_UNKNOWN_DEVICES) }
}

function rowsOf(own: Counts, shared: Shared | undefined): Set<Counts> {
  return new Set(shared ? [own, shared.source, shared.total] : [own])
}

function isOf({ emailNormal, device }: Counts) {
  return and(eq(signInCounts.emailNormal, emailNormal), eq(signInCounts.device, device))
}

/** Seconds until another mail may be sent. */
function mailWait(own: Counts, shared: Shared | undefined, limits: MailLimits, now: Date): number {
  const seconds = waitOf(own, limits, now)
  return shared ? Math.max(seconds, sourceWait(own, shared, limits, now), totalWait(shared, limits, now)) : seconds
}

function waitOf({ mails }: Counts, { mailsPerHour, mailsPerDay }: MailLimits, now: Date): number {
  return Math.max(waitFor(mails, 60 * MINUTE_MS, mailsPerHour, now), waitFor(mails, DAY_MS, mailsPerDay, now))
}

/** A device's own mails may exceed the shared limit of its network address, up to a maximum, since ids can be made up. */
function sourceWait(own: Counts, { source }: Shared, limits: MailLimits, now: Date): number {
  const inCommon = waitOf(source, limits, now)
  if (own === source) return inCommon
  const ofOwn = waitFor(own.mails, 60 * MINUTE_MS, OWN_MAILS_PER_HOUR, now)
  return Math.min(inCommon, Math.max(ofOwn, waitFor(source.mails, DAY_MS, SOURCE_SHARE * limits.mailsPerDay, now)))
}

/** The last codes of the day are reserved, so that a few network addresses with made-up ids cannot lock out all others. */
function totalWait({ source, total }: Shared, { mailsPerDayInAll }: MailLimits, now: Date): number {
  const isBusy = waitFor(source.mails, DAY_MS, 1, now) > 0
  return waitFor(total.mails, DAY_MS, isBusy ? Math.floor(mailsPerDayInAll * SHARE_OF_BUSY_SOURCES) : mailsPerDayInAll, now)
}

/** Seconds until fewer than `maximum` of these instants lie within the window (ms). */
function waitFor(instants: string[], window: number, maximum: number, now: Date): number {
  const inside = instants.map((at) => new Date(at).getTime()).filter((at) => at > now.getTime() - window)
  const first = inside.at(-maximum)
  // a mail from the future counts as one of now: the clock was set back
  return first === undefined ? 0 : Math.min(first + window - now.getTime(), window) / 1000
}

async function countMail(tx: Database, own: Counts, shared: Shared | undefined, now: Date): Promise<void> {
  for (const counts of rowsOf(own, shared)) {
    const recent = counts.mails.filter((at) => new Date(at).getTime() > now.getTime() - DAY_MS)
    await tx
      .update(signInCounts)
      .set({ mails: [...recent, now.toISOString()] })
      .where(isOf(counts))
  }
}

export type Guess =
  | { kind: 'right'; challenge: Challenge }
  | { kind: 'wrong' }
  | { kind: 'exhausted' }
  | { kind: 'expired' }
  | Waiting
  | { kind: 'unknown' }

/** Uses one guess, if one is left, and consumes the challenge if it is right: of several concurrent ones, one succeeds. */
export async function guessCode(
  db: Database,
  guess: {
    session: string
    email: string
    purpose: Challenge['purpose']
    /** the device that must have started it, if known */
    client?: string
    isRight: (challenge: Challenge) => boolean
  },
  now: Date,
): Promise<Guess> {
  const { session, email, purpose, client, isRight } = guess
  if (!isId(session)) return { kind: 'unknown' }
  const emailNormal = normalEmail(email)
  return db.transaction(async (tx) => {
    const mine = and(
      eq(signInChallenges.id, session),
      eq(signInChallenges.emailNormal, emailNormal),
      eq(signInChallenges.purpose, purpose),
      client === undefined ? undefined : eq(signInChallenges.client, client),
    )
    const [known] = await tx.select().from(signInChallenges).where(mine)
    if (!known) return { kind: 'unknown' }
    const counts = await lockCounts(tx, emailNormal, countsKeyOf(known))
    const [challenge] = await tx.select().from(signInChallenges).where(mine)
    if (!challenge || challenge.usedAt) return { kind: 'unknown' }
    if (isExpired(challenge, now)) {
      // for good, also if the clock is set back to while it was valid
      const expiresAt = new Date(challenge.sentAt.getTime() - CLOCKS_DIFFER_MS)
      await tx.update(signInChallenges).set({ expiresAt }).where(mine)
      return { kind: 'expired' }
    }
    if (challenge.tries >= TRIES_PER_CODE) return { kind: 'exhausted' }
    const today = now.toISOString().slice(0, 10)
    // of tomorrow, where another server's clock is past midnight already
    const wrongDay = counts.wrongDay > today ? counts.wrongDay : today
    const wrong = counts.wrongDay === wrongDay ? counts.wrong : 0
    const wait = guessWait(counts, wrong, now)
    if (wait > 0) return { kind: 'wait', seconds: wait }
    if (isRight(challenge)) {
      await tx.update(signInChallenges).set({ usedAt: now }).where(mine)
      return { kind: 'right', challenge }
    }
    const tries = challenge.tries + 1
    await tx.update(signInChallenges).set({ tries }).where(mine)
    const waitUntil = new Date(now.getTime() + waitAfter(wrong + 1) * 1000)
    await tx
      .update(signInCounts)
      .set({ wrongDay, wrong: wrong + 1, waitUntil })
      .where(isOf(counts))
    const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.emailNormal, emailNormal))
    const event = purpose === 'sign-in' ? 'sign-in-failed' : 'account-close-failed'
    const failed = { event, userId: user?.id ?? null, about: challenge.id } as const
    await (user ? note(tx, failed, now) : noteNothing(tx, failed, now))
    return { kind: tries >= TRIES_PER_CODE ? 'exhausted' : 'wrong' }
  })
}

function guessWait(counts: Counts, wrongToday: number, now: Date): number {
  if (wrongToday >= WRONG_GUESSES_PER_DAY) return (DAY_MS - (now.getTime() % DAY_MS)) / 1000
  if (!counts.waitUntil) return 0
  // no longer than the guess cost, where the clock has been set back since
  return Math.min((counts.waitUntil.getTime() - now.getTime()) / 1000, waitAfter(counts.wrong))
}

export interface NewPerson {
  id: string
  firstName: string | null
  lastName: string | null
  cityId: string | null
  countryId: string | null
}

/**
 * The account of a verified e-mail, created if there is none: of the requested type, with the data a coach entered. Of an existing
 * account only the language is updated (LOGIN-21). Pending instances of the e-mail are attached to a player's account; for a coach's,
 * their tokens are returned.
 */
export async function findOrCreateAccount(
  db: Database,
  challenge: Challenge,
  person: NewPerson,
  now: Date,
): Promise<{ user: User; isNew: boolean }> {
  const { emailNormal, email, userType, language } = challenge
  return db.transaction(async (tx) => {
    await lockAddress(tx, emailNormal)
    const made = await tx
      .insert(users)
      .values({ ...person, email, emailNormal, userType, language, createdAt: now })
      .onConflictDoNothing({ target: users.emailNormal })
      .returning({ id: users.id })
    const isNew = made.length > 0
    const [user] = await tx.select().from(users).where(eq(users.emailNormal, emailNormal)).for('update')
    if (!user) throw new Error('an account was not created')
    if (user.deactivatedAt) return { user, isNew }
    await attachPending(tx, user, now)
    if (user.language === language) return { user, isNew }
    await tx.update(users).set({ language }).where(eq(users.id, user.id))
    return { user: { ...user, language }, isNew }
  })
}

/** Deletes sign-ins a day after their end, and their counts. */
export async function deleteOldSignIns(db: Database, now: Date): Promise<void> {
  await db.delete(signInChallenges).where(lt(signInChallenges.expiresAt, new Date(now.getTime() - DAY_MS)))
  const today = now.toISOString().slice(0, 10)
  const isSpent = sql`not exists (select 1 from jsonb_array_elements_text(${signInCounts.mails}) at where at::timestamptz > ${new Date(now.getTime() - DAY_MS).toISOString()}::timestamptz)`
  await db.delete(signInCounts).where(and(lt(signInCounts.wrongDay, today), isSpent))
}
