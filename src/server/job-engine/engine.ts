import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { fromDrizzle, PgBoss, type BackendProfile, type Db, type JobResult, type JobWithMetadata } from 'pg-boss'
import { JOB_QUEUES, type JobQueue } from '#contract/jobs.operator.ts'
import { MINUTE_MS } from '#contract/rules/dates.ts'
import type { Database } from '../db/database.ts'
import { databaseOf } from '../db/transactions.ts'
import type { JobOutcome, JobAttempt } from '../metrics/metrics.ts'
import { failureOf } from './failure.ts'
import { QUEUES } from './queues.ts'
import { catchUpWithClock, isBusy, lockJobs, makeDue, newestOfKeys } from './store.ts'

/**
 * Work outside calls: pg-boss in the same database. A job is sent in the transaction that needs it and exists only if that commits.
 * It is done at least once, by one process at a time. docs/decisions/0051
 */
export interface JobEngine {
  /** Makes this process do the jobs of a queue; polls when woken, otherwise every `pollSeconds`. */
  work: (queue: JobQueue, options: WorkOptions, run: RunJob) => Promise<void>
  /** Schedules a job of this name by `cron`, in UTC, once in the fleet; all missed times count as one. */
  schedule: (queue: JobQueue, name: string, cron: string) => Promise<void>
  /** This process looks now. Call it after the commit. */
  wake: (queue: JobQueue) => void
  /** Resolves once nothing in a queue is due or running, in any process; of removed jobs, in this one. */
  settled: (queue: JobQueue) => Promise<void>
  /** Takes no more jobs, and waits for those running for `CLOSE_SECONDS`; others then repeat them. */
  close: () => Promise<void>
}

interface WorkOptions {
  pollSeconds: number
  /** how many at once, each on its own */
  workers?: number
  /** how many at most, once all are busy and one has been for HELD_UP_MS: jobs that take long hold up no others */
  workersMaximum?: number
}

/** Takes one job after the other. */
interface QueueWorker {
  id: string
  isBusy: boolean
}

interface RunningJob {
  id: string
  name: string
  /** whether another failure is the last */
  isLast: boolean
}

/** Resolves once the job is done, or to the reason why not; an `isFinal` one is not retried. Rejecting is a failure as well. */
export type RunJob = (job: RunningJob) => Promise<{ error: unknown; isFinal: boolean } | undefined>

interface NewJob {
  /** by default a new one */
  id?: string
  /** what it does: shown to the operator */
  name: string
  /** of sweeps: the name. Nothing is sent while another of this key waits or runs. */
  singletonKey?: string
  /** seconds */
  startAfter?: number
}

const SCHEMA = 'jobs'
// within the time that main.ts gives a process to stop
const CLOSE_SECONDS = 10
const HOUR_SECONDS = 3600
const HELD_UP_MS = 5000
/** how often it is checked whether the database's clock was set back */
const CLOCK_CHECK_MS = 5 * MINUTE_MS
/** The other workers of a queue are woken by the first; they poll as well, but this many times less often, as that one may be busy for long. */
const WOKEN_POLLS = 6

const bosses = new WeakMap<Database, PgBoss>()

interface JobEngineOptions {
  /** whether this process may fire what is due by a schedule */
  isScheduling: boolean
  onTried: (job: JobAttempt) => void
  /** @param jobs how many had their times moved back */
  onClockSetBack: (jobs: number) => void
  onError: (error: unknown) => void
}

/** Starts the engine; the migrations have made its tables. */
export async function startJobs(
  { db, forJobs }: { db: Database; forJobs: { backend: BackendProfile; db: Db } },
  { isScheduling, onTried, onClockSetBack, onError }: JobEngineOptions,
): Promise<JobEngine> {
  const boss = new PgBoss({
    ...forJobs,
    schema: SCHEMA,
    migrate: false,
    createSchema: false,
    schedule: isScheduling,
    cronWorkerIntervalSeconds: 10,
    registerInstance: false,
    // no job depends on another
    flowIntervalSeconds: HOUR_SECONDS,
    // needs to own the tables, and there are few rows
    reindex: false,
    monitorVacuum: false,
  })
  boss.on('error', onError)
  const catchUp = async () => {
    const jobs = await catchUpWithClock(db)
    if (jobs > 0) onClockSetBack(jobs)
  }
  await catchUp()
  const clockTimer = setInterval(() => void catchUp().catch(onError), CLOCK_CHECK_MS)
  await boss.start()
  await makeQueues(boss)
  bosses.set(db, boss)
  const workers = createWorkers(boss, onTried)
  let isClosing = false

  return {
    work: async (queue, { pollSeconds, workers: count = 1, workersMaximum = count }, run) => {
      let added = 0
      const add = async (everySeconds: number) => {
        added += 1
        await workers.add(queue, everySeconds, run, helpIfAllAreBusy)
      }
      const helpIfAllAreBusy = () => {
        if (!isClosing && added < workersMaximum && workers.countBusy(queue) === added) add(pollSeconds * WOKEN_POLLS).catch(onError)
      }
      await add(pollSeconds)
      for (let more = 1; more < count; more += 1) await add(pollSeconds * WOKEN_POLLS)
    },
    schedule: (queue, name, cron) => boss.schedule(queue, cron, { name }, { key: name, singletonKey: name, missed: 'once' }),
    wake: workers.wake,
    settled: async (queue) => {
      while ((await isBusy(db, queue)) || workers.countBusy(queue) > 0) {
        workers.wake(queue)
        await pause(10)
      }
    },
    close: async () => {
      isClosing = true
      clearInterval(clockTimer)
      bosses.delete(db)
      await boss.stop({ timeout: CLOSE_SECONDS * 1000, close: false })
    },
  }
}

