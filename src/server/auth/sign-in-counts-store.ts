import { and, eq, lt, sql } from 'drizzle-orm'
import { DAY_MS, daysBefore, HOUR_MS } from '#contract/rules/dates.ts'
import type { Database } from '../db/database.ts'
import { signInCounts } from '../db/schema/sign-in.ts'
import { ALL_UNKNOWN_DEVICES, isUnknownDevice } from './count-keys.ts'
import { waitAfter, WRONG_GUESSES_PER_DAY } from './one-time-code.ts'

/** Mails and wrong guesses of an e-mail address: what is counted, and how long the next one has to wait. Within the transactions of store.ts. */

/** Mails to one e-mail for a device with an id, whatever others at its network address use. */
const OWN_MAILS_PER_HOUR = 2
/** Multiplies MAILS_PER_DAY: the limit of mails from one network address to one e-mail. It includes its devices' own, since ids can be made up. */
const ADDRESS_FACTOR = 2
/** Share of MAILS_PER_DAY_IN_ALL; the rest is for network addresses without a mail today, one each. */
const SHARE_OF_BUSY_ADDRESSES = 2 / 3

type Counts = typeof signInCounts.$inferSelect

export interface MailLimits {
  mailsPerHour: number
  mailsPerDay: number
  /** to one e-mail, for all unknown devices together */
  mailsPerDayInAll: number
}

/** @param now undefined: only to lock the row */
export async function lockCounts(tx: Database, emailNormal: string, device: string, now?: Date): Promise<Counts> {
  // an upsert without a change locks the row, whether it existed or not
  const [counts] = await tx
    .insert(signInCounts)
    .values({ emailNormal, device })
    .onConflictDoUpdate({ target: [signInCounts.emailNormal, signInCounts.device], set: { emailNormal } })
    .returning()
  if (!counts) throw new Error('sign-in counts were not locked')
  return now ? withoutFuture(tx, counts, now) : counts
}

/** What is counted in the future, as the clock has been set back since, counts as of now, or it would count until then. */
async function withoutFuture(tx: Database, counts: Counts, now: Date): Promise<Counts> {
  const instant = now.toISOString()
  const tomorrow = dayOf(new Date(now.getTime() + DAY_MS))
  const longest = new Date(now.getTime() + waitAfter(counts.wrong) * 1000)
  const mails = counts.mails.map((at) => (at > instant ? instant : at))
  // another server's clock may be past midnight already
  const wrongDay = counts.wrongDay > tomorrow ? dayOf(now) : counts.wrongDay
  const waitUntil = counts.waitUntil && counts.waitUntil > longest ? longest : counts.waitUntil
  if (wrongDay !== counts.wrongDay || waitUntil !== counts.waitUntil || mails.some((at, place) => at !== counts.mails[place]))
    await tx.update(signInCounts).set({ mails, wrongDay, waitUntil }).where(isOf(counts))
  return { ...counts, mails, wrongDay, waitUntil }
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10)

/** What unknown devices share. */
interface SharedCounts {
  /** at one network address; also the row of devices without an id */
  address: Counts
  total: Counts
}

/** Always locked in this order, after the caller's row; undefined for a known device. */
export async function lockShared(tx: Database, own: Counts, device: string, now?: Date): Promise<SharedCounts | undefined> {
  if (!isUnknownDevice(device)) return undefined
  const address = own.device === device ? own : await lockCounts(tx, own.emailNormal, device, now)
  return { address, total: await lockCounts(tx, own.emailNormal, ALL_UNKNOWN_DEVICES, now) }
}

/** Deletes the counts of an address. They are locked in the order of a sign-in: a device's own, its network address's, those of all. */
export async function deleteCounts(tx: Database, emailNormal: string): Promise<void> {
  const isMeant = eq(signInCounts.emailNormal, emailNormal)
  const place = sql`case when ${signInCounts.device} = ${ALL_UNKNOWN_DEVICES} then 2 when ${signInCounts.device} like '~%' then 1 else 0 end`
  await tx.select({ device: signInCounts.device }).from(signInCounts).where(isMeant).orderBy(place, signInCounts.device).for('update')
  await tx.delete(signInCounts).where(isMeant)
}

/** Deletes counts without a wrong guess today or a mail in the last day; those in use, which are locked, stay until the next sweep. */
export async function deleteSpentCounts(db: Database, now: Date): Promise<void> {
  const isSpent = sql`not exists (select 1 from jsonb_array_elements_text(${signInCounts.mails}) at where at::timestamptz > ${daysBefore(now, 1).toISOString()}::timestamptz)`
  const { emailNormal, device } = signInCounts
  const spent = db
    .select({ emailNormal, device })
    .from(signInCounts)
    .where(and(lt(signInCounts.wrongDay, dayOf(now)), isSpent))
    .for('update', { skipLocked: true })
  await db.delete(signInCounts).where(sql`(${emailNormal}, ${device}) in (${spent})`)
}

