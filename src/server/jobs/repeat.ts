import type { jobsForOperator } from '#contract/jobs.operator.ts'
import type { Handler } from '../http/handler.ts'
import { repeatJobs } from './store.ts'

/** POST job/repeat. OPERATE-10, API-48 */
export const repeat: Handler<typeof jobsForOperator.repeat> = async ({ body: { queue, jobId }, refuse, deps }) => {
  const repeated = await repeatJobs(deps.db, queue, jobId)
  if (jobId !== undefined && repeated === 0) return refuse('NOT_FOUND')
  deps.jobs.wake(queue)
  return { repeated }
}
