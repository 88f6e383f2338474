import { sql } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  boolean,
  check,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Results, SaveReply } from '#contract/instances.ts'
import type { LateGroup, LoggedGroup } from '#contract/rules/merge.ts'
import type { Price } from '#contract/rules/pricing.ts'
import type { GroupValue } from '#contract/rules/questionnaire.ts'
import { INSTANCE_STATUSES, INVITATION_STATES, type InstanceStatus, type InvitationState } from '#contract/rules/statuses.ts'
import { USER_TYPE_CODES, type UserTypeCode } from '#contract/auth.ts'
import { GENDERS, type Team } from '#contract/rules/profile.ts'
import type { AssessmentWords } from '../content/words.ts'

/**
 * Every table. Ids are random, times are UTC instants, money is integer cents; what must never happen twice is a
 * constraint here, so that races are decided by the database (DATA-8). PostgreSQL 15 syntax.
 */

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const oneOf = (column: string, values: readonly string[]) => sql.raw(`${column} in (${values.map((value) => `'${value}'`).join(', ')})`)

/** What stays when a person is erased is given another id. */
const FOLLOWS = { onUpdate: 'cascade' } as const

export const ORDER_KINDS = ['assessment', 'tokens'] as const
export const ORDER_STATUSES = ['open', 'paid', 'fulfilled', 'expired', 'failed'] as const

/** Entries of the audit log about the log itself. */
const AUDIT_MARKS = ['adopted', 'trimmed'] as const

/** A code proves the e-mail to sign in, or to close the account. */
export const CHALLENGE_PURPOSES = ['sign-in', 'close-account'] as const

export interface Named {
  id: string
  name: string
}

/** Scores as kept; their names are added in the language of whoever asks. */
export type StoredResults = Omit<Results, 'Section1' | 'section2'> & {
  Section1: Omit<Results['Section1'], 'result'>
  section2: Omit<Results['section2'], 'label'>
}

export type Video = string | { url: string; thumbnail?: string; title?: string }

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    email: text('email').notNull(),
    /** NFKC and lower case: one e-mail is one account (LOGIN-21) */
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
    /** closed by the person; reopened, or erased after 30 days */
    deactivatedAt: instant('deactivated_at'),
    /** nothing of the person is left but the id, which payment records name */
    erasedAt: instant('erased_at'),
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
    /** the known device it was started on, or the network address of a stranger; auth/store.ts says whose tries and mails it spends */
    device: text('device').notNull().default(''),
    /** hash of the random id of the device that began it: nobody else is handed this challenge (LOGIN-17) */
    client: text('client').notNull().default(''),
    purpose: text('purpose').$type<(typeof CHALLENGE_PURPOSES)[number]>().notNull().default('sign-in'),
  },
  (table) => [
    index('sign_in_challenges_email').on(table.emailNormal, table.sentAt),
    check('sign_in_challenges_purpose', oneOf('purpose', CHALLENGE_PURPOSES)),
  ],
)

/**
 * What an e-mail address has spent of its limits: on each device that signed in to it before, on each other that gives an
 * id (`@…`), at each network address of such (`~…`), and on all of those together (`*`). The row is also the lock that
 * orders its sign-ins.
 */
export const signInCounts = pgTable(
  'sign_in_counts',
  {
    emailNormal: text('email_normal').notNull(),
    device: text('device').notNull().default(''),
    /** ISO instants of the mails of the last 24 hours */
    mails: jsonb('mails').$type<string[]>().notNull().default([]),
    /** UTC day the wrong guesses were counted on, year-month-day */
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
    /** hash of the random id of the device it was opened on; '' where it gave none */
    client: text('client').notNull().default(''),
    /** what the device calls itself, for its owner to recognise: `Chrome, Android` */
    agent: text('agent').notNull().default(''),
    /** times an earlier refresh token was answered again: since the last rotation, and on one UTC day */
    repeats: integer('repeats').notNull().default(0),
    repeatsToday: integer('repeats_today').notNull().default(0),
    repeatsDay: text('repeats_day').notNull().default(''),
  },
  (table) => [index('sessions_user').on(table.userId, table.createdAt)],
)

