import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { paging } from './paging.ts'

/** Calls about the work that the server does by itself. Only the operator may make them (ROLES-4); only its page loads them. */

export const JOB_QUEUES = ['mails', 'sweeps'] as const
/** `waiting`: due now or later, also after a failure; `failed`: tried for the last time. Jobs that are done are not listed. */
const JOB_STATES = ['waiting', 'running', 'failed'] as const

const jobQueue = z.enum(JOB_QUEUES)
export type JobQueue = z.output<typeof jobQueue>
const jobState = z.enum(JOB_STATES)
export type JobState = z.output<typeof jobState>

/** Names nobody. Times are UTC instants, ISO 8601. */
const job = z.object({
  jobId: z.string(),
  queue: jobQueue,
  /** the kind of mail, or which sweep */
  name: z.string(),
  state: jobState,
  since: z.string(),
  tries: z.int(),
  /** null unless it is waiting */
  nextTryAt: z.nullable(z.string()),
  /** null unless it has failed */
  failedAt: z.nullable(z.string()),
  /** kind and codes of the last failure, such as `MailError 451 RCPT TO`; null if there was none */
  lastError: z.nullable(z.string()),
})
export type Job = z.output<typeof job>

const count = z.object({ queue: jobQueue, waiting: z.int(), running: z.int(), failed: z.int() })
export type JobCount = z.output<typeof count>

export const jobsForOperator = {
  /** One page of the jobs that are not done, failed ones first, then those that have waited longest; `total` counts those of all pages. */
  list: endpoint({
    method: 'GET',
    path: 'job',
    access: ['operator'],
    query: z.strictObject({ ...paging, queue: z.optional(jobQueue), state: z.optional(jobState) }),
    reply: z.object({ queues: z.array(count), data: z.array(job), total: z.int() }),
    errors: [],
    tag: 'Job',
    summary: 'Waiting, running and failed jobs, with counts per queue',
  }),
  /** Tries one job of a queue, or all of them, now: those that failed, and those that wait for a later try. 404 if a named job is neither. */
  repeat: endpoint({
    method: 'POST',
    path: 'job/repeat',
    access: ['operator'],
    body: z.strictObject({ queue: jobQueue, jobId: z.optional(z.string().check(z.maxLength(100))) }),
    reply: z.object({ repeated: z.int() }),
    errors: [],
    changes: ['Job'],
    summary: 'Retry a failed or waiting job, or all of a queue',
  }),
}
