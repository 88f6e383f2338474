import { pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** E-mail addresses that the operator blocked, as the SHA-256 of the normalised address, so that the list names nobody. */
export const blockedAddresses = pgTable('blocked_addresses', {
  addressHash: text('address_hash').primaryKey(),
  at: instant('at').notNull(),
})
