import { JOB_QUEUES, type Job, type JobCount, type JobState } from '#contract/jobs.operator.ts'
import type { Failure } from '../job-engine/failure.ts'
import type { countJobs, JobRow } from './store.ts'

export function presentJob({ id, queue, name, state, since, nextTryAt, failedAt, tries, output }: JobRow): Job {
  return {
    jobId: id,
    queue,
    name,
    state,
    since: instant(since),
    tries,
    nextTryAt: nextTryAt === null ? null : instant(nextTryAt),
    failedAt: failedAt === null ? null : instant(failedAt),
    lastError: errorIn(output),
  }
}

/** Every queue, also without jobs. */
export function presentCounts(counts: Awaited<ReturnType<typeof countJobs>>): JobCount[] {
  return JOB_QUEUES.map((queue) => {
    const of = (state: JobState) => counts.find((one) => one.queue === queue && one.state === state)?.count ?? 0
    return { queue, waiting: of('waiting'), running: of('running'), failed: of('failed') }
  })
}

/** What pg-boss itself stores of a job whose process was killed or stopped. Any other text is left out: it may name somebody. */
const OWN_WORDS = new Set(['job timed out', 'job heartbeat timeout', 'pg-boss shut down while active'])

function errorIn(output: unknown): string | null {
  if (typeof output !== 'object' || output === null) return null
  const { kind, codes, value } = output as Partial<Failure> & { value?: unknown } // ours (failure.ts), or pg-boss's
  if (kind !== undefined) return [kind, ...(codes ?? [])].join(' ')
  const words = typeof value === 'object' && value !== null && 'message' in value ? value.message : value
  return typeof words === 'string' && OWN_WORDS.has(words) ? words : 'unknown'
}

function instant(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
