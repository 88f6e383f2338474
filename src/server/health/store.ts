import { sql } from 'drizzle-orm'
import { JOB_QUEUES } from '#contract/jobs.operator.ts'
import { CLOCKS_DIFFER_MAXIMUM_MS, clockDifference } from '../db/clock-difference.ts'
import type { Database } from '../db/database.ts'
import { errorCode } from '../error-code.ts'
import { hasCause } from '../has-cause.ts'

/** Balancers wait two or three seconds. */
export const PROBE_TIMEOUT_MS = 1500

// only a store may import the database, and readiness.ts needs this check
export { schemaCheck } from '../db/migrate.ts'

/**
 * Throws if the database does not reply or accepts no writes: a read-only one refuses to lock rows, even if there are none. The
 * connection is dropped then, so that the next one looks for another host.
 */
export async function checkDatabase(db: Database): Promise<void> {
  await db.execute(sql`select 1 from schema_migrations where false for update`)
}

const NO_RIGHTS = '42501'

/** Throws if the database has no room for what is written. By a temporary table, of which nothing stays. */
export async function checkWriting(db: Database): Promise<void> {
  try {
    await db.transaction(async (tx) => {
      await tx.execute(sql`create temporary table touchline_room (written text) on commit drop`)
      await tx.execute(sql`insert into touchline_room values ('written')`)
    })
  } catch (problem) {
    // a user who may not make temporary tables can still write into ours
    if (!hasCause(problem, (one) => errorCode(one) === NO_RIGHTS)) throw problem
  }
}

/** The kind that the operator sees of a sweep that was not done. */
class ClocksDiffer extends Error {
  override readonly name = 'ClocksDiffer'
}

/** Throws if this machine's clock and the database's differ by more than a minute. A test's clock does not count. */
export async function checkClock(db: Database): Promise<void> {
  const difference = Math.abs(await clockDifference(db, () => new Date()))
  if (difference <= CLOCKS_DIFFER_MAXIMUM_MS) return
  const seconds = Math.round(difference / 1000)
  throw new ClocksDiffer(`the clocks of this machine and of the database differ by ${seconds} s: set both with a time service (NTP)`)
}

const LATE = sql`now() - interval '5 minutes'`

/**
 * Whether jobs have been due for minutes: `behind` if in each such queue some process of the fleet began or finished a job meanwhile,
 * otherwise `stuck`; null if none is late. Time is the database's, as for the jobs themselves.
 */
export async function backlogOf(db: Database): Promise<'behind' | 'stuck' | null> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select distinct name from jobs.job
    where name in ${[...JOB_QUEUES]} and state in ('created', 'retry') and start_after < ${LATE}`)
  for (const { name } of rows) {
    const { rows: done } = await db.execute(sql`
      select from jobs.job
      where name = ${name} and (started_on > ${LATE} or heartbeat_on > ${LATE} or completed_on > ${LATE})
      limit 1`)
    if (done.length === 0) return 'stuck'
  }
  return rows.length > 0 ? 'behind' : null
}
