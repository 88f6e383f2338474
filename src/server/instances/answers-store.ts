import { randomUUID } from 'node:crypto'
import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { StoredGroup } from '#contract/rules/merge.ts'
import { OPEN_STATUSES } from '#contract/rules/statuses.ts'
import { isId } from '#contract/rules/ids.ts'
import { arrayLiteral } from '../db/array-literal.ts'
import { inBatches } from '../db/batch.ts'
import type { Database } from '../db/database.ts'
import { violatedConstraint } from '../db/failures.ts'
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
  const held = db.$with('held', {}).as(sql`
    select instances.id, asked.*
      from unnest(${placeholder('instanceIds')}::uuid[], ${placeholder('userIds')}::uuid[], ${placeholder('expected')}::int[], ${placeholder('lastOperations')}::uuid[],
        ${placeholder('lastAts')}::timestamptz[], ${placeholder('operationIds')}::uuid[], ${placeholder('contentHashes')}::text[], ${placeholder('devices')}::uuid[],
        ${placeholder('completionStatuses')}::text[], ${placeholder('closes')}::uuid[], ${placeholder('ats')}::timestamptz[], ${placeholder('changes')}::int[],
        ${linesIn('groups')}, ${linesIn('superseded')}) with ordinality
        as asked("instanceId", "userId", expected, "lastOperation", "lastAt", "operationId", "contentHash", device, "completionStatus", closes, at, changes, groups, superseded, place)
      join instances on instances.id = asked."instanceId" and instances.user_id = asked."userId"
     where instances.revision = asked.expected and ${oneOf('instances.status', OPEN_STATUSES)}
       and (asked."lastOperation" is null or (instances.last_operation = asked."lastOperation" and instances.saved_at = asked."lastAt"))
       for no key update of instances ${ifLocked}`)
  const guard = db.$with('guard', { id: sql<string>`id`.as('id') }).as(sql`
    update instances set revision = instances.revision + 1, status = 'IN_PROGRESS', started_at = coalesce(started_at, held.at),
           last_operation = held."operationId", saved_at = held.at
      from held where instances.id = held.id
    returning instances.id, instances.revision, log_month, place, held.at, "operationId", "contentHash", device, "completionStatus", closes, changes, groups, superseded`)
  // not an upsert, which also writes a lock for every row
  const changed = db.$with('changed', {}).as(sql`
    update answer_groups set value = sent.value::jsonb, revision = sent.revision, device = guard.device, edit_order = sent."order"
      from ${groupsIn('changed')} where instance_id = guard.id and question_id = sent."questionId"
    returning 1`)
  const added = db.$with('added', {}).as(sql`
    insert into answer_groups (instance_id, device, question_id, value, revision, edit_order)
    select guard.id, guard.device, sent."questionId", sent.value::jsonb, sent.revision, sent."order" from ${groupsIn('added')}`)
  const logged = db.$with('logged', {}).as(sql`
    insert into answer_log (instance_id, operation_id, content_hash, device, revision, completion_status, groups, superseded, at, log_month)
    select id, "operationId", "contentHash", device, revision, "completionStatus", groups::json, superseded::json, at, log_month from guard`)
  const closed = db.$with('closed', {}).as(sql`
    insert into answer_log (instance_id, operation_id, content_hash, device, revision, completion_status, groups, superseded, at, log_month)
    select id, closes, 'closed', device, revision, "completionStatus", '[]', '[]', at, log_month from guard where closes is not null
    on conflict do nothing`)
  const isWhole = sql<number>`1 / ((select count(*) from changed) = (select sum(changes) from guard))::int`
  return db.with(held, guard, changed, added, logged, closed).select({ id: guard.id, isWhole }).from(guard)
}

/** JSON texts, one a line: PostgreSQL finds their ends without reading them as JSON, which it does once for the column. */
function linesIn(name: string): SQL {
  return sql`string_to_array(${placeholder(name)}, E'\\n')`
}

type GroupList = 'changed' | 'added'
type GroupColumn = 'place' | 'questionId' | 'revision' | 'order' | 'value'

/** The groups of the saves that the guard found. `place`: of their save among all. */
function groupsIn(list: GroupList): SQL {
  const column = (name: GroupColumn) => placeholder(`${list}.${name}`)
  return sql`unnest(${column('place')}::bigint[], ${column('questionId')}::text[], ${column('revision')}::int[], ${column('order')}::bigint[], ${linesIn(`${list}.value`)})
    as sent(place, "questionId", revision, "order", value) join guard on guard.place = sent.place`
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
    changes: ofEach(({ changed }) => changed.length),
    // JSON has no line end of its own, and those in texts are escaped
    groups: saves.map(({ change }) => JSON.stringify(change.save.groups)).join('\n'),
    superseded: saves.map(({ change }) => JSON.stringify(change.save.superseded)).join('\n'),
    ...columnsIn('changed', saves),
    ...columnsIn('added', saves),
  }
}

/** Groups of all saves by columns. The device is stored once, with the save. */
function columnsIn(list: GroupList, saves: readonly Save[]): Record<string, string> {
  const places: number[] = []
  const questionIds: string[] = []
  const revisions: number[] = []
  const orders: (number | null)[] = []
  const values: string[] = []
  let place = 0
  for (const { change } of saves) {
    place += 1
    for (const { questionId, revision, order, value } of change[list]) {
      places.push(place)
      questionIds.push(questionId)
      revisions.push(revision)
      orders.push(order ?? null)
      values.push(JSON.stringify(value))
    }
  }
  const columns = {
    place: arrayLiteral(places),
    questionId: arrayLiteral(questionIds),
    revision: arrayLiteral(revisions),
    order: arrayLiteral(orders),
    value: values.join('\n'),
  } satisfies Record<GroupColumn, string>
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [`${list}.${name}`, column]))
}
