import { and, asc, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { OPEN_STATUSES } from '#contract/rules/statuses.ts'
import type { Database } from '../db/database.ts'
import { answerLog } from '../db/schema/answers.ts'
import { oneOf } from '../db/schema/columns.ts'
import { instances } from '../db/schema/instances.ts'

/**
 * The partitions of the log of saves: one for each month in which instances were made (docs/decisions/0055). So old rows are
 * removed by dropping a table, which takes no time, and new ones are written where everything fits in memory.
 */

/** How many months ahead there are partitions, so that a month of failed sweeps does no harm. */
const AHEAD = 2
/** Neither job may delay saves: what it cannot lock at once waits for the next sweep. */
const LOCK_WAIT = '200ms'
/** How many instances' saves move at once: their own saves wait meanwhile, and a statement's time limit is far off. */
const MOVED_AT_ONCE = 20
/** So many rows are copied at most while saves wait for a partition that is made late. */
const COPIED_MAXIMUM = 10_000
const DELETED_AT_ONCE = 10_000
/** The month of the one partition with the saves of all instances that were made before there were partitions. */
const BEFORE = sql`date '2000-01-01'`
const MIGRATION = '0015_answer_log_by_month.sql'

/** The month of an instance's saves, in a statement. */
export function monthOf(instanceId: string): SQL<string> {
  return sql<string>`(select ${instances.logMonth} from ${instances} where ${instances.id} = ${instanceId})`
}

/** Makes PostgreSQL look into one partition only. */
export function inItsMonth(instanceId: string): SQL {
  return sql`${answerLog.logMonth} = ${monthOf(instanceId)}`
}

/**
 * Makes the partitions of this month and the next ones, where they are missing. A save is never refused because one is missing: until then its
 * row is in `answer_log_other`, and it moves along, unless there are too many by then.
 */
export async function makeLogPartitions(db: Database): Promise<void> {
  const { rows } = await db.execute<{ month: string; name: string }>(sql`
    select month::date::text as month, 'answer_log_' || to_char(month, 'YYYY_MM') as name
      from generate_series(date_trunc('month', now() at time zone 'UTC'), date_trunc('month', now() at time zone 'UTC') + ${`${AHEAD} months`}::interval, '1 month') month
     where to_regclass('answer_log_' || to_char(month, 'YYYY_MM')) is null order by 1`)
  for (const { month, name } of rows) await makePartition(db, month, name)
}

async function makePartition(db: Database, month: string, name: string): Promise<void> {
  const table = sql.identifier(name)
  const key = sql.identifier(`${name}_pk`)
  const isMonth = sql.identifier(`${name}_month`)
  const day = sql.raw(`date '${month}'`)
  const { rows } = await db.execute(sql`select from answer_log_other where log_month = ${day} limit ${COPIED_MAXIMUM + 1}`)
  if (rows.length > COPIED_MAXIMUM) await moveToOther(db, month, eq(instances.logMonth, month))
  await db.transaction(async (tx) => {
    await tx.execute(sql.raw(`set local lock_timeout = '${LOCK_WAIT}'`))
    // of two processes that start at once, one makes it
    await tx.execute(sql`lock table answer_log_other in access exclusive mode`)
    await tx.execute(
      sql`create table if not exists ${table} (like ${answerLog}, constraint ${key} primary key (instance_id, operation_id), constraint ${isMonth} check (log_month = ${day}))`,
    )
    if (await isPartition(tx, name)) return
    await tx.execute(
      sql`with moved as (delete from answer_log_other where log_month = ${day} returning *) insert into ${table} select * from moved`,
    )
    await tx.execute(sql`alter table ${answerLog} attach partition ${table} for values in (${day})`)
  })
}

async function isPartition(db: Database, name: string): Promise<boolean> {
  const { rows } = await db.execute(sql`select from pg_inherits where inhrelid = to_regclass(${name})`)
  return rows.length > 0
}

/**
 * Drops the saves of instances made in months that ended at least `months` months ago, except those of instances that can still be
 * answered: they move to `answer_log_other` first.
 * @returns names of the dropped tables
 */
export async function dropOldLog(db: Database, now: Date, months: number): Promise<string[]> {
  const { rows } = await db.execute<{ name: string; month: string }>(sql`
    with partition as (select child.relname as name, case when child.relname = 'answer_log_before' then ${BEFORE}
             when child.relname ~ '^answer_log_\\d{4}_\\d{2}$' then to_date(right(child.relname, 7), 'YYYY_MM') end as month
        from pg_inherits join pg_class child on child.oid = inhrelid where inhparent = 'answer_log'::regclass)
    select name, month::text as month from partition
     where greatest(month, case when name = 'answer_log_before' then (select date_trunc('month', applied_at) from schema_migrations where name = ${MIGRATION}) end)
         + ${`${months + 1} months`}::interval <= ${now.toISOString()}::timestamptz at time zone 'UTC'
     order by 1`)
  const dropped: string[] = []
  for (const { name, month } of rows) {
    await moveToOther(db, month, isOpenOf(month))
    if (await dropPartition(db, name, month)) dropped.push(name)
  }
  const isOld = sql`date_trunc('month', log.log_month::timestamp) + ${`${months + 1} months`}::interval <= ${now.toISOString()}::timestamptz at time zone 'UTC'`
  let deleted: number
  do {
    const { rows: gone } = await db.execute(sql`delete from answer_log_other where ctid in (
      select log.ctid from answer_log_other log join ${instances} on instances.id = log.instance_id
       where not ${oneOf('instances.status', OPEN_STATUSES)} and ${isOld} limit ${DELETED_AT_ONCE}) returning 1`)
    deleted = gone.length
  } while (deleted === DELETED_AT_ONCE)
  return dropped
}

/** Which instances of a month take answers. In a month that is over, no more can be opened. */
function isOpenOf(month: string): SQL | undefined {
  return and(eq(instances.logMonth, month), inArray(instances.status, [...OPEN_STATUSES]))
}

/**
 * Moves these instances of a month, with their saves, to the second day of that month, which never has a partition. Each moves in one
 * transaction, so that whoever reads, writes or erases a log finds all of it in one place, and after a crash the others follow.
 */
async function moveToOther(db: Database, month: string, which: SQL | undefined): Promise<void> {
  const found = await db.select({ id: instances.id }).from(instances).where(which)
  const ids = found.map(({ id }) => id)
  const moved = { logMonth: sql<string>`${month}::date + 1` }
  for (let at = 0; at < ids.length; at += MOVED_AT_ONCE) {
    await db.transaction(async (tx) => {
      // the instance before its saves, and all in one order, as erasing locks them
      const locked = await tx
        .select({ id: instances.id })
        .from(instances)
        .where(and(which, inArray(instances.id, ids.slice(at, at + MOVED_AT_ONCE))))
        .orderBy(asc(instances.id))
        .for('no key update')
      const own = locked.map(({ id }) => id)
      await tx.update(instances).set(moved).where(inArray(instances.id, own))
      await tx
        .update(answerLog)
        .set(moved)
        .where(and(eq(answerLog.logMonth, month), inArray(answerLog.instanceId, own)))
    })
  }
}

/** @returns false if an instance of the month is still open, and moves in the next sweep */
async function dropPartition(db: Database, name: string, month: string): Promise<boolean> {
  const table = sql.identifier(name)
  return db.transaction(async (tx) => {
    await tx.execute(sql.raw(`set local lock_timeout = '${LOCK_WAIT}'`))
    // nothing is written to it from now on; saves of other months go on, and wait only while it is dropped
    await tx.execute(sql`lock table ${table} in share mode`)
    const open = await tx.select({ id: instances.id }).from(instances).where(isOpenOf(month)).limit(1)
    if (open.length > 0) return false
    await tx.execute(sql`drop table ${table}`)
    return true
  })
}
