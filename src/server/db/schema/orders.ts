import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { assessments } from './assessments.ts'
import { instant, oneOf } from './columns.ts'
import { users } from './users.ts'

const ORDER_KINDS = ['assessment', 'tokens'] as const

const ORDER_STATUSES = ['open', 'paid', 'fulfilled', 'expired', 'failed'] as const

export const orders = pgTable(
  'orders',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    kind: text('kind').$type<(typeof ORDER_KINDS)[number]>().notNull(),
    assessmentId: text('assessment_id').references(() => assessments.id),
    priceId: text('price_id').notNull(),
    quantity: integer('quantity').notNull(),
    /** cents */
    unitAmount: integer('unit_amount').notNull(),
    /** cents to pay: the price times the quantity, less the discount */
    amountTotal: integer('amount_total').notNull(),
    currency: text('currency').notNull(),
    checkoutSessionId: text('checkout_session_id').unique('orders_checkout_session_unique'),
    status: text('status').$type<(typeof ORDER_STATUSES)[number]>().notNull(),
    idempotencyKey: text('idempotency_key').notNull().unique('orders_idempotency_key_unique'),
    createdAt: instant('created_at').notNull(),
    fulfilledAt: instant('fulfilled_at'),
  },
  (table) => [
    index('orders_user').on(table.userId, table.createdAt),
    check('orders_kind', oneOf('kind', ORDER_KINDS)),
    check('orders_status', oneOf('status', ORDER_STATUSES)),
    check('orders_quantity', sql.raw('quantity > 0')),
    check('orders_fulfilled', sql.raw(`(status = 'fulfilled') = (fulfilled_at is not null)`)),
  ],
)

/**
 * What the provider refunded of an order, as a running total, so that repeated and late events do no harm. One that an erased account has
 * paid is counted from the payment on: all of it is to be refunded.
 */
export const refunds = pgTable(
  'refunds',
  {
    orderId: uuid('order_id')
      .primaryKey()
      .references(() => orders.id),
    /** cents refunded so far, according to the provider */
    amount: integer('amount').notNull(),
    /** tokens that this amount paid for, whether taken back or owed */
    tokens: integer('tokens').notNull(),
    /** number of changes: a total that was read before another change is read again */
    revision: integer('revision').notNull(),
    at: instant('at').notNull(),
  },
  () => [check('refunds_sound', sql.raw('amount >= 0 and tokens >= 0'))],
)

/** Events of the card provider that have been processed, so that a repeat is recognised. */
export const providerEvents = pgTable('provider_events', {
  id: text('id').primaryKey(),
  type: text('type').notNull(),
  at: instant('at').notNull(),
})
