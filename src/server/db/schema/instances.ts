import { sql } from 'drizzle-orm'
import { check, date, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { Results } from '#contract/instances.ts'
import {
  BOUNCE_REASONS,
  INSTANCE_STATUSES,
  INVITATION_STATES,
  PENDING_STATUSES,
  type BounceReason,
  type InstanceStatus,
  type InvitationState,
} from '#contract/rules/statuses.ts'
import { assessments } from './assessments.ts'
import { FOLLOWS, instant, oneOf } from './columns.ts'
import { orders } from './orders.ts'
import { users } from './users.ts'

/**
 * Scores as stored; their names are added to each reply, in the caller's language. Scoring version 1 stored no `styles` and no `letter`:
 * they are added to each reply, too.
 */
export type StoredResults = Omit<Results, 'Section1' | 'section2'> & {
  Section1: Omit<Results['Section1'], 'result' | 'styles'> & { styles?: string[] }
  section2: Omit<Results['section2'], 'label' | 'axes'> & {
    axes: (Omit<Results['section2']['axes'][number], 'letter'> & { letter?: string | null })[]
  }
}

export const instances = pgTable(
  'instances',
  {
    id: uuid('id').primaryKey(),
    assessmentId: text('assessment_id')
      .notNull()
      .references(() => assessments.id),
    contentVersion: text('content_version').notNull(),
    /** null until the player has signed in with this e-mail (ASSIGN-9) */
    userId: uuid('user_id').references(() => users.id),
    email: text('email').notNull(),
    emailNormal: text('email_normal').notNull(),
    coachId: uuid('coach_id').references(() => users.id),
    status: text('status').$type<InstanceStatus>().notNull(),
    /** number of accepted saves */
    revision: integer('revision').notNull().default(0),
    /** the save that led to `revision`, which identifies it even after a backup was restored; null if it had no operation */
    lastOperation: uuid('last_operation'),
    savedAt: instant('saved_at'),
    /** where in answer_log its saves are: the first day of the month in which it was made; the second once they outlive its partition */
    logMonth: date('log_month')
      .notNull()
      .default(sql`(date_trunc('month', now() at time zone 'UTC'))::date`),
    allocatedAt: instant('allocated_at'),
    startedAt: instant('started_at'),
    completedAt: instant('completed_at'),
    /** when its coach was first sent its result */
    resultSeenAt: instant('result_seen_at'),
    /** the coach's name for the player; shown only to that coach, until the player's own name is */
    playerName: text('player_name'),
    userTeam: text('user_team'),
    userPositionName: text('user_position_name'),
    userPlayerType: text('user_player_type'),
    /** when the last invitation was queued, and how many reminders there were */
    invitedAt: instant('invited_at'),
    resends: integer('resends').notNull().default(0),
    reclaimedAt: instant('reclaimed_at'),
    /** when the brief showed the player who sees what; before that, the coach sees nothing of the player (BRIEF-6) */
    briefOpenedAt: instant('brief_opened_at'),
    /** state of the last invitation; null if there was none */
    invitation: text('invitation').$type<InvitationState>(),
    /** if the invitation was held back because its address had reached the limit of mails: when one may be sent */
    heldUntil: instant('held_until'),
    /** when and why mail to its address came back */
    bouncedAt: instant('bounced_at'),
    bouncedWhy: text('bounced_why').$type<BounceReason>(),
    results: jsonb('results').$type<StoredResults>(),
    scoringVersion: text('scoring_version'),
    /** each paid order grants one instance */
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
    check('instances_bounced_why', oneOf('bounced_why', BOUNCE_REASONS)),
    check('instances_bounced_whole', sql.raw('(bounced_at is null) = (bounced_why is null)')),
    // a player has each assessment at most once at a time from each coach
    uniqueIndex('instances_one_pending')
      .on(table.coachId, table.assessmentId, table.emailNormal)
      .where(sql`coach_id is not null and ${oneOf('status', PENDING_STATUSES)}`),
    check('instances_reclaimed', sql.raw(`(status = 'RECLAIMED') = (reclaimed_at is not null)`)),
    check('instances_completed', sql.raw(`(status = 'COMPLETED') = (completed_at is not null and results is not null)`)),
  ],
)

/** Operations that allocated an instance: each id belongs to one player, assessment and instance (INPUT-35). */
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
