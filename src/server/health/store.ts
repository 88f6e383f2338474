import { sql } from 'drizzle-orm'
import { JOB_QUEUES } from '#contract/jobs.operator.ts'
import type { Database } from '../db/database.ts'

export { schemaCheck } from '../db/migrate.ts'

/**
 * Throws if the database does not reply or accepts no writes: a read-only one refuses to lock rows, even if there are none. The
 * connection is dropped then, so that the next one looks for another host.
 */
export async function checkDatabase(db: Database): Promise<void> {
  await db.execute(sql`select 1 from schema_migrations where false for update`)
}

/** Whether a job has been due for minutes, and no process of the fleet does it. Time is the database's, as for the jobs themselves. */
export async function isJobLate(db: Database): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select from jobs.job
    where name in ${[...JOB_QUEUES]} and state in ('created', 'retry') and start_after < now() - interval '5 minutes'
    limit 1`)
  return rows.length > 0
}
