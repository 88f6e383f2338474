import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import type { StoredGroup } from '#contract/rules/merge.ts'
import { isId, violatedConstraint, type Database } from '../db/open.ts'
import { prepared } from '../db/prepared.ts'
import { answerGroups, answerLog, instances } from '../db/schema.ts'
import { rememberAnswers } from './remembered-answers.ts'
import type { AnswersChange, AnswersPort, AnswersSnapshot } from './save-answers.ts'

const remembering = new WeakMap<Database, AnswersPort>()

/** The answers of a database, one for all calls: who saves often is remembered. */
export function answersOf(db: Database, now: () => Date): AnswersPort {
  const port = remembering.get(db) ?? rememberAnswers(answersStore(db, now), now)
  remembering.set(db, port)
  return port
}

/** A save is two round trips: one statement that reads all it must know, one that writes all or nothing. */
export function answersStore(db: Database, now: () => Date): AnswersPort {
  return {
    async read(instanceId, userId, operationId) {
      if (!isId(instanceId)) return undefined
      const [row] = await readSnapshot(db).execute({ instanceId, userId, operationId })
      return row
    },

    async write(change) {
      try {
        const rows = await writeSave(db).execute(valuesOf(change, now()))
        return rows.length > 0
      } catch (error) {
        // the operation is stored, which whoever had only remembered the instance could not know
        if (violatedConstraint(error) === 'answer_log_pk') return false
        throw error
      }
    },
  }
}

const { placeholder } = sql

const readSnapshot = prepared('read_answers', (db) =>
  db
    .select({
      contentVersion: instances.contentVersion,
      status: instances.status,
      revision: instances.revision,
      groups: sql<StoredGroup[]>`(select coalesce(json_agg(json_build_object(
          'questionId', g.question_id, 'value', g.value, 'revision', g.revision, 'device', g.device)), '[]'::json)
        from ${answerGroups} g where g.instance_id = instances.id)`,
      operation: sql<AnswersSnapshot['operation']>`(select json_build_object(
          'contentHash', coalesce(l.content_hash, ''), 'revision', l.revision, 'completionStatus', l.completion_status,
          'groups', l.groups, 'superseded', l.superseded)
        from ${answerLog} l where l.instance_id = instances.id and l.operation_id = ${placeholder('operationId')}::uuid)`,
    })
    .from(instances)
    .where(and(eq(instances.id, placeholder('instanceId')), eq(instances.userId, placeholder('userId')))),
)

/**
 * One statement: nothing of it happens unless the guard finds the instance as the decision saw it, and a group that is
 * not where the decision saw it divides by zero, which undoes the rest.
 */
const writeSave = prepared('write_answers', (db) => {
  const at = sql`${placeholder('at')}::timestamptz`
  const guard = db.$with('guard', { id: sql<string>`id` }).as(sql`
    update instances set revision = revision + 1, status = 'IN_PROGRESS', started_at = coalesce(started_at, ${at})
     where id = ${placeholder('instanceId')}::uuid and user_id = ${placeholder('userId')}::uuid
       and revision = ${placeholder('expectedRevision')}::int and status in ('OWNED', 'ALLOCATED', 'IN_PROGRESS')
    returning id`)
  // apart, because an upsert writes a lock for every row besides
  const changed = db.$with('changed', {}).as(sql`
    update answer_groups set value = sent.value, revision = sent.revision, device = sent.device
      from guard, jsonb_to_recordset(${placeholder('changed')}::jsonb) as sent("questionId" text, value jsonb, revision int, device uuid)
     where instance_id = guard.id and question_id = sent."questionId"
    returning 1`)
  const added = db.$with('added', {}).as(sql`
    insert into answer_groups (instance_id, question_id, value, revision, device)
    select guard.id, sent."questionId", sent.value, sent.revision, sent.device
      from guard, jsonb_to_recordset(${placeholder('added')}::jsonb) as sent("questionId" text, value jsonb, revision int, device uuid)`)
  const logged = db.$with('logged', {}).as(sql`
    insert into answer_log (instance_id, operation_id, content_hash, device, revision, completion_status, groups, superseded, at)
    select guard.id, ${placeholder('operationId')}::uuid, ${placeholder('contentHash')}, ${placeholder('device')}::uuid,
           ${placeholder('revision')}::int, ${placeholder('completionStatus')}, ${placeholder('groups')}::json,
           ${placeholder('superseded')}::json, ${at}
      from guard`)
  const isWhole = sql<number>`1 / ((select count(*) from changed) = ${placeholder('changedCount')}::int)::int`
  return db.with(guard, changed, added, logged).select({ isWhole }).from(guard)
})

function valuesOf({ instanceId, userId, expectedRevision, changed, added, device, operation, save }: AnswersChange, at: Date) {
  return {
    instanceId,
    userId,
    expectedRevision,
    device,
    changed: JSON.stringify(changed),
    added: JSON.stringify(added),
    changedCount: changed.length,
    operationId: operation?.id ?? randomUUID(),
    contentHash: operation?.contentHash ?? null,
    revision: save.revision,
    completionStatus: save.completionStatus,
    groups: JSON.stringify(save.groups),
    superseded: JSON.stringify(save.superseded),
    at: at.toISOString(),
  }
}
