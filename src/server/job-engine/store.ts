import { sql } from 'drizzle-orm'
import type { JobQueue } from '#contract/jobs.operator.ts'
import { arrayLiteral } from '../db/array-literal.ts'
import type { Database } from '../db/database.ts'

/** pg-boss's own tables, in the schema `jobs`. Time is the database's here, as it is for pg-boss. */

/** Whether a job of this queue is running or due. */
export async function isBusy(db: Database, queue: JobQueue): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select from jobs.job
    where name = ${queue} and (state = 'active' or (state in ('created', 'retry') and start_after <= now()))
    limit 1`)
  return rows.length > 0
}

/** Locks jobs in the order of their ids, so that two transactions cannot deadlock. */
export async function lockJobs(tx: Database, queue: JobQueue, ids: string[]): Promise<void> {
  await tx.execute(sql`select from jobs.job where name = ${queue} and id = any(${arrayLiteral(ids)}::uuid[]) order by id for update`)
}

/** Makes jobs due that were never tried. */
export async function makeDue(tx: Database, queue: JobQueue, ids: string[]): Promise<void> {
  await lockJobs(tx, queue, ids)
  await tx.execute(sql`
    update jobs.job set start_after = now() where name = ${queue} and id = any(${arrayLiteral(ids)}::uuid[]) and state = 'created'`)
}

/** The newest failed job of each key, which may have one open job at most, and the open one in its place. */
export async function newestOfKeys(tx: Database, queue: JobQueue, ids: string[]): Promise<{ id: string; takenBy: string | null }[]> {
  const { rows } = await tx.execute<{ id: string; takenBy: string | null }>(sql`
    select distinct on (coalesce(failed.singleton_key, '')) failed.id, taken.id as "takenBy"
    from jobs.job failed left join jobs.job taken
      on taken.name = failed.name and coalesce(taken.singleton_key, '') = coalesce(failed.singleton_key, '') and taken.state <= 'active'
    where failed.name = ${queue} and failed.id = any(${arrayLiteral(ids)}::uuid[])
    order by coalesce(failed.singleton_key, ''), failed.created_on desc, failed.id`)
  return rows
}

/**
 * The database's clock was set back: what was marked before is of the future, and nothing would be done until then. Marks it as of now, and
 * lets jobs wait as long as they would have. Resolves to how many jobs.
 */
export async function catchUpWithClock(db: Database): Promise<number> {
  const latest = sql`now() + interval '1 minute'`
  // `least` would make a time of none
  const asOfNow = (columns: string[]) =>
    sql.join(
      columns.map(
        (name) => sql`${sql.identifier(name)} = case when ${sql.identifier(name)} > now() then now() else ${sql.identifier(name)} end`,
      ),
      sql`, `,
    )
  const marks = { version: ['cron_on', 'bam_on', 'flow_on'], queue: ['monitor_claim_on', 'monitor_on', 'maintain_on'] }
  return db.transaction(async (tx) => {
    for (const [table, names] of Object.entries(marks)) {
      const last = sql`greatest(${sql.join(
        names.map((name) => sql.identifier(name)),
        sql`, `,
      )})`
      await tx.execute(sql`update jobs.${sql.identifier(table)} set ${asOfNow(names)} where ${last} > ${latest}`)
    }
    const { rows } = await tx.execute(sql`
      with late as (select name as late_name, id as late_id from jobs.job
        where state <= 'active' and greatest(created_on, started_on) > ${latest} order by id for update)
      update jobs.job set
        start_after = start_after - (greatest(created_on, started_on) - now()), ${asOfNow(['created_on', 'started_on', 'heartbeat_on'])}
      from late where name = late_name and id = late_id returning id`)
    return rows.length
  })
}
