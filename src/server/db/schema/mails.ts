import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { BOUNCE_REASONS, type BounceReason } from '#contract/rules/statuses.ts'
import { FOLLOWS, instant, oneOf } from './columns.ts'
import { instances } from './instances.ts'

/** About an instance. */
const ALLOCATION_KINDS = ['invitation', 'taken-back', 'token-returned'] as const
/** To the owner of an account, about what happened to it. */
const ACCOUNT_KINDS = ['new-device', 'session-ended', 'account-closed'] as const
export type AllocationKind = (typeof ALLOCATION_KINDS)[number]
export type AccountKind = (typeof ACCOUNT_KINDS)[number]

/** The mailbox of `to_normal`: its address without a +tag. Must match `mailboxOf` (mailer/mailbox.ts). */
export const MAILBOX_IN_SQL = sql.raw(String.raw`regexp_replace(to_normal, '^([^+]+)\+[^@]*@', '\1@')`)

/** Mails to send and sent, written in the transaction of the event they report. Each that waits has a job with its id. */
export const mails = pgTable(
  'mails',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    kind: text('kind').$type<AllocationKind | AccountKind>().notNull(),
    to: text('to').notNull(),
    toNormal: text('to_normal').notNull(),
    /** the instance it is about; null: an account */
    instanceId: uuid('instance_id').references(() => instances.id, FOLLOWS),
    language: text('language').notNull(),
    /** fills the placeholders of its texts; never a secret */
    facts: jsonb('facts').$type<Record<string, string>>().notNull(),
    createdAt: instant('created_at').notNull(),
    /** that may have reached somebody, or were refused for good; the job counts all */
    tries: integer('tries').notNull().default(0),
    /** of the tries, those that were refused for good */
    refusals: integer('refusals').notNull().default(0),
    sentAt: instant('sent_at'),
    /** when it was cancelled, given up, or permanently refused by the mail server */
    failedAt: instant('failed_at'),
    /** when and why it came back, though the mail server had accepted it; `code` is of the mail server that refused it */
    bouncedAt: instant('bounced_at'),
    bouncedWhy: text('bounced_why').$type<BounceReason>(),
    bouncedCode: text('bounced_code'),
  },
  (table) => [
    index('mails_instance').on(table.instanceId),
    index('mails_to').on(table.toNormal),
    index('mails_mailbox').on(MAILBOX_IN_SQL),
    check('mails_kind', oneOf('kind', [...ALLOCATION_KINDS, ...ACCOUNT_KINDS])),
    check('mails_about', sql`(instance_id is null) = (${oneOf('kind', ACCOUNT_KINDS)})`),
    index('mails_bounced').on(table.bouncedAt).where(sql.raw('bounced_at is not null')),
    check('mails_bounced_why', oneOf('bounced_why', BOUNCE_REASONS)),
    check('mails_bounced_whole', sql.raw('(bounced_at is null) = (bounced_why is null)')),
    check('mails_over', sql.raw('sent_at is null or failed_at is null')),
  ],
)

/** Addresses whose owner opted out of mails from coaches, as the SHA-256 of the normalised address, so that the list names nobody. */
export const mailSuppressions = pgTable('mail_suppressions', {
  addressHash: text('address_hash').primaryKey(),
  at: instant('at').notNull(),
})

/**
 * Addresses that nobody has, as mail that came back says, by the SHA-256 of the normalised address, so that the list names nobody.
 * Believed for 30 days.
 */
export const bouncedAddresses = pgTable('bounced_addresses', {
  addressHash: text('address_hash').primaryKey(),
  at: instant('at').notNull(),
})
