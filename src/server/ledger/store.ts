import { and, asc, desc, eq, lt, ne, sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { prepared } from '../db/prepared.ts'
import { instances } from '../db/schema/instances.ts'
import { tokenBalances, tokenLedger } from '../db/schema/tokens.ts'
import { users } from '../db/schema/users.ts'

/**
 * The token ledger (TOKENS-13). Every change appends a row to the ledger and changes the balance by the same amount, in the transaction
 * of what caused it, so that a balance always equals the sum of its ledger. Only this file writes either.
 */

export interface Balance {
  /** bought, less refunded */
  total: number
  /** spent, less returned */
  used: number
  /** refunded by the provider after being spent: taken from tokens that are returned or bought next */
  owed: number
}

const nothing: Balance = { total: 0, used: 0, owed: 0 }

const balanceOf = prepared('token_balance', (db) =>
  db
    .select()
    .from(tokenBalances)
    .where(eq(tokenBalances.coachId, sql.placeholder('coachId'))),
)

/** The balance of a coach; zeros for one who never bought a token. */
export async function readBalance(db: Database, coachId: string): Promise<Balance> {
  const [row] = await balanceOf(db).execute({ coachId })
  return row ?? nothing
}

/** An instance that a token was spent on, and that was not reclaimed. */
export type SpentOn = Awaited<ReturnType<typeof readTokens>>['spentOn'][number]

/** A coach's balance, with the instances their tokens were spent on. */
export interface Tokens {
  total: number
  used: number
  owed: number
  /** the pending ones by `allocatedAt`, then the completed ones, newest first (TOKENS-19) */
  spentOn: SpentOn[]
}

const tokensOf = prepared('tokens_of_coach', (db) => {
  const { id, status, email, playerName, invitedAt, allocatedAt, assessmentId, userId, briefOpenedAt, invitation, heldUntil } = instances
  const { bouncedAt, bouncedWhy } = instances
  return db
    .select({
      total: tokenBalances.total,
      used: tokenBalances.used,
      owed: tokenBalances.owed,
      spentOn: {
        id,
        status,
        email,
        playerName,
        invitedAt,
        allocatedAt,
        assessmentId,
        userId,
        briefOpenedAt,
        invitation,
        heldUntil,
        bouncedAt,
        bouncedWhy,
      },
      // the id first: drizzle takes a row whose first column is null for one that is not there
      player: { id: users.id, firstName: users.firstName, lastName: users.lastName, deactivatedAt: users.deactivatedAt },
    })
    .from(tokenBalances)
    .leftJoin(instances, and(eq(instances.coachId, tokenBalances.coachId), ne(instances.status, 'RECLAIMED')))
    .leftJoin(users, eq(users.id, instances.userId))
    .where(eq(tokenBalances.coachId, sql.placeholder('coachId')))
    .orderBy(desc(instances.completedAt), asc(instances.allocatedAt), asc(instances.id))
})

/** The counts and the use of each token, in one statement's snapshot, so that they always agree. */
export async function readTokens(db: Database, coachId: string) {
  const rows = await tokensOf(db).execute({ coachId })
  const { total, used, owed } = rows[0] ?? nothing
  return { total, used, owed, spentOn: rows.flatMap(({ spentOn, player }) => (spentOn ? [{ ...spentOn, player }] : [])) }
}

/** Spends one token on an instance; false if there is none. Of several concurrent calls for the last one, one succeeds (TOKENS-14). */
export async function spendToken(tx: Database, coachId: string, instanceId: string, now: Date): Promise<boolean> {
  const taken = await tx
    .update(tokenBalances)
    .set({ used: sql`${tokenBalances.used} + 1` })
    .where(and(eq(tokenBalances.coachId, coachId), lt(tokenBalances.used, tokenBalances.total)))
    .returning({ coachId: tokenBalances.coachId })
  if (taken.length === 0) return false
  await tx.insert(tokenLedger).values({ coachId, kind: 'spent', amount: 1, instanceId, at: now })
  return true
}

/**
 * Returns the token of an instance; the ledger's unique key prevents a second return. Resolves to whether the coach has it again: one
 * that was refunded after it was used takes it (TOKENS-15).
 */
export async function returnToken(tx: Database, coachId: string, instanceId: string, now: Date): Promise<boolean> {
  const { total, used, owed } = await lockBalance(tx, coachId)
  await tx.insert(tokenLedger).values({ coachId, kind: 'returned', amount: -1, instanceId, at: now })
  const settled = Math.min(owed, 1)
  await storeBalance(tx, coachId, { total: total - settled, used: used - 1, owed: owed - settled })
  await noteRefunded(tx, coachId, settled, null, now)
  return settled === 0
}

/** Moves the token of one instance to another: it is never unspent in between, so a refund that is owed cannot take it. */
export async function moveToken(tx: Database, coachId: string, from: string, to: string, now: Date): Promise<void> {
  await tx.insert(tokenLedger).values([
    { coachId, kind: 'returned', amount: -1, instanceId: from, at: now },
    { coachId, kind: 'spent', amount: 1, instanceId: to, at: now },
  ])
}

interface Addition {
  coachId: string
  amount: number
  /** null: granted by the product itself, not bought */
  orderId: string | null
}

/** Adds tokens, once for each order, by the ledger's unique key. */
export async function addTokens(tx: Database, addition: Addition, now: Date): Promise<void> {
  await add(tx, addition.orderId === null ? 'granted' : 'bought', addition, now)
}

/** Reverses `takeBackTokens` for an order whose refund failed or whose dispute was won. */
export async function giveBackTokens(tx: Database, addition: Addition, now: Date): Promise<void> {
  await add(tx, 'granted', addition, now)
}

async function add(tx: Database, kind: 'bought' | 'granted', { coachId, amount, orderId }: Addition, now: Date): Promise<void> {
  const { total, used, owed } = await lockBalance(tx, coachId)
  await tx.insert(tokenLedger).values({ coachId, kind, amount, orderId, at: now })
  const settled = Math.min(owed, amount)
  await storeBalance(tx, coachId, { total: total + amount - settled, used, owed: owed - settled })
  await noteRefunded(tx, coachId, settled, null, now)
}

/** Takes back unspent tokens; the rest is owed (TOKENS-15). Resolves to how many were taken. */
export async function takeBackTokens(tx: Database, { coachId, amount, orderId }: Addition, now: Date): Promise<number> {
  const { total, used, owed } = await lockBalance(tx, coachId)
  const taken = Math.min(amount, total - used)
  await storeBalance(tx, coachId, { total: total - taken, used, owed: owed + amount - taken })
  await noteRefunded(tx, coachId, taken, orderId, now)
  return taken
}

async function lockBalance(tx: Database, coachId: string): Promise<Balance> {
  await tx.insert(tokenBalances).values({ coachId }).onConflictDoNothing()
  const [row] = await tx.select().from(tokenBalances).where(eq(tokenBalances.coachId, coachId)).for('update')
  if (!row) throw new Error('a balance was not stored')
  return row
}

async function storeBalance(tx: Database, coachId: string, balance: Balance): Promise<void> {
  await tx.update(tokenBalances).set(balance).where(eq(tokenBalances.coachId, coachId))
}

async function noteRefunded(tx: Database, coachId: string, tokens: number, orderId: string | null, now: Date): Promise<void> {
  if (tokens > 0) await tx.insert(tokenLedger).values({ coachId, kind: 'refunded', amount: -tokens, orderId, at: now })
}
