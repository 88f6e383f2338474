import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** Counts of the rate limits, per key and window; written only by server/limits. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    key: text('key').primaryKey(),
    points: integer('points').notNull(),
    expire: instant('expire'),
  },
  (table) => [index('rate_limits_expire').on(table.expire)],
)
