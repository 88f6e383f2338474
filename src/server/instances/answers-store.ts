import { randomUUID } from 'node:crypto'
import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { StoredGroup } from '#contract/rules/merge.ts'
import { OPEN_STATUSES } from '#contract/rules/statuses.ts'
import { arrayLiteral } from '../db/array-literal.ts'
import { inBatches } from '../db/batch.ts'
import type { Database } from '../db/database.ts'
import { isId, violatedConstraint } from '../db/open.ts'
import { prepared } from '../db/prepared.ts'
import { answerGroups, answerLog } from '../db/schema/answers.ts'
import { oneOf } from '../db/schema/columns.ts'
import { instances } from '../db/schema/instances.ts'
import { inItsMonth } from './answer-log-store.ts'
import { cacheAnswers } from './cached-answers.ts'
import type { AnswersChange, AnswersPort, AnswersSnapshot } from './save-answers.ts'

const ports = new WeakMap<Database, AnswersPort>()

/** The answers in a database, one port for all calls, so that its cache is shared. */
export function answersOf(db: Database, now: () => Date): AnswersPort {
  const port = ports.get(db) ?? cacheAnswers(answersStore(db, now), now)
  ports.set(db, port)
  return port
}

/** A save is two round trips: one statement reads all it needs, one writes all or nothing. */
export function answersStore(db: Database, now: () => Date): AnswersPort {
  return {
    async read(instanceId, userId, operationId) {
      if (!isId(instanceId)) return undefined
      const [row] = await readSnapshot(db).execute({ instanceId, userId, operationId })
      return row && { ...row, groups: new Map(row.groups.map((group) => [group.questionId, group])) }
    },

    async readLogged(instanceId, operationIds) {
      if (operationIds.length === 0) return []
      const isKnown = and(eq(answerLog.instanceId, instanceId), inArray(answerLog.operationId, [...operationIds]), inItsMonth(instanceId))
      const rows = await db.select({ groups: answerLog.groups }).from(answerLog).where(isKnown)
      return rows.flatMap(({ groups }) => groups)
    },

    async write(given) {
      // as the database spells it in its reply: a client may send it in capitals
      const change = { ...given, instanceId: given.instanceId.toLowerCase() }
      try {
        const at = now()
        return (await writing(db, { change, at })) ? at.toISOString() : undefined
      } catch (error) {
        // the operation has been stored, which a cached snapshot does not tell
        if (LOG_KEY.test(violatedConstraint(error) ?? '')) return undefined
        throw error
      }
    },
  }
}

/** The unique key of a partition of the log. */
const LOG_KEY = /^answer_log_(?:\w+_)?pk$/

const { placeholder } = sql

const readSnapshot = prepared('read_answers', (db) =>
  db
    .select({
      contentVersion: instances.contentVersion,
      status: instances.status,
      revision: instances.revision,
      groups: sql<StoredGroup[]>`(select coalesce(json_agg(json_build_object(
          'questionId', g.question_id, 'value', g.value, 'revision', g.revision, 'device', g.device, 'order', g.edit_order)), '[]'::json)
        from ${answerGroups} g where g.instance_id = instances.id)`,
      operation: sql<AnswersSnapshot['operation']>`(select json_build_object(
          'contentHash', coalesce(l.content_hash, ''), 'revision', l.revision, 'completionStatus', l.completion_status,
          'groups', l.groups, 'superseded', l.superseded)
        from ${answerLog} l where l.log_month = instances.log_month and l.instance_id = instances.id and l.operation_id = ${placeholder('operationId')}::uuid)`,
    })
    .from(instances)
    .where(and(eq(instances.id, placeholder('instanceId')), eq(instances.userId, placeholder('userId')))),
)

interface Save {
  change: AnswersChange
  at: Date
}

/**
 * Saves that are waiting share one statement and one commit. Two kinds run separately, later: all but the first save of an instance,
 * since the statement reports what it wrote by instance, and saves of an instance that is locked at the moment.
 */
const writing = inBatches(async (db, saves: readonly Save[]): Promise<(boolean | Promise<boolean>)[]> => {
  const alone = async (save: Save) => (await write(writeWaiting(db), [save])).has(save.change.instanceId)
  const [only] = saves
  if (saves.length === 1 && only) return [await alone(only)]
  const firsts = new Map(saves.toReversed().map((save) => [save.change.instanceId, save]))
  const written = await write(writeSkipping(db), [...firsts.values()])
  return saves.map((save) => {
    const { instanceId } = save.change
    return (written.has(instanceId) && firsts.get(instanceId) === save) || alone(save)
  })
}, 1)

/** Resolves to the instances that were written. */
async function write(statement: ReturnType<typeof writeWaiting>, saves: readonly Save[]): Promise<Set<string>> {
  const rows = await statement.execute(valuesOf(saves))
  return new Set(rows.map(({ id }) => id))
}

const writeWaiting = prepared('write_answers', (db) => writeOf(db, sql``))
const writeSkipping = prepared('write_answers_together', (db) => writeOf(db, sql`skip locked`))

/**
 * One statement. A save is skipped unless the guard finds its instance as the decision saw it; a group at another revision than the
 * decision saw divides by zero, which rolls all of it back.
 */