export const assessments = pgTable('assessments', {
  id: text('id').primaryKey(),
  prices: jsonb('prices').$type<Price[]>().notNull(),
  sampleReportFilename: text('sample_report_filename').notNull(),
  videoUrls: jsonb('video_urls').$type<Video[]>().notNull().default([]),
  /** what a new instance is pinned at (ANSWERS-15) */
  contentVersion: text('content_version').notNull(),
  /** null: the content's own words, in each language */
  words: jsonb('words').$type<AssessmentWords>(),
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
    /** cents, what is paid: the quantity at its price, less a discount */
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

export const instances = pgTable(
  'instances',
  {
    id: uuid('id').primaryKey(),
    assessmentId: text('assessment_id')
      .notNull()
      .references(() => assessments.id),
    contentVersion: text('content_version').notNull(),
    /** null until the e-mail is proven (ASSIGN-9) */
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
    /** when its coach was first sent the type that came out */
    resultSeenAt: instant('result_seen_at'),
    /** as the coach typed it beside the address; shown to that coach alone, until the player's own is */
    playerName: text('player_name'),
    userTeam: text('user_team'),
    userPositionName: text('user_position_name'),
    userPlayerType: text('user_player_type'),
    /** when the coach's last invitation was asked for, and how many were sent again */
    invitedAt: instant('invited_at'),
    resends: integer('resends').notNull().default(0),
    reclaimedAt: instant('reclaimed_at'),
    /** when the player saw who sees what; before, the coach sees nothing of the player's (BRIEF-6) */
    briefOpenedAt: instant('brief_opened_at'),
    /** what became of the coach's last one; null where there was none */
    invitation: text('invitation').$type<InvitationState>(),
    /** of one that was given up because its address had had enough mails: from when the next may go */
    heldUntil: instant('held_until'),
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
    index('instances_waiting').on(table.allocatedAt).where(sql.raw(`user_id is null and email <> ''`)),
    check('instances_status', oneOf('status', INSTANCE_STATUSES)),
    check('instances_invitation', oneOf('invitation', INVITATION_STATES)),
    // one assessment of a kind is with a player at a time, from one coach
    uniqueIndex('instances_one_pending')
      .on(table.coachId, table.assessmentId, table.emailNormal)
      .where(sql.raw(`coach_id is not null and status in ('ALLOCATED', 'IN_PROGRESS')`)),
    check('instances_reclaimed', sql.raw(`(status = 'RECLAIMED') = (reclaimed_at is not null)`)),
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
  },
  (table) => [primaryKey({ name: 'answer_groups_pk', columns: [table.instanceId, table.questionId] })],
)

/**
 * Every save with all that came in it, kept or not; append-only. An operation id names one exact content and has one
 * reply (ANSWERS-6), which is made again from its row. Revision and status are null where a save came without an
 * operation before there was a row for each.
 */
export const answerLog = pgTable(
  'answer_log',
  {
    instanceId: uuid('instance_id')
      .notNull()
      .references(() => instances.id),
    /** the sender's; one of our own where a plain call (ANSWERS-4) named none */
    operationId: uuid('operation_id').notNull(),
    /** null: nobody can send it again */
    contentHash: text('content_hash'),
    device: uuid('device'),
    /** of the instance, as this save left it */
    revision: integer('revision'),
    completionStatus: text('completion_status').$type<SaveReply['completionStatus']>(),
    // not jsonb: it is written often and seldom read, and half as large
    groups: json('groups').$type<LoggedGroup[]>().notNull(),
    superseded: json('superseded').$type<LateGroup[]>().notNull(),
    at: instant('at').notNull(),
  },
  (table) => [primaryKey({ name: 'answer_log_pk', columns: [table.instanceId, table.operationId] })],
)

/** What a coach has, as one row that a conditional update decides; it always agrees with the ledger (TOKENS-13). */
export const tokenBalances = pgTable(
  'token_balances',
  {
    coachId: uuid('coach_id')
      .primaryKey()
      .references(() => users.id),
    /** bought, less refunded */
    total: integer('total').notNull().default(0),
    /** given away, less taken back */
    used: integer('used').notNull().default(0),
    /** refunded by the provider while spent: taken from what comes back or is bought next */
    owed: integer('owed').notNull().default(0),
  },
  () => [check('token_balances_sound', sql.raw('used >= 0 and used <= total and owed >= 0 and (owed = 0 or used = total)'))],
)

export const LEDGER_KINDS = ['bought', 'granted', 'spent', 'returned', 'refunded'] as const

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

/** An allocation's operation id names one player and assessment, and has one instance (INPUT-35). */
export const allocations = pgTable(
  'allocations',
  {
    coachId: uuid('coach_id')
      .notNull()
      .references(() => users.id),
    operationId: uuid('operation_id').notNull(),
    instanceId: uuid('instance_id')
      .notNull()
      .references(() => instances.id, FOLLOWS),
    at: instant('at').notNull(),
  },
  (table) => [primaryKey({ name: 'allocations_pk', columns: [table.coachId, table.operationId] })],
)

/** Tokens of an order that the provider gave the money back for: the running total, so that an event may come again or late. */
export const refunds = pgTable(
  'refunds',
  {
    orderId: uuid('order_id')
      .primaryKey()
      .references(() => orders.id),
    /** cents given back so far, as the provider has it */
    amount: integer('amount').notNull(),
    /** tokens that this much money is worth, taken or owed */
    tokens: integer('tokens').notNull(),
    /** counts changes: what was asked before another change is asked again */
    revision: integer('revision').notNull(),
    at: instant('at').notNull(),
  },
  () => [check('refunds_sound', sql.raw('amount >= 0 and tokens >= 0'))],
)

export const MAIL_KINDS = ['invitation', 'taken-back', 'token-returned'] as const

/** The mailbox of `to_normal`: its address without a +tag. As `mailboxOf` (mailer/mailbox.ts) has it. */
export const MAILBOX_IN_SQL = sql.raw(String.raw`regexp_replace(to_normal, '^([^+]+)\+[^@]*@', '\1@')`)

/** Mails to send, written in the transaction of what they tell; sent, and tried again, by mailer/queue.ts. */
export const mails = pgTable(
  'mails',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    kind: text('kind').$type<(typeof MAIL_KINDS)[number]>().notNull(),
    to: text('to').notNull(),
    toNormal: text('to_normal').notNull(),
    /** the instance it is about */
    instanceId: uuid('instance_id')
      .notNull()
      .references(() => instances.id, FOLLOWS),
    language: text('language').notNull(),
    /** what its words are filled with; never a secret */
    facts: jsonb('facts').$type<Record<string, string>>().notNull(),
    createdAt: instant('created_at').notNull(),
    /** null once it is over */
    nextTryAt: instant('next_try_at'),
    tries: integer('tries').notNull().default(0),
    sentAt: instant('sent_at'),
    /** given up, or refused by the mail server for good */
    failedAt: instant('failed_at'),
  },
  (table) => [
    index('mails_due').on(table.nextTryAt),
    index('mails_instance').on(table.instanceId),
    index('mails_to').on(table.toNormal),
    index('mails_mailbox').on(MAILBOX_IN_SQL),
    check('mails_kind', oneOf('kind', MAIL_KINDS)),
    check('mails_over', sql.raw('(next_try_at is null) = (sent_at is not null or failed_at is not null)')),
  ],
)

/** Addresses whose owner wants no more mails from coaches: SHA-256 of the folded address, so that the list names nobody. */
export const mailSuppressions = pgTable('mail_suppressions', {
  addressHash: text('address_hash').primaryKey(),
  at: instant('at').notNull(),
})

/** How often something was done in its window; written by the limiter alone (server/limits). */
export const rateLimits = pgTable(
  'rate_limits',
  {
    key: text('key').primaryKey(),
    points: integer('points').notNull(),
    expire: instant('expire'),
  },
  (table) => [index('rate_limits_expire').on(table.expire)],
)

/** Events of the card provider that were taken in; a repeat meets the key. */
export const providerEvents = pgTable('provider_events', {
  id: text('id').primaryKey(),
  type: text('type').notNull(),
  at: instant('at').notNull(),
})

/** A picture on its way: whoever holds the key may put one file there, once (SECURITY-9). */
export const pictureUploads = pgTable(
  'picture_uploads',
  {
    /** the `tempKey` of the calls */
    key: text('key').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    contentType: text('content_type').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** set as its one file begins to arrive, where this server takes it in itself */
    receivedAt: instant('received_at'),
    /** set as it is made a picture, or turned down */
    usedAt: instant('used_at'),
  },
  (table) => [index('picture_uploads_user').on(table.userId, table.createdAt), index('picture_uploads_created').on(table.createdAt)],
)

/** Profile pictures: one that counts for each person, and the replaced ones until their files are gone (PROFILE-41). */
export const pictures = pgTable(
  'pictures',
  {
    /** the `documentId` of the calls */
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** random, without anything of the name it came with */
    file: text('file').notNull().unique('pictures_file_unique'),
    /** what the person called it; a label, never a path */
    name: text('name').notNull(),
    documentFormat: text('document_format').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    createdAt: instant('created_at').notNull(),
    retiredAt: instant('retired_at'),
  },
  (table) => [
    uniqueIndex('pictures_one_per_user').on(table.userId).where(sql.raw('retired_at is null')),
    index('pictures_retired').on(table.retiredAt),
    check('pictures_size', sql.raw('size_bytes > 0')),
  ],
)

/** The log of builds before the keyed one: read, and one day empty. See server/audit/unkeyed-store.ts. */
export const auditLog = pgTable(
  'audit_log',
  {
    /** 1, 2, 3 … without a gap */
    id: bigint('id', { mode: 'number' }).primaryKey(),
    at: instant('at').notNull(),
    event: text('event').notNull(),
    /** an id that outlives what it named: no reference */
    userId: uuid('user_id'),
    about: text('about').notNull(),
    /** seal of the entry before; '' for the first */
    previous: text('previous').notNull(),
    seal: text('seal').notNull(),
  },
  (table) => [index('audit_log_at').on(table.at)],
)

/** See server/audit/store.ts: only it writes here, and nobody changes what stands. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    /** tells in what order entries came; the seal does not cover it */
    id: bigserial('id', { mode: 'number' }).notNull(),
    stream: smallint('stream').notNull(),
    /** of its stream: 1, 2, 3 … without a gap */
    seq: bigint('seq', { mode: 'number' }).notNull(),
    at: instant('at').notNull(),
    event: text('event').notNull(),
    /** an id that outlives what it named: no reference */
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
