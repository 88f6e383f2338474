import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** Replies to requests that a browser may repeat; written only by http/first-replies-store.ts (decision 0069). */
export const firstReplies = pgTable(
  'first_replies',
  {
    /** hash of the request, its sender and its `idempotency-key` */
    id: text('id').primaryKey(),
    /** encrypted with a key derived from the `idempotency-key`, which is stored nowhere; null while the call is carried out */
    sealed: text('sealed'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('first_replies_created').on(table.createdAt)],
)
