import { sql } from 'drizzle-orm'
import type { SaveReply } from '#contract/instances.ts'
import type { StoredGroup } from '#contract/rules/merge.ts'
import type { InstanceStatus } from '#contract/rules/statuses.ts'
import { isId, violatedConstraint, type Database } from '../db/open.ts'
import type { AnswersChange, AnswersPort, AnswersSnapshot } from './save-answers.ts'

/** A save is two round trips: one statement that reads all it must know, one that writes all or nothing. */
export function answersStore(db: Database, now: () => Date): AnswersPort {
  return {
    async read(instanceId, userId, operationId) {
      if (!isId(instanceId)) return undefined
      const { rows } = await db.execute<SnapshotRow>(sql`
        select i.content_version, i.status, i.revision,
          (select coalesce(jsonb_agg(jsonb_build_object('questionId', g.question_id, 'value', g.value, 'revision', g.revision, 'device', g.device)), '[]'::jsonb)
             from answer_groups g where g.instance_id = i.id) as groups,
          (select jsonb_build_object('contentHash', o.content_hash, 'reply', o.reply)
             from operations o where o.instance_id = i.id and o.id = ${operationId}::uuid) as operation
        from instances i where i.id = ${instanceId}::uuid and i.user_id = ${userId}::uuid`)
      const row = rows[0]
      if (!row) return undefined
      return {
        contentVersion: row.content_version,
        status: row.status,
        revision: row.revision,
        groups: row.groups,
        operation: row.operation,
      }
    },

    async write(change) {
      try {
        const { rows } = await db.execute<WrittenRow>(writing(change, now()))
        if (rows.length === 0) return undefined
        return rows.flatMap((row) =>
          row.question_id === null ? [] : [{ questionId: row.question_id, value: row.value, revision: row.revision, device: row.device }],
        )
      } catch (error) {
        // the same operation, sent twice at once: the other one is stored, read its reply
        if (violatedConstraint(error) === 'operations_pk') return undefined
        throw error
      }
    },
  }
}

interface SnapshotRow extends Record<string, unknown> {
  content_version: string
  status: InstanceStatus
  revision: number
  groups: StoredGroup[]
  operation: AnswersSnapshot['operation']
}

interface WrittenRow extends Record<string, unknown> {
  question_id: string | null
  value: StoredGroup['value']
  revision: number
  device: string | null
}

/** One statement: nothing of it happens unless the guard finds the instance as the decision saw it. */
function writing(change: AnswersChange, at: Date) {
  const moment = at.toISOString()
  const groups = JSON.stringify(
    change.kept.map((group) => ({ question_id: group.questionId, value: group.value, revision: group.revision, device: group.device })),
  )
  const log = JSON.stringify(
    change.logged.map((entry) => ({
      question_id: entry.questionId,
      value: entry.value,
      revision: entry.revision,
      device: entry.device,
      base: entry.base,
      accepted: entry.accepted,
    })),
  )
  const operation: { id: string; contentHash: string; reply: SaveReply } | null = change.operation
  return sql`
    with guard as (
      update instances
         set revision = revision + 1,
             status = 'IN_PROGRESS',
             started_at = coalesce(started_at, ${moment}::timestamptz)
       where id = ${change.instanceId}::uuid and user_id = ${change.userId}::uuid
         and revision = ${change.expectedRevision}::int and status in ('OWNED', 'ALLOCATED', 'IN_PROGRESS')
      returning id
    ), kept as (
      insert into answer_groups (instance_id, question_id, value, revision, device, updated_at)
      select guard.id, g.question_id, g.value, g.revision, g.device, ${moment}::timestamptz
        from guard, jsonb_to_recordset(${groups}::jsonb) as g(question_id text, value jsonb, revision int, device uuid)
      on conflict (instance_id, question_id)
      do update set value = excluded.value, revision = excluded.revision, device = excluded.device, updated_at = excluded.updated_at
      returning question_id, value, revision, device
    ), logged as (
      insert into answer_log (instance_id, question_id, value, device, operation_id, base, accepted, revision, at)
      select guard.id, l.question_id, l.value, l.device, ${operation?.id ?? null}::uuid, l.base, l.accepted, l.revision, ${moment}::timestamptz
        from guard, jsonb_to_recordset(${log}::jsonb) as l(question_id text, value jsonb, revision int, device uuid, base int, accepted boolean)
    ), stored as (
      insert into operations (instance_id, id, content_hash, reply, at)
      select guard.id, ${operation?.id ?? null}::uuid, ${operation?.contentHash ?? null}, ${JSON.stringify(operation?.reply ?? null)}::jsonb, ${moment}::timestamptz
        from guard where ${operation !== null}::boolean
    )
    select kept.question_id, kept.value, kept.revision, kept.device from guard left join kept on true`
}
