import { sql } from 'drizzle-orm'
import { bigserial, check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { FOLLOWS, instant, oneOf } from './columns.ts'
import { instances } from './instances.ts'
import { orders } from './orders.ts'
import { users } from './users.ts'

/** A coach's balance, in one row so that a conditional update decides races. Always equals the sum of the ledger (TOKENS-13). */
export const tokenBalances = pgTable(
  'token_balances',
  {
    coachId: uuid('coach_id')
      .primaryKey()
      .references(() => users.id),
    /** bought, less refunded */
    total: integer('total').notNull().default(0),
    /** spent, less returned */
    used: integer('used').notNull().default(0),
    /** refunded by the provider after being spent: taken from tokens that are returned or bought next */
    owed: integer('owed').notNull().default(0),
  },
  () => [check('token_balances_sound', sql.raw('used >= 0 and used <= total and owed >= 0 and (owed = 0 or used = total)'))],
)

const LEDGER_KINDS = ['bought', 'granted', 'spent', 'returned', 'refunded'] as const

/** Every change of a coach's tokens; append-only. `total` is the sum of bought, granted and refunded, `used` of spent and returned. */
export const tokenLedger = pgTable(
  'token_ledger',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    coachId: uuid('coach_id')
      .notNull()
      .references(() => users.id),
    kind: text('kind').$type<(typeof LEDGER_KINDS)[number]>().notNull(),
    /** tokens: bought, granted and spent are positive, returned and refunded negative */
    amount: integer('amount').notNull(),
    orderId: uuid('order_id').references(() => orders.id),
    instanceId: uuid('instance_id').references(() => instances.id, FOLLOWS),
    at: instant('at').notNull(),
  },
  (table) => [
    index('token_ledger_coach').on(table.coachId, table.id),
    uniqueIndex('token_ledger_one_purchase').on(table.orderId).where(sql.raw(`kind = 'bought'`)),
    uniqueIndex('token_ledger_one_spending').on(table.instanceId).where(sql.raw(`kind = 'spent'`)),
    uniqueIndex('token_ledger_one_return').on(table.instanceId).where(sql.raw(`kind = 'returned'`)),
    check('token_ledger_kind', oneOf('kind', LEDGER_KINDS)),
    check('token_ledger_sign', sql.raw(`amount <> 0 and (amount > 0) = (kind in ('bought', 'granted', 'spent'))`)),
    check('token_ledger_one_each', sql.raw(`kind not in ('spent', 'returned') or (abs(amount) = 1 and instance_id is not null)`)),
  ],
)
