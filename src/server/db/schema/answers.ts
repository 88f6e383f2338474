import { integer, json, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
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
  },
  (table) => [primaryKey({ name: 'answer_groups_pk', columns: [table.instanceId, table.questionId] })],
)

/**
 * Every save with all that came in it, accepted or not; append-only. An operation id names one exact content and has one
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
