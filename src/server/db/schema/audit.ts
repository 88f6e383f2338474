import { bigint, bigserial, index, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { instant, oneOf } from './columns.ts'

/** Entries of the audit log about the log itself. */
const AUDIT_MARKS = ['adopted', 'trimmed'] as const

/** The log of builds before the keyed one: still read, and empty once its entries are 400 days old. See server/audit/unkeyed-store.ts. */
export const auditLog = pgTable(
  'audit_log',
  {
    /** 1, 2, 3 … without a gap */
    id: bigint('id', { mode: 'number' }).primaryKey(),
    at: instant('at').notNull(),
    event: text('event').notNull(),
    /** no foreign key, because entries are stored longer than what they refer to */
    userId: uuid('user_id'),
    about: text('about').notNull(),
    /** seal of the entry before; '' for the first */
    previous: text('previous').notNull(),
    seal: text('seal').notNull(),
  },
  (table) => [index('audit_log_at').on(table.at)],
)

/** Entries of the audit log; appended to only by server/audit/store.ts, and trimmed by server/audit/trim-store.ts. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    /** the order in which entries were written; not covered by the seal */
    id: bigserial('id', { mode: 'number' }).notNull(),
    stream: smallint('stream').notNull(),
    /** of its stream: 1, 2, 3 … without a gap */
    seq: bigint('seq', { mode: 'number' }).notNull(),
    at: instant('at').notNull(),
    event: text('event').notNull(),
    /** no foreign key, because entries are stored longer than what they refer to */
    userId: uuid('user_id'),
    about: text('about').notNull(),
    /** name of the key that sealed it */
    key: text('key').notNull(),
    seal: text('seal').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.stream, table.seq] }),
    index('audit_entries_user').on(table.userId, table.at),
    index('audit_entries_marks').on(table.event, table.stream, table.seq).where(oneOf('event', AUDIT_MARKS)),
  ],
)

/** The last entry of each stream. Whoever holds a row's lock may append to its stream. */
export const auditHeads = pgTable('audit_heads', {
  stream: smallint('stream').primaryKey(),
  seq: bigint('seq', { mode: 'number' }).notNull().default(0),
  seal: text('seal').notNull().default(''),
})