function rowsOf(own: Counts, shared: SharedCounts | undefined): Set<Counts> {
  return new Set(shared ? [own, shared.address, shared.total] : [own])
}

function isOf({ emailNormal, device }: Counts) {
  return and(eq(signInCounts.emailNormal, emailNormal), eq(signInCounts.device, device))
}

/** Seconds until another mail may be sent. */
export function mailWait(own: Counts, shared: SharedCounts | undefined, limits: MailLimits, now: Date): number {
  const seconds = waitOf(own, limits, now)
  return shared ? Math.max(seconds, addressWait(own, shared, limits, now), totalWait(shared, limits, now)) : seconds
}

function waitOf({ mails }: Counts, { mailsPerHour, mailsPerDay }: MailLimits, now: Date): number {
  return Math.max(waitFor(mails, HOUR_MS, mailsPerHour, now), waitFor(mails, DAY_MS, mailsPerDay, now))
}

/** A device's own mails may exceed the shared limit of its network address, up to a maximum, since ids can be made up. */
function addressWait(own: Counts, { address }: SharedCounts, limits: MailLimits, now: Date): number {
  const inCommon = waitOf(address, limits, now)
  if (own === address) return inCommon
  const ofOwn = waitFor(own.mails, HOUR_MS, OWN_MAILS_PER_HOUR, now)
  return Math.min(inCommon, Math.max(ofOwn, waitFor(address.mails, DAY_MS, ADDRESS_FACTOR * limits.mailsPerDay, now)))
}

/** The last codes of the day are reserved, so that a few network addresses with made-up ids cannot lock out all others. */
function totalWait({ address, total }: SharedCounts, { mailsPerDayInAll }: MailLimits, now: Date): number {
  const isBusy = waitFor(address.mails, DAY_MS, 1, now) > 0
  return waitFor(total.mails, DAY_MS, isBusy ? Math.floor(mailsPerDayInAll * SHARE_OF_BUSY_ADDRESSES) : mailsPerDayInAll, now)
}

/** Seconds until fewer than `maximum` of these instants lie within the window (ms). */
function waitFor(instants: string[], window: number, maximum: number, now: Date): number {
  const inside = instants.map((at) => new Date(at).getTime()).filter((at) => at > now.getTime() - window)
  const first = inside.at(-maximum)
  return first === undefined ? 0 : (first + window - now.getTime()) / 1000
}

export async function countMail(tx: Database, own: Counts, shared: SharedCounts | undefined, now: Date): Promise<void> {
  for (const counts of rowsOf(own, shared)) {
    const recent = counts.mails.filter((at) => new Date(at).getTime() > now.getTime() - DAY_MS)
    await tx
      .update(signInCounts)
      .set({ mails: [...recent, now.toISOString()] })
      .where(isOf(counts))
  }
}

/** Takes a mail that was never sent off the counts. */
export async function uncountMail(tx: Database, own: Counts, shared: SharedCounts | undefined, sentAt: Date): Promise<void> {
  const sent = sentAt.toISOString()
  for (const one of rowsOf(own, shared)) {
    const place = one.mails.lastIndexOf(sent)
    if (place === -1) continue
    const mails = one.mails.toSpliced(place, 1)
    await tx.update(signInCounts).set({ mails }).where(isOf(one))
  }
}

export async function countWrongGuess(tx: Database, counts: Counts, now: Date): Promise<void> {
  const { day, wrong } = wrongGuesses(counts, now)
  const waitUntil = new Date(now.getTime() + waitAfter(wrong + 1) * 1000)
  await tx
    .update(signInCounts)
    .set({ wrongDay: day, wrong: wrong + 1, waitUntil })
    .where(isOf(counts))
}

/** Seconds until another guess is accepted. */
export function guessWait(counts: Counts, now: Date): number {
  if (wrongGuesses(counts, now).wrong >= WRONG_GUESSES_PER_DAY) return (DAY_MS - (now.getTime() % DAY_MS)) / 1000
  return counts.waitUntil ? (counts.waitUntil.getTime() - now.getTime()) / 1000 : 0
}

/** Those of today, or of tomorrow, where another server's clock is past midnight already. */
function wrongGuesses({ wrongDay, wrong }: Counts, now: Date): { day: string; wrong: number } {
  const today = dayOf(now)
  return wrongDay >= today ? { day: wrongDay, wrong } : { day: today, wrong: 0 }
}
