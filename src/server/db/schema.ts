import { sql } from 'drizzle-orm'
import { bigserial, boolean, check, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { Results, SaveReply } from '#contract/instances.ts'
import type { Price } from '#contract/rules/pricing.ts'
import type { GroupValue } from '#contract/rules/questionnaire.ts'
import { INSTANCE_STATUSES, type InstanceStatus } from '#contract/rules/statuses.ts'
import { USER_TYPE_CODES, type UserTypeCode } from '#contract/auth.ts'
import { GENDERS, type Team } from '#contract/rules/profile.ts'

/**
 * Every table. Ids are random, times are UTC instants, money is integer cents; what must never happen twice is a
 * constraint here, so that races are decided by the database (design.md 6). PostgreSQL 15 syntax.
 */

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const oneOf = (column: string, values: readonly string[]) => sql.raw(`${column} in (${values.map((value) => `'${value}'`).join(', ')})`)

export const ORDER_KINDS = ['assessment', 'tokens'] as const
export const ORDER_STATUSES = ['open', 'paid', 'fulfilled', 'expired', 'failed'] as const

export interface Named {
  id: string
  name: string
}

/** Scores as kept; their names are added in the language of whoever asks. */
export type StoredResults = Omit<Results, 'Section1' | 'section2'> & {
  Section1: Omit<Results['Section1'], 'result'>
  section2: Omit<Results['section2'], 'label'>
}

export type Video = string | { url: string; thumbnail?: string }

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    email: text('email').notNull(),
    /** NFKC and lower case: one e-mail is one account (ruling 7) */
    emailNormal: text('email_normal').notNull().unique('users_email_normal_unique'),
    userType: text('user_type').$type<UserTypeCode>().notNull(),
    firstName: text('first_name'),
    lastName: text('last_name'),
    cityId: text('city_id'),
    countryId: text('country_id'),
    gender: text('gender').$type<(typeof GENDERS)[number]>(),
    /** year-month-01 */
    birthDate: text('birth_date'),
    preferredPosition: jsonb('preferred_position').$type<Named>(),
    sport: jsonb('sport').$type<Named>(),
    teams: jsonb('teams').$type<Team[]>().notNull().default([]),
    hasProfilePicture: boolean('has_profile_picture').notNull().default(false),
    language: text('language').notNull().default('en'),
    deactivatedAt: instant('deactivated_at'),
    createdAt: instant('created_at').notNull(),
  },
  () => [check('users_user_type', oneOf('user_type', USER_TYPE_CODES)), check('users_gender', oneOf('gender', GENDERS))],
)

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
  },
  (table) => [index('sign_in_challenges_email').on(table.emailNormal, table.sentAt)],
)

/** What an e-mail address has spent of its limits; the row is also the lock that orders its sign-ins. */
export const signInCounts = pgTable('sign_in_counts', {
  emailNormal: text('email_normal').primaryKey(),
  /** ISO instants of the mails of the last 24 hours */
  mails: jsonb('mails').$type<string[]>().notNull().default([]),
  /** UTC day the wrong guesses were counted on, year-month-day */
  wrongDay: text('wrong_day').notNull().default(''),
  wrong: integer('wrong').notNull().default(0),
  waitUntil: instant('wait_until'),
})

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
  },
  (table) => [index('sessions_user').on(table.userId, table.createdAt)],
)

export const assessments = pgTable('assessments', {
  id: text('id').primaryKey(),
  prices: jsonb('prices').$type<Price[]>().notNull(),
  sampleReportFilename: text('sample_report_filename').notNull(),
  videoUrls: jsonb('video_urls').$type<Video[]>().notNull().default([]),
  /** what a new instance is pinned at (ruling 17) */
  contentVersion: text('content_version').notNull(),
})

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

export const instances = pgTable(
  'instances',
  {
    id: uuid('id').primaryKey(),
    assessmentId: text('assessment_id')
      .notNull()
      .references(() => assessments.id),
    contentVersion: text('content_version').notNull(),
    /** null until the e-mail is proven (design.md 6) */
    userId: uuid('user_id').references(() => users.id),
    email: text('email').notNull(),
    emailNormal: text('email_normal').notNull(),
    coachId: uuid('coach_id').references(() => users.id),
    status: text('status').$type<InstanceStatus>().notNull(),
    /** counts accepted saves */
    revision: integer('revision').notNull().default(0),
    allocatedAt: instant('allocated_at'),
    startedAt: instant('started_at'),
    completedAt: instant('completed_at'),
    userTeam: text('user_team'),
    userPositionName: text('user_position_name'),
    userPlayerType: text('user_player_type'),
    results: jsonb('results').$type<StoredResults>(),
    scoringVersion: text('scoring_version'),
    /** one paid order is one instance */
    orderId: uuid('order_id')
      .unique('instances_order_unique')
      .references(() => orders.id),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('instances_user').on(table.userId, table.createdAt),
    index('instances_coach').on(table.coachId, table.allocatedAt),
    index('instances_email').on(table.emailNormal),
    check('instances_status', oneOf('status', INSTANCE_STATUSES)),
    check('instances_completed', sql.raw(`(status = 'COMPLETED') = (completed_at is not null and results is not null)`)),
  ],
)

/** The current value of each question group. */
export const answerGroups = pgTable(
  'answer_groups',
  {
    instanceId: uuid('instance_id')
      .notNull()
      .references(() => instances.id),
    questionId: text('question_id').notNull(),
    value: jsonb('value').$type<GroupValue>().notNull(),
    revision: integer('revision').notNull(),
    device: uuid('device'),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [primaryKey({ name: 'answer_groups_pk', columns: [table.instanceId, table.questionId] })],
)

/** Every group that ever came, kept or not; append-only. */
export const answerLog = pgTable(
  'answer_log',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    instanceId: uuid('instance_id')
      .notNull()
      .references(() => instances.id),
    questionId: text('question_id').notNull(),
    value: jsonb('value').$type<GroupValue>().notNull(),
    device: uuid('device'),
    operationId: uuid('operation_id'),
    base: integer('base').notNull(),
    accepted: boolean('accepted').notNull(),
    revision: integer('revision').notNull(),
    at: instant('at').notNull(),
  },
  (table) => [index('answer_log_instance').on(table.instanceId, table.id)],
)

/** An operation id names one exact content and has one reply (ruling 11). */
export const operations = pgTable(
  'operations',
  {
    instanceId: uuid('instance_id')
      .notNull()
      .references(() => instances.id),
    id: uuid('id').notNull(),
    contentHash: text('content_hash').notNull(),
    reply: jsonb('reply').$type<SaveReply>().notNull(),
    at: instant('at').notNull(),
  },
  (table) => [primaryKey({ name: 'operations_pk', columns: [table.instanceId, table.id] })],
)

/** Events of the card provider that were taken in; a repeat meets the key. */
export const providerEvents = pgTable('provider_events', {
  id: text('id').primaryKey(),
  type: text('type').notNull(),
  at: instant('at').notNull(),
})
