import type { Queue } from 'pg-boss'
import type { JobQueue } from '#contract/jobs.operator.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** In seconds. `expireInSeconds`: how long until another process takes a job whose process was killed. */
export const QUEUES: Record<JobQueue, Omit<Queue, 'name'>> = {
  mails: {
    // 30 s to 1 min, then about twice the previous delay, at most 6 h: a mail server may be down for 8 hours
    retryLimit: 10,
    retryDelay: 30,
    retryBackoff: true,
    retryDelayMax: 6 * HOUR,
    // longer than a mail server may take for a mail (outside/mail.ts)
    expireInSeconds: 15 * MINUTE,
    // noticed earlier than that if the process was killed
    heartbeatSeconds: MINUTE,
    retentionSeconds: 30 * DAY,
    deleteAfterSeconds: 30 * DAY,
  },
  sweeps: {
    // one of each: an hour's sweep is skipped while the previous one runs or waits for a retry
    policy: 'exclusive',
    retryLimit: 3,
    retryDelay: MINUTE,
    retryBackoff: true,
    expireInSeconds: 6 * HOUR,
    // noticed earlier than that if the process was killed
    heartbeatSeconds: MINUTE,
    retentionSeconds: DAY,
    deleteAfterSeconds: 30 * DAY,
  },
}
