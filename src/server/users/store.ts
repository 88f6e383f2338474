import { createHash } from 'node:crypto'
import { and, asc, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { REOPEN_DAYS } from '#contract/constants.ts'
import type { Language } from '#contract/languages.ts'
import type { UserTypeCode } from '#contract/rules/user-types.ts'
import { appendAuditEntry, appendAuditEntries } from '../audit/store.ts'
import { normalEmail } from '#contract/rules/email.ts'
import { isId } from '#contract/rules/ids.ts'
import { DAY_MS, daysBefore } from '#contract/rules/dates.ts'
import { accountClosedMail } from '../auth/notices.ts'
import { deleteCounts } from '../auth/sign-in-counts-store.ts'
import { consumeCode, type Challenge } from '../auth/store.ts'
import type { Database } from '../db/database.ts'
import { prepared } from '../db/prepared.ts'
import { answerGroups, answerLog } from '../db/schema/answers.ts'
import { instances } from '../db/schema/instances.ts'
import { paragraphMarks } from '../db/schema/marks.ts'
import { sessions, signInChallenges } from '../db/schema/sign-in.ts'
import { users } from '../db/schema/users.ts'
import { attachPending } from '../instances/pending-store.ts'
import { lockAddress } from '../mailer/address-lock-store.ts'
import { eraseMails, queueMail } from '../mailer/store.ts'
import { endCheckoutsSoon } from '../payments/erased-checkouts-store.ts'
import { retirePicture } from '../pictures/store.ts'

export type User = typeof users.$inferSelect
export type UserChange = Partial<typeof users.$inferInsert>

const userById = prepared('user_by_id', (db) =>
  db
    .select()
    .from(users)
    .where(eq(users.id, sql.placeholder('id'))),
)

export async function findUser(db: Database, id: string): Promise<User | undefined> {
  if (!isId(id)) return undefined
  const [user] = await userById(db).execute({ id })
  return user
}

/** The open account of an e-mail address; case is ignored. */
export async function findUserByEmail(db: Database, email: string): Promise<User | undefined> {
  const [user] = await db
    .select()
    .from(users)
    .where(and(eq(users.emailNormal, normalEmail(email)), isNull(users.deactivatedAt)))
  return user
}

interface UserFilter {
  email?: string | undefined
  userId?: string | undefined
  userTypeCode?: UserTypeCode | undefined
  page: number
  limit: number
}

/** Oldest first; includes closed accounts until they are erased. */
export async function pageOfUsers(db: Database, filter: UserFilter): Promise<{ rows: User[]; total: number }> {
  const { email, userId, userTypeCode, page, limit } = filter
  if (userId !== undefined && !isId(userId)) return { rows: [], total: 0 }
  const wanted = and(
    isNull(users.erasedAt),
    email === undefined ? undefined : eq(users.emailNormal, normalEmail(email)),
    userId === undefined ? undefined : eq(users.id, userId),
    userTypeCode === undefined ? undefined : eq(users.userType, userTypeCode),
  )
  const rows = await db
    .select()
    .from(users)
    .where(wanted)
    .orderBy(asc(users.createdAt), asc(users.id))
    .limit(limit)
    .offset((page - 1) * limit)
  return { rows, total: await db.$count(users, wanted) }
}

/**
 * The version of a profile, which changes with every save. It is not the count of saves alone, which repeats after a restore and which
 * earlier builds do not raise; nor the content alone, which somebody may put back.
 */
export function profileVersionOf(user: User): string {
  const { saves, firstName, lastName, cityId, countryId, gender, birthDate, preferredPosition, sport, teams } = user
  const content = [saves, firstName, lastName, cityId, countryId, gender, birthDate, preferredPosition, sport, teams]
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url')
}

/** Changes the user only if the profile still has this version; else writes nothing and returns 'changed'. Call it in a transaction. */
export async function changeUserIfUnchanged(
  tx: Database,
  id: string,
  change: UserChange,
  version: string,
): Promise<User | 'changed' | undefined> {
  const [user] = await tx.select().from(users).where(eq(users.id, id)).for('update')
  if (user && profileVersionOf(user) !== version) return 'changed'
  return changeUser(tx, id, change)
}

/** Writes the given columns only, and counts the save; nothing once the account is erased. */
export async function changeUser(db: Database, id: string, change: UserChange): Promise<User | undefined> {
  const [user] = await db
    .update(users)
    .set({ ...change, saves: sql`${users.saves} + 1` })
    .where(and(eq(users.id, id), isNull(users.erasedAt)))
    .returning()
  return user
}

const REOPEN_MS = REOPEN_DAYS * DAY_MS

/** The time until which an account can be reopened. */
export const reopenUntil = (closedAt: Date) => new Date(closedAt.getTime() + REOPEN_MS)

/** Accounts that were closed then or earlier are erased. */
export const closedTooLongAgo = (now: Date) => daysBefore(now, REOPEN_DAYS)

type NewUser = Pick<typeof users.$inferInsert, 'id' | 'email' | 'userType' | 'firstName' | 'lastName'>

/** Creates an account, or reopens the closed one with this e-mail and type. Undefined if the e-mail has any other account. */
export async function createOrReopen(db: Database, person: NewUser, now: Date): Promise<User | undefined> {
  const emailNormal = normalEmail(person.email)
  return db.transaction(async (tx) => {
    await lockAddress(tx, emailNormal)
    const [made] = await tx
      .insert(users)
      .values({ ...person, emailNormal, createdAt: now })
      .onConflictDoNothing({ target: users.emailNormal })
      .returning()
    if (made) {
      await attachPending(tx, made, now)
      await appendAuditEntry(tx, { event: 'account-made', userId: made.id, about: made.id }, now)
      return made
    }
    const [known] = await tx.select().from(users).where(eq(users.emailNormal, emailNormal)).for('update')
    if (!known?.deactivatedAt || known.userType !== person.userType || known.deactivatedAt <= closedTooLongAgo(now)) return undefined
    const [reopened] = await tx.update(users).set({ deactivatedAt: null }).where(eq(users.id, known.id)).returning()
    await attachPending(tx, known, now)
    await appendAuditEntry(tx, { event: 'account-reopened', userId: known.id, about: known.id }, now)
    return reopened
  })
}

interface Closing {
  /** of the right guess that permits it */
  challenge: Challenge
  /** of the mail to the owner */
  language: Language
}

/** Closes an open account, consumes the code, ends the sessions and queues the mail to the owner, all or none. */
export async function closeAccount(
  db: Database,
  id: string,
  { challenge, language }: Closing,
  now: Date,
): Promise<'closed' | 'not-open' | 'code-used'> {
  return db.transaction(async (tx) => {
    const [user] = await tx
      .select()
      .from(users)
      .where(and(eq(users.id, id), isNull(users.deactivatedAt)))
      .for('update')
    if (!user) return 'not-open'
    if (!(await consumeCode(tx, challenge, now))) return 'code-used'
    await tx.update(users).set({ deactivatedAt: now }).where(eq(users.id, id))
    await tx
      .update(sessions)
      .set({ revokedAt: now })
      .where(and(eq(sessions.userId, id), isNull(sessions.revokedAt)))
    await queueMail(tx, accountClosedMail(user, language, reopenUntil(now)), now)
    await appendAuditEntry(tx, { event: 'account-closed', userId: id, about: id }, now)
    return 'closed'
  })
}

const isOverdue = (before: Date) => and(lte(users.deactivatedAt, before), isNull(users.erasedAt))

/** Accounts that were closed at `before` or earlier and have not been erased. */
export async function listClosed(db: Database, before: Date): Promise<string[]> {
  const rows = await db.select({ id: users.id }).from(users).where(isOverdue(before)).orderBy(asc(users.deactivatedAt))
  return rows.map(({ id }) => id)
}

/** What an account is once nothing of its person is left; null and empty everywhere else. */
const NOBODY = {
  email: '',
  firstName: null,
  lastName: null,
  cityId: null,
  countryId: null,
  gender: null,
  birthDate: null,
  preferredPosition: null,
  sport: null,
  teams: [],
  hasProfilePicture: false,
  language: 'en',
  saves: 0,
} satisfies UserChange

/** The instances of a person: the account's, and those allocated to its address that belong to no account. */
export function isOfPerson({ id, emailNormal }: Pick<User, 'id' | 'emailNormal'>) {
  return or(eq(instances.userId, id), and(isNull(instances.userId), eq(instances.emailNormal, emailNormal)))
}

/**
 * Erases an account: profile, picture, answers with their log, mails, sessions and sign-ins, and what others wrote of its person.
 * Its results remain without a name or an account, its orders as records of payments.
 * @param closedBefore the account is only erased if it was closed then or earlier, and not reopened; undefined: also an open one
 * @returns whether it has erased the account
 */
export async function eraseAccount(db: Database, id: string, now: Date, closedBefore?: Date): Promise<boolean> {
  const isToErase = and(eq(users.id, id), closedBefore ? isOverdue(closedBefore) : isNull(users.erasedAt))
  return db.transaction(async (tx) => {
    const [known] = await tx.select({ emailNormal: users.emailNormal }).from(users).where(isToErase)
    if (!known) return false
    // a concurrent allocation to the address comes either before, and is erased too, or after, and finds no account
    await lockAddress(tx, known.emailNormal)
    const [user] = await tx
      .select({ emailNormal: users.emailNormal, deactivatedAt: users.deactivatedAt })
      .from(users)
      .where(isToErase)
      .for('update')
    if (!user) return false
    const isOwn = isOfPerson({ id, ...user })
    const own = tx.select({ id: instances.id }).from(instances).where(isOwn)
    const allocatedByThem = eq(instances.coachId, id)
    // instances before their mails, the order of locks where a mail is sent; all in one order, as others of them may be erased at once
    await tx.select({ id: instances.id }).from(instances).where(or(isOwn, allocatedByThem)).orderBy(asc(instances.id)).for('update')
    // before the mails: a session that is being ended queues one
    await tx.delete(sessions).where(eq(sessions.userId, id))
    // names that only this coach could read
    await tx.update(instances).set({ playerName: null }).where(allocatedByThem)
    await eraseMails(tx, { ...user, id, own }, now)
    for (const table of [answerLog, answerGroups, paragraphMarks]) await tx.delete(table).where(inArray(table.instanceId, own))
    await tx
      .update(instances)
      .set({
        // a new id and no account, so that a list a coach saved earlier cannot be matched with these rows
        id: sql`gen_random_uuid()`,
        userId: null,
        // by law a payment record names the account, so no result may refer to one
        orderId: sql`case when ${instances.status} = 'COMPLETED' then null else ${instances.orderId} end`,
        email: '',
        // random, so that the unique index of pending instances allows several erased players of one coach
        emailNormal: sql`'erased:' || gen_random_uuid()`,
        playerName: null,
        userTeam: null,
        userPositionName: null,
      })
      .where(isOwn)
    await retirePicture(tx, id, now)
    await endCheckoutsSoon(tx, id)
    // counts before challenges, the order of locks in a guess
    await deleteCounts(tx, user.emailNormal)
    await tx.delete(signInChallenges).where(eq(signInChallenges.emailNormal, user.emailNormal))
    // frees the e-mail for a new account
    await tx
      .update(users)
      .set({ ...NOBODY, emailNormal: `erased:${id}`, deactivatedAt: user.deactivatedAt ?? now, erasedAt: now })
      .where(eq(users.id, id))
    const events = user.deactivatedAt ? (['account-erased'] as const) : (['account-closed', 'account-erased'] as const)
    await appendAuditEntries(
      tx,
      events.map((event) => ({ event, userId: id, about: id })),
      now,
    )
    return true
  })
}
