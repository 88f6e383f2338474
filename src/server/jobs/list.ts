import type { jobsForOperator } from '#contract/jobs.operator.ts'
import type { Handler } from '../http/handler.ts'
import { presentCounts, presentJob } from './present.ts'
import { countJobs, pageOfJobs } from './store.ts'

/** GET job. OPERATE-10, API-48 */
export const list: Handler<typeof jobsForOperator.list> = async ({ query, deps }) => {
  const { rows, total } = await pageOfJobs(deps.db, query)
  return { queues: presentCounts(await countJobs(deps.db)), data: rows.map(presentJob), total }
}
