import { bigint, date, integer, json, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { SaveReply } from '#contract/instances.ts'
import type { LateGroup, LoggedGroup } from '#contract/rules/merge.ts'
import type { GroupValue } from '#contract/rules/questionnaire.ts'
import { instant } from './columns.ts'
import { instances } from './instances.ts'

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
    /** the device's own order of its edits, so that an earlier one which arrives later is known (decision 0050) */
    order: bigint('edit_order', { mode: 'number' }),
  },
  (table) => [primaryKey({ name: 'answer_groups_pk', columns: [table.instanceId, table.questionId] })],
)

/**
 * Every save with everything that was sent, accepted or not; append-only. An operation id identifies one content and has one reply
 * (ANSWERS-6), which is built again from its row. `revision` and `completionStatus` are null in rows of older builds, for saves
 * without an operation.
 *
 * Partitioned by `log_month`, which drizzle cannot declare: migration 0015 does, and instances/answer-log-store.ts makes and drops
 * the partitions. Each partition has a unique key over instance and operation, which is enough since an instance has one month.
 * docs/decisions/0055
 */
export const answerLog = pgTable('answer_log', {
  instanceId: uuid('instance_id')
    .notNull()
    .references(() => instances.id),
  /** from the sender; generated if the call had no operation (ANSWERS-4) */
  operationId: uuid('operation_id').notNull(),
  /** null: the call had no operation, so it cannot be repeated */
  contentHash: text('content_hash'),
  device: uuid('device'),
  /** of the instance, after this save */
  revision: integer('revision'),
  completionStatus: text('completion_status').$type<SaveReply['completionStatus']>(),
  // json and not jsonb: written often, read seldom, and half as large
  groups: json('groups').$type<LoggedGroup[]>().notNull(),
  superseded: json('superseded').$type<LateGroup[]>().notNull(),
  at: instant('at').notNull(),
  /** that of its instance */
  logMonth: date('log_month').notNull(),
})
