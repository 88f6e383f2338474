import { sql } from 'drizzle-orm'
import type { JobQueue } from '#contract/jobs.operator.ts'
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
