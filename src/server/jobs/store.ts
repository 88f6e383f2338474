import { sql, type SQL } from 'drizzle-orm'
import type { JobQueue, JobState } from '#contract/jobs.operator.ts'
import { isId } from '#contract/rules/ids.ts'
import type { Database } from '../db/database.ts'
import { arrayLiteral } from '../db/array-literal.ts'
import { violatedConstraint } from '../db/failures.ts'
import { repeatFailed } from '../job-engine/engine.ts'
import { idsOf, lockMails, reopenMails } from '../mailer/store.ts'

/** What the operator sees of pg-boss's table of jobs, and repeats. Its times are the database's. */

export interface JobRow extends Record<string, unknown> {
  id: string
  queue: JobQueue
  name: string
  state: JobState
  /** milliseconds, as in all of them */
  since: number
  nextTryAt: number | null
  failedAt: number | null
  tries: number
  output: unknown
}

const STATE = sql`case state when 'active' then 'running' when 'failed' then 'failed' else 'waiting' end`
const IS_OPEN = sql`state in ('created', 'retry', 'active', 'failed')`
const milliseconds = (column: string) => sql`(extract(epoch from ${sql.identifier(column)}) * 1000)::float8`

interface JobFilter {
  queue?: JobQueue | undefined
  state?: JobState | undefined
  page: number
  limit: number
}

/** Failed ones first, then the oldest. */
export async function pageOfJobs(db: Database, { queue, state, page, limit }: JobFilter): Promise<{ rows: JobRow[]; total: number }> {
  const conditions = [IS_OPEN, ofQueue(queue), state === undefined ? sql`true` : sql`${STATE} = ${state}`]
  const where = sql.join(conditions, sql` and `)
  const { rows } = await db.execute<JobRow>(sql`
    select id, name as queue, data ->> 'name' as name, ${STATE} as state, output,
      ${milliseconds('created_on')} as since,
      case when state < 'active' then ${milliseconds('start_after')} end as "nextTryAt",
      case when state = 'failed' then ${milliseconds('completed_on')} end as "failedAt",
      case when started_on is null then 0 else retry_count + 1 end as tries
    from jobs.job where ${where}
    order by state = 'failed' desc, created_on, id
    limit ${limit} offset ${(page - 1) * limit}`)
  const { rows: counted } = await db.execute<{ total: number }>(sql`select count(*)::int as total from jobs.job where ${where}`)
  return { rows, total: counted[0]?.total ?? 0 }
}

/** How many jobs a queue has in each state, where there are any. */
export async function countJobs(db: Database): Promise<{ queue: string; state: JobState; count: number }[]> {
  const { rows } = await db.execute<{ queue: string; state: JobState; count: number }>(
    sql`select name as queue, ${STATE} as state, count(*)::int as count from jobs.job where ${IS_OPEN} group by 1, 2`,
  )
  return rows
}

const ATTEMPTS = 3

/** Retries failed jobs of a queue, and those waiting for a later retry, at once; all of them or one. Resolves to how many. */
export async function repeatJobs(db: Database, queue: JobQueue, id: string | undefined): Promise<number> {
  if (id !== undefined && !isId(id)) return 0
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await repeatKnown(db, queue, id)
    } catch (error) {
      // a job with the same key was sent meanwhile: the next attempt finds it
      if (attempt === ATTEMPTS || violatedConstraint(error) === undefined) throw error
    }
  }
}

async function repeatKnown(db: Database, queue: JobQueue, id: string | undefined): Promise<number> {
  return db.transaction(async (tx) => {
    const isWanted = sql`${ofQueue(queue)} and ${id === undefined ? sql`true` : sql`id = ${id}::uuid`}`
    const found = await tx.execute<{ id: string }>(sql`select id from jobs.job where ${isWanted} and state = 'failed'`)
    const known = idsOf(found.rows)
    if (queue === 'mails') await lockMails(tx, known)
    // a new one that is not due is held back on purpose (mailer/taken-back-store.ts)
    const isLate = sql`state = 'retry' and start_after > now()`
    // one that failed meanwhile is left, since its mail is not locked
    const isDue = sql`${isWanted} and (state = 'failed' and ${isOneOf(known)} or ${isLate})`
    // in one order, as others are repeated or removed at once
    const { rows } = await tx.execute<{ id: string; state: string }>(
      sql`select id, state from jobs.job where ${isDue} order by id for update`,
    )
    const failed = idsOf(rows.filter(({ state }) => state === 'failed'))
    if (queue === 'mails') await reopenMails(tx, failed)
    const open = await repeatFailed(tx, queue, failed)
    // a repeated one keeps the wait of its last failure
    await tx.execute(
      sql`update jobs.job set start_after = now() where ${ofQueue(queue)} and ${isOneOf([...idsOf(rows), ...open])} and start_after > now()`,
    )
    return rows.length
  })
}

const isOneOf = (ids: string[]) => sql`id = any(${arrayLiteral(ids)}::uuid[])`

// pg-boss's own queues stay unseen
function ofQueue(queue: JobQueue | undefined): SQL {
  return queue === undefined ? sql`name not like '\\_\\_pgboss%'` : sql`name = ${queue}`
}
