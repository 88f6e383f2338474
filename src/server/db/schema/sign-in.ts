import { check, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { UserTypeCode } from '#contract/rules/user-types.ts'
import { instant, oneOf } from './columns.ts'
import { users } from './users.ts'

/** What a code is for: to sign in, or to close the account. */
const CHALLENGE_PURPOSES = ['sign-in', 'close-account'] as const

export const signInChallenges = pgTable(
  'sign_in_challenges',
  {
    /** the `session` of the calls */
    id: uuid('id').primaryKey(),
    email: text('email').notNull(),
    emailNormal: text('email_normal').notNull(),
    codeHmac: text('code_hmac').notNull(),
    tries: integer('tries').notNull().default(0),
    userType: text('user_type').$type<UserTypeCode>().notNull(),
    firstName: text('first_name'),
    lastName: text('last_name'),
    city: text('city'),
    country: text('country'),
    language: text('language').notNull(),
    createdAt: instant('created_at').notNull(),
    sentAt: instant('sent_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
    /** the known device it was started on, or the hashed network address of an unknown one; see auth/count-keys.ts */
    device: text('device').notNull().default(''),
    /** hash of the random id of the device that started it, the only one that gets this challenge again (LOGIN-17) */
    client: text('client').notNull().default(''),
    /** names the key of that hash; null: stored by an earlier build, or a code to close an account */
    clientKey: text('client_key'),
    purpose: text('purpose').$type<(typeof CHALLENGE_PURPOSES)[number]>().notNull().default('sign-in'),
  },
  (table) => [
    index('sign_in_challenges_email').on(table.emailNormal, table.sentAt),
    check('sign_in_challenges_purpose', oneOf('purpose', CHALLENGE_PURPOSES)),
  ],
)

/**
 * Mails and wrong guesses of an e-mail address, counted per `device`: each known device, each unknown device that sends an id (`@…`), each
 * network address of unknown devices (`~…`), and all unknown devices together (`*`). The row's lock also serialises sign-ins.
 */
export const signInCounts = pgTable(
  'sign_in_counts',
  {
    emailNormal: text('email_normal').notNull(),
    device: text('device').notNull().default(''),
    /** ISO instants of the mails of the last 24 hours */
    mails: jsonb('mails').$type<string[]>().notNull().default([]),
    /** the UTC day on which `wrong` was counted, year-month-day */
    wrongDay: text('wrong_day').notNull().default(''),
    wrong: integer('wrong').notNull().default(0),
    waitUntil: instant('wait_until'),
  },
  (table) => [primaryKey({ name: 'sign_in_counts_pk', columns: [table.emailNormal, table.device] })],
)

export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at').notNull(),
    absoluteEnd: instant('absolute_end').notNull(),
    /** number of the newest refresh token */
    refreshCounter: integer('refresh_counter').notNull().default(0),
    rotatedAt: instant('rotated_at').notNull(),
    salt: text('salt').notNull(),
    revokedAt: instant('revoked_at'),
    /** hash of the random id of the device it was opened on; '' if it sent none */
    client: text('client').notNull().default(''),
    /** names of the browser and the system, so that the user can recognise the device: `Chrome, Android` */
    agent: text('agent').notNull().default(''),
    /** how often an older refresh token was accepted again: since the last rotation, and on the UTC day `repeatsDay` */
    repeats: integer('repeats').notNull().default(0),
    repeatsToday: integer('repeats_today').notNull().default(0),
    repeatsDay: text('repeats_day').notNull().default(''),
  },
  (table) => [index('sessions_user').on(table.userId, table.createdAt)],
)
