import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { api } from '#contract/api.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { tokens } from '#contract/tokens.ts'
import type { Database } from '#server/db/database.ts'
import { addTokens, spendToken } from '#server/ledger/store.ts'
import { coachData, signIn, type Person } from '#tests/support/person.ts'
import type { TestServer } from '#tests/support/start-server.ts'
import { CONTENT_VERSION } from '../instances/support.ts'
import { callsOf, type Calls, type Opened, type Shop } from '../payments/support.ts'

export const TOKEN = 'price_touchline_token'
/** In cents; from 12 tokens on, each costs 20 % less. */
export const UNIT = 3500

export type TokenList = ReplyOf<typeof tokens.list>

export interface Coach extends Person {
  calls: Calls
}

let coaches = 0

export async function newCoach(server: TestServer): Promise<Coach> {
  coaches += 1
  const person = await signIn(server, `coach${coaches}@tokens.test`, 'coach', coachData)
  return { ...person, calls: callsOf(server, person.accessToken) }
}

export async function listOf({ calls }: Coach): Promise<TokenList> {
  return (await calls<TokenList>(api.tokens.list)).body
}

export const countsOf = ({ total, used, available }: TokenList) => ({ total, used, available })

/** Opens a checkout, and returns its session id. */
export async function openTokens({ calls }: Coach, quantity: number): Promise<string> {
  return (await calls<Opened>(api.tokens.checkout, { priceId: TOKEN, quantity: String(quantity) })).body.sessionId
}

export function completeTokens({ calls }: Coach, sessionId: string) {
  return calls<{ status: string; code?: string }>(api.tokens.completeCheckout, {}, { session_id: sessionId })
}

/** Buys and pays for the tokens, and returns the session id. */
export async function buyTokens(shop: Shop, coach: Coach, quantity: number): Promise<string> {
  const sessionId = await openTokens(coach, quantity)
  shop.pay(sessionId)
  await completeTokens(coach, sessionId)
  return sessionId
}

export async function grantTokens({ deps }: TestServer, coachId: string, amount: number): Promise<void> {
  await deps.db.transaction((tx) => addTokens(tx, { coachId, amount, orderId: null }, deps.clock.now()))
}

/** Allocates an instance to an address without an account for one token; undefined if there was no token. */
export async function spendOn(db: Database, coachId: string, email: string, now = new Date()): Promise<string | undefined> {
  const id = randomUUID()
  const isSpent = await db.transaction(async (tx) => {
    await tx.execute(`insert into instances (id, assessment_id, content_version, email, email_normal, coach_id, status, allocated_at, created_at)
      values ('${id}', 'touchline-profile', '${CONTENT_VERSION}', '${email}', '${email}', '${coachId}', 'ALLOCATED', '${now.toISOString()}', '${now.toISOString()}')`)
    if (await spendToken(tx, coachId, id, now)) return true
    await tx.execute(`delete from instances where id = '${id}'`)
    return false
  })
  return isSpent ? id : undefined
}

/** A coach's balance, and what the ledger, the orders and the refunds add up to. */
interface Books {
  total: number
  used: number
  owed: number
  /** sums of the ledger: bought, granted and refunded · spent and returned */
  ledgerTotal: number
  ledgerUsed: number
  /** instances that are not reclaimed */
  given: number
  /** tokens paid for or granted, less those refunded */
  worth: number
}

/** Read in one statement, so that the figures agree even while others write. */
export async function booksOf(db: Database, coachId: string): Promise<Books> {
  const { rows } = await db.execute<Books & Record<string, unknown>>(sql`
    select coalesce(b.total, 0) as total, coalesce(b.used, 0) as used, coalesce(b.owed, 0) as owed,
      (select coalesce(sum(amount), 0)::int from token_ledger l where l.coach_id = c.id and kind in ('bought', 'granted', 'refunded')) as "ledgerTotal",
      (select coalesce(sum(amount), 0)::int from token_ledger l where l.coach_id = c.id and kind in ('spent', 'returned')) as "ledgerUsed",
      (select count(*)::int from instances i where i.coach_id = c.id and i.status <> 'RECLAIMED') as given,
      (select coalesce(sum(quantity), 0)::int from orders o where o.user_id = c.id and o.kind = 'tokens' and o.status = 'fulfilled')
        + (select coalesce(sum(amount), 0)::int from token_ledger l where l.coach_id = c.id and kind = 'granted' and order_id is null)
        - (select coalesce(sum(r.tokens), 0)::int from refunds r join orders o on o.id = r.order_id where o.user_id = c.id) as worth
    from users c left join token_balances b on b.coach_id = c.id where c.id = ${coachId}`)
  const [books] = rows
  if (!books) throw new Error('no such coach')
  return books
}

/** What must hold at every moment (TOKENS-13). */
export function expectSound(books: Books): void {
  const { total, used, owed, ledgerTotal, ledgerUsed, worth } = books
  expect(books).toMatchObject({ total: ledgerTotal, used: ledgerUsed, given: used })
  expect(total - owed).toBe(worth)
  expect(used >= 0 && used <= total && owed >= 0 && (owed === 0 || used === total)).toBe(true)
}
