import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { ErrorCode } from '#contract/errors.ts'
import type { JobCount } from '#contract/jobs.operator.ts'

/**
 * This process's metrics for Prometheus. Labels are our own names (routes, codes, limits), never a value of a
 * call, so they name nobody (PRIVACY-7) and their number is bounded. docs/decisions/0054
 */
export interface Metrics {
  /** A reply was sent. */
  replied: (reply: ReplyMetric) => void
  /** A call was refused with this code. */
  refused: (code: ErrorCode) => void
  /** A call was refused because it had waited for too long (http/call-slots.ts). */
  refusedForLoad: (rank: string) => void
  /** A connection was refused because there were too many. */
  dropped: () => void
  /** A player's answers arrived. */
  saved: (outcome: SaveOutcome, answers: number) => void
  /** A limit of limits/limits.ts refused something. */
  limited: (limit: string) => void
  /** A mail was handed to the mail server. */
  mailed: (outcome: MailOutcome, seconds: number) => void
  /** A coach's read was sent to this database, where there is a replica. */
  coachRead: (from: 'replica' | 'primary') => void
  /** A job was tried. */
  tried: (job: JobAttempt) => void
  /** What to read at each scrape. */
  watch: (watched: Watched) => void
  /** All of them, in the text format of Prometheus. */
  read: () => Promise<{ text: string; contentType: string }>
}

export interface ReplyMetric {
  method: string
  /** as registered, such as `/api/user/:id` */
  route: string
  status: number
  seconds: number
}

export interface JobAttempt {
  queue: string
  name: string
  outcome: JobOutcome
  seconds: number
}

type SaveOutcome = 'stored' | 'refused' | 'busy'
/** `refused`: this address, for good; `failed`: not now */
export type MailOutcome = 'accepted' | 'refused' | 'failed'
/** `given-up`: not tried again */
export type JobOutcome = 'done' | 'failed' | 'given-up'

interface Watched {
  /** of the API: worked on, and waiting to be */
  calls: () => { running: number; waiting: number }
  /** null: the database has no connections */
  connections: () => { open: number; idle: number; waiting: number; maximum: number } | null
  /** seconds, by which the read replica may be behind; null: there is none, or nothing is known of it */
  behind: () => number | null
  /** of all processes together; rejects while the database does not reply */
  jobs: () => Promise<JobCount[]>
  /** 1: it works, 0: it does not; parts that nobody has asked yet are left out */
  parts: () => Promise<Record<string, 0 | 1>>
}

/** Seconds. A call has its reply within 15, or is refused. */
const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]
const JOB_SECONDS = [0.05, 0.25, 1, 5, 15, 60, 300, 3600]

export function metricsOf(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const replies = new Counter({
    name: 'touchline_replies_total',
    help: 'Replies by route, method and status',
    labelNames: ['route', 'method', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'touchline_reply_seconds',
    help: 'From the first byte of a request to the last of its reply, by route and method',
    labelNames: ['route', 'method'],
    buckets: CALL_SECONDS,
    registers,
  })
  const refusals = new Counter({
    name: 'touchline_refusals_total',
    help: 'Refused calls by code (docs/errors.md)',
    labelNames: ['code'],
    registers,
  })
  const refusedForLoad = new Counter({
    name: 'touchline_overload_refusals_total',
    help: 'Calls refused because there was more to do than this process can do, by rank (http/ranks.ts)',
    labelNames: ['rank'],
    registers,
  })
  const drops = new Counter({ name: 'touchline_connections_refused_total', help: 'Connections beyond the maximum', registers })
  const saves = new Counter({
    name: 'touchline_saves_total',
    help: 'Saves of answers; busy: too many of one account at once',
    labelNames: ['outcome'],
    registers,
  })
  const answers = new Counter({ name: 'touchline_saved_answers_total', help: 'Answers in the saves that were stored', registers })
  const limits = new Counter({
    name: 'touchline_limits_hit_total',
    help: 'What was refused because of a limit, by its name',
    labelNames: ['limit'],
    registers,
  })
  const mails = new Histogram({
    name: 'touchline_mail_seconds',
    help: 'From handing a mail to the mail server until its reply',
    labelNames: ['outcome'],
    buckets: CALL_SECONDS,
    registers,
  })
  const coachReads = new Counter({
    name: 'touchline_coach_reads_total',
    help: 'Reads of coaches by the database they were sent to, where there is a read replica',
    labelNames: ['from'],
    registers,
  })
  const tries = new Histogram({
    name: 'touchline_job_seconds',
    help: 'Tries of jobs by queue, name and outcome',
    labelNames: ['queue', 'name', 'outcome'],
    buckets: JOB_SECONDS,
    registers,
  })

  return {
    replied: ({ method, route, status, seconds }) => {
      replies.inc({ route, method, status: String(status) })
      durations.observe({ route, method }, seconds)
    },
    refused: (code) => refusals.inc({ code }),
    refusedForLoad: (rank) => refusedForLoad.inc({ rank }),
    dropped: () => drops.inc(),
    saved: (outcome, count) => {
      saves.inc({ outcome })
      if (outcome === 'stored') answers.inc(count)
    },
    limited: (limit) => limits.inc({ limit }),
    mailed: (outcome, seconds) => mails.observe({ outcome }, seconds),
    coachRead: (from) => coachReads.inc({ from }),
    tried: ({ queue, name, outcome, seconds }) => tries.observe({ queue, name, outcome }, seconds),
    watch: (watched) => {
      // the process's own: memory, processor, event loop, collected garbage
      collectDefaultMetrics({ register: registry })
      watchGauges(registers, watched)
    },
    read: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
  }
}

function watchGauges(registers: Registry[], { calls, connections, behind, jobs, parts }: Watched): void {
  const called = new Gauge({
    name: 'touchline_calls',
    help: 'Calls of the API that are worked on, and that wait to be',
    labelNames: ['state'],
    registers,
    collect: () => {
      for (const [state, count] of Object.entries(calls())) called.set({ state }, count)
    },
  })
  const pool = new Gauge({
    name: 'touchline_database_connections',
    help: 'Connections of this process: in use, idle, and the most there may be',
    labelNames: ['state'],
    registers,
    collect: () => {
      const now = connections()
      if (!now) return
      pool.set({ state: 'in-use' }, now.open - now.idle)
      pool.set({ state: 'idle' }, now.idle)
      pool.set({ state: 'maximum' }, now.maximum)
      waiting.set(now.waiting)
    },
  })
  const waiting = new Gauge({ name: 'touchline_database_waiting', help: 'Calls that wait for a connection', registers })
  const replica = new Gauge({
    name: 'touchline_replica_behind_seconds',
    help: 'The read replica has all that was committed so long ago',
    registers,
    collect: () => {
      const seconds = behind()
      if (seconds === null) replica.reset()
      else replica.set(seconds)
    },
  })
  const queued = new Gauge({
    name: 'touchline_jobs',
    help: 'Jobs by queue and state, of all processes together: take the highest, not the sum',
    labelNames: ['queue', 'state'],
    registers,
    collect: async () => {
      queued.reset()
      // without the database there are no such figures, but the others matter all the more
      for (const { queue, ...counts } of await jobs().catch(() => []))
        for (const [state, count] of Object.entries(counts)) queued.set({ queue, state }, count)
    },
  })
  const ready = new Gauge({
    name: 'touchline_part_works',
    help: 'Whether a part this process needs works, as /readyz says: 1 or 0',
    labelNames: ['part'],
    registers,
    collect: async () => {
      ready.reset()
      for (const [part, works] of Object.entries(await parts())) ready.set({ part }, works)
    },
  })
}