function writeOf(db: Database, ifLocked: SQL) {
  // columns, because PostgreSQL makes rows of them for less than of JSON objects
  const asked = db.$with('asked', {}).as(sql`
    select * from rows from (
      unnest(${placeholder('instanceIds')}::uuid[], ${placeholder('userIds')}::uuid[], ${placeholder('expected')}::int[], ${placeholder('lastOperations')}::uuid[],
        ${placeholder('lastAts')}::timestamptz[], ${placeholder('operationIds')}::uuid[], ${placeholder('contentHashes')}::text[], ${placeholder('devices')}::uuid[],
        ${placeholder('completionStatuses')}::text[], ${placeholder('closes')}::uuid[], ${placeholder('ats')}::timestamptz[]),
      json_array_elements(${placeholder('groups')}::json), json_array_elements(${placeholder('superseded')}::json))
      as save("instanceId", "userId", expected, "lastOperation", "lastAt", "operationId", "contentHash", device, "completionStatus", closes, at, groups, superseded)`)
  const held = db.$with('held', {}).as(sql`
    select instances.id, asked.at, asked."operationId"
      from instances join asked on instances.id = asked."instanceId" and instances.user_id = asked."userId"
     where instances.revision = asked.expected and ${oneOf('instances.status', OPEN_STATUSES)}
       and (asked."lastOperation" is null or (instances.last_operation = asked."lastOperation" and instances.saved_at = asked."lastAt"))
       for no key update of instances ${ifLocked}`)
  const guard = db.$with('guard', { id: sql<string>`id`.as('id') }).as(sql`
    update instances set revision = revision + 1, status = 'IN_PROGRESS', started_at = coalesce(started_at, held.at),
           last_operation = held."operationId", saved_at = held.at
      from held where instances.id = held.id
    returning instances.id, revision, log_month`)
  // not an upsert, which also writes a lock for every row
  const changing = db.$with('changing', {}).as(groupsIn('changed'))
  const changed = db.$with('changed', {}).as(sql`
    update answer_groups set value = sent.value, revision = sent.revision, device = sent.device, edit_order = sent."order"
      from changing sent where instance_id = sent.id and question_id = sent."questionId"
    returning 1`)
  const added = db.$with('added', {}).as(sql`
    insert into answer_groups (instance_id, device, question_id, value, revision, edit_order) ${groupsIn('added')}`)
  const logged = db.$with('logged', {}).as(sql`
    insert into answer_log (instance_id, operation_id, content_hash, device, revision, completion_status, groups, superseded, at, log_month)
    select guard.id, "operationId", "contentHash", device, revision, "completionStatus", groups, superseded, at, log_month
      from guard join asked on asked."instanceId" = guard.id`)
  const closed = db.$with('closed', {}).as(sql`
    insert into answer_log (instance_id, operation_id, content_hash, device, revision, completion_status, groups, superseded, at, log_month)
    select guard.id, closes, 'closed', device, revision, "completionStatus", '[]', '[]', at, log_month
      from guard join asked on asked."instanceId" = guard.id where closes is not null
    on conflict do nothing`)
  const isWhole = sql<number>`1 / ((select count(*) from changed) = (select count(*) from changing))::int`
  return db.with(asked, held, guard, changing, changed, added, logged, closed).select({ id: guard.id, isWhole }).from(guard)
}

type GroupList = 'changed' | 'added'
type GroupColumn = 'instanceId' | 'questionId' | 'revision' | 'order' | 'value'

function groupsIn(list: GroupList) {
  const column = (name: GroupColumn) => placeholder(`${list}.${name}`)
  return sql`
    select guard.id, asked.device, sent."questionId", sent.value::jsonb, sent.revision, sent."order"
      from rows from (unnest(${column('instanceId')}::uuid[], ${column('questionId')}::text[], ${column('revision')}::int[], ${column('order')}::bigint[]),
        json_array_elements(${column('value')}::json)) as sent("instanceId", "questionId", revision, "order", value)
      join guard on guard.id = sent."instanceId" join asked on asked."instanceId" = guard.id`
}

function valuesOf(saves: readonly Save[]) {
  const ofEach = (one: (change: AnswersChange, at: Date) => string | number | null) =>
    arrayLiteral(saves.map(({ change, at }) => one(change, at)))
  return {
    instanceIds: ofEach(({ instanceId }) => instanceId),
    userIds: ofEach(({ userId }) => userId),
    expected: ofEach(({ expectedRevision }) => expectedRevision),
    lastOperations: ofEach(({ lastSave }) => lastSave?.operation ?? null),
    lastAts: ofEach(({ lastSave }) => lastSave?.at ?? null),
    operationIds: ofEach(({ operation }) => operation?.id ?? randomUUID()),
    contentHashes: ofEach(({ operation }) => operation?.contentHash ?? null),
    devices: ofEach(({ device }) => device),
    completionStatuses: ofEach(({ save }) => save.completionStatus),
    closes: ofEach(({ closes }) => closes),
    ats: ofEach((_, at) => at.toISOString()),
    groups: JSON.stringify(saves.map(({ change }) => change.save.groups)),
    superseded: JSON.stringify(saves.map(({ change }) => change.save.superseded)),
    ...columnsIn('changed', saves),
    ...columnsIn('added', saves),
  }
}

/** Groups of all saves by columns. The device is stored once, with the save. */
function columnsIn(list: GroupList, saves: readonly Save[]): Record<string, string> {
  const groups = saves.flatMap(({ change }) => change[list].map((group) => ({ instanceId: change.instanceId, group })))
  const columns = {
    instanceId: arrayLiteral(groups.map(({ instanceId }) => instanceId)),
    questionId: arrayLiteral(groups.map(({ group }) => group.questionId)),
    revision: arrayLiteral(groups.map(({ group }) => group.revision)),
    order: arrayLiteral(groups.map(({ group }) => group.order ?? null)),
    value: JSON.stringify(groups.map(({ group }) => group.value)),
  } satisfies Record<GroupColumn, string>
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [`${list}.${name}`, column]))
}
