import { sql } from 'drizzle-orm'
import type { Job, JobCount } from '#contract/jobs.operator.ts'
import { ask, type Reply } from './person.ts'
import type { TestServer } from './start-server.ts'

type Running = Pick<TestServer, 'address' | 'deps'>

/** As if so many seconds had passed: sets back the times of all jobs, which are the database's and not moved by a test's clock. */
export async function timePasses({ deps }: Pick<TestServer, 'deps'>, seconds: number): Promise<void> {
  const earlier = (column: string) => sql`${sql.identifier(column)} = ${sql.identifier(column)} - ${seconds} * interval '1 s'`
  const columns = ['start_after', 'started_on', 'heartbeat_on', 'created_on', 'completed_on', 'keep_until']
  await deps.db.execute(sql`update jobs.job set ${sql.join(columns.map(earlier), sql`, `)} where state <> 'completed'`)
}

/** By then every retry is due. */
export const LONGEST_WAIT_SECONDS = 6 * 3600 + 1

interface JobList {
  queues: JobCount[]
  data: Job[]
  total: number
}

export function jobsOf(server: Running, query = ''): Promise<Reply<JobList>> {
  return ask<JobList>(server, 'GET', `job${query}`, { bearer: server.deps.keys.operatorKey })
}

export function repeat(server: Running, body: object): Promise<Reply<{ repeated: number; code: string }>> {
  return ask(server, 'POST', 'job/repeat', { bearer: server.deps.keys.operatorKey, body })
}