async function makeQueues(boss: PgBoss): Promise<void> {
  for (const queue of JOB_QUEUES) {
    const { policy, ...options } = QUEUES[queue]
    await boss.createQueue(queue, { ...options, ...(policy === undefined ? {} : { policy }) })
    // one that an older build made
    await boss.updateQueue(queue, options)
  }
}

interface Data {
  name: string
}

/** The workers of this process. */
function createWorkers(boss: PgBoss, onTried: (job: JobAttempt) => void) {
  const workers = new Map<JobQueue, QueueWorker[]>()
  const counted = async (job: JobWithMetadata<Data>, run: RunJob) => {
    const begun = performance.now()
    const { result, outcome } = await resultOf(job, run)
    onTried({ queue: job.name, name: job.data.name, outcome, seconds: (performance.now() - begun) / 1000 })
    return result
  }
  /** One that is idle; busy ones look for the next job by themselves. */
  const wake = (queue: JobQueue) => {
    const idle = workers.get(queue)?.find(({ isBusy }) => !isBusy)
    if (idle) boss.notifyWorker(idle.id)
  }
  return {
    wake,
    countBusy: (queue: JobQueue) => (workers.get(queue) ?? []).filter(({ isBusy }) => isBusy).length,
    add: async (queue: JobQueue, pollingIntervalSeconds: number, run: RunJob, onHeldUp: () => void) => {
      const worker: QueueWorker = { id: '', isBusy: false }
      const options = { pollingIntervalSeconds, perJobResults: true, includeMetadata: true } as const
      worker.id = await boss.work(queue, options, async (jobs: JobWithMetadata<Data>[]) => {
        worker.isBusy = true
        // there may be another job for another worker
        wake(queue)
        const heldUp = setTimeout(onHeldUp, HELD_UP_MS)
        try {
          return await Promise.all(jobs.map((job) => counted(job, run)))
        } finally {
          clearTimeout(heldUp)
          worker.isBusy = false
          boss.notifyWorker(worker.id)
        }
      })
      workers.set(queue, [...(workers.get(queue) ?? []), worker])
    },
  }
}

async function resultOf(job: JobWithMetadata<Data>, run: RunJob): Promise<{ result: JobResult; outcome: JobOutcome }> {
  const { id, data, retryCount, retryLimit } = job
  const isLast = retryCount >= retryLimit
  try {
    const failure = await run({ id, name: data.name, isLast })
    if (!failure) return { result: { id, status: 'completed' }, outcome: 'done' }
    // pg-boss's word for a failure without another try
    const status = failure.isFinal ? 'deadletter' : 'failed'
    return { result: { id, status, output: failureOf(failure.error) }, outcome: failure.isFinal || isLast ? 'given-up' : 'failed' }
  } catch (error) {
    return { result: { id, status: 'failed', output: failureOf(error) }, outcome: isLast ? 'given-up' : 'failed' }
  }
}

/** Sends a job, in the transaction that wants it. */
export async function sendJob(tx: Database, queue: JobQueue, { name, ...options }: NewJob): Promise<void> {
  await bossOf(tx).send(queue, { name }, { ...options, db: fromDrizzle(tx, sql) })
}

/** Makes jobs due that wait for their first try. */
export async function startNow(tx: Database, queue: JobQueue, ids: string[]): Promise<void> {
  if (ids.length > 0) await makeDue(tx, queue, ids)
}

/** Removes jobs in any state; a running one finishes, but is not retried. */
export async function removeJobs(tx: Database, queue: JobQueue, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await lockJobs(tx, queue, ids)
  await bossOf(tx).deleteJob(queue, ids, { db: fromDrizzle(tx, sql) })
}

/**
 * Retries failed jobs. If only one of a key may be open, that is the newest, and the others are removed; or one that is already open
 * replaces them all. Resolves to those that are now open.
 */
export async function repeatFailed(tx: Database, queue: JobQueue, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const newest = QUEUES[queue].policy === 'exclusive' ? await newestOfKeys(tx, queue, ids) : ids.map((id) => ({ id, takenBy: null }))
  const repeated = newest.filter(({ takenBy }) => takenBy === null).map(({ id }) => id)
  const others = ids.filter((id) => !repeated.includes(id))
  await removeJobs(tx, queue, others)
  if (repeated.length > 0) await bossOf(tx).retry(queue, repeated, { db: fromDrizzle(tx, sql) })
  return [...repeated, ...newest.flatMap(({ takenBy }) => takenBy ?? [])]
}

function bossOf(tx: Database): PgBoss {
  const boss = bosses.get(databaseOf(tx))
  if (!boss) throw new Error('the job engine of this database is not started')
  return boss
}
