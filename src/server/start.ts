import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { buildApp } from './app.ts'
import { adopt as adoptAuditLog, storeFirstHeads } from './audit/sweep.ts'
import type { Deps } from './deps.ts'
import { listErasedPeopleInBackup } from './db/erased-before-restore.ts'
import type { DatabaseLocation, OpenDatabase } from './db/open.ts'
import type { Env } from './env.ts'
import { readinessOf, type PartState } from './health/readiness.ts'
import { refuseAfter } from './http/refuse-after.ts'
import { createCallSlots, type CallSlots, type CallSlotsOptions } from './http/call-slots.ts'
import { BACKLOG, socketLimitsOf, type SocketLimits } from './http/socket-limits.ts'
import { startJobs } from './job-engine/engine.ts'
import { presentCounts } from './jobs/present.ts'
import { countJobs } from './jobs/store.ts'
import { limitsOf } from './limits/limits.ts'
import { reasonOf, type LogTo } from './http/log.ts'
import { localAddress, type ListenAddress } from './local-address.ts'
import { sendQueuedMails } from './mailer/sending.ts'
import { codeMails } from './mailer/code-mails.ts'
import { countMails } from './metrics/count-mails.ts'
import { metricsOf, type Metrics, type JobAttempt } from './metrics/metrics.ts'
import { serveMetrics, type MetricsServer } from './metrics/serve.ts'
import { systemClock, type Clock } from './outside/clock.ts'
import { systemRandom } from './outside/random.ts'
import { openStorage } from './open-storage.ts'
import { openSandbox, openServices, type Sandbox } from './services.ts'
import { doSweeps, scheduleSweeps } from './sweeps.ts'
import { errorCode } from './error-code.ts'

// calls sent in the same moment as the signal are still arriving, and replies tell busy connections that this process ends
const LEAST_DRAIN_MS = 250

interface StartOptions {
  clock?: Clock
  /** by default as the settings say */
  database?: DatabaseLocation
  /** with the demo accounts; by default in demo mode */
  hasDemoAccounts?: boolean
  /** folder of the built portal */
  files?: string
  /** by default the standard output */
  logTo?: LogTo
  /** whether this process may fire the hourly sweeps; by default true */
  isScheduling?: boolean
  /** others than http/call-slots.ts has */
  callSlots?: CallSlotsOptions
  /** others than http/socket-limits.ts has */
  socketLimits?: Partial<SocketLimits>
  /** called once it takes calls, which is before the start is over */
  onListening?: () => void
}

export interface RunningServer {
  /** `http://127.0.0.1:3000` */
  address: string
  deps: Deps
  /** where it tells its metrics, if the settings say so */
  metricsAddress: string | null
  /** null in production */
  sandbox: Sandbox | null
  /** Says that it is stopping, and takes calls until balancers have noticed: for DRAIN_SECONDS. */
  drain: () => Promise<void>
  /** stops accepting calls, finishes those running, closes everything */
  close: () => Promise<void>
}

/** Assembles the server as the settings say, and listens. */
export async function start(env: Env, options: StartOptions = {}): Promise<RunningServer> {
  const clock = options.clock ?? systemClock
  const closing: (() => unknown)[] = []
  const closeAll = async () => {
    for (const end of closing.toReversed()) await end()
  }
  let closed: Promise<void> | undefined
  const close = () => (closed ??= closeAll())
  try {
    return await open(env, options, { clock, closing, close })
  } catch (error) {
    await close()
    throw error
  }
}

interface OpenParts {
  clock: Clock
  /** what to close, last one first */
  closing: (() => unknown)[]
  close: () => Promise<void>
}

async function open(env: Env, options: StartOptions, { clock, closing, close }: OpenParts): Promise<RunningServer> {
  let log: FastifyBaseLogger | undefined
  const { folder, database, keys } = await openStorage(env, {
    clock,
    closing,
    location: options.database,
    onConnectionLost: (error) => log?.error({ err: error }, 'database connection lost'),
  })

  let port = env.port
  let deps: Deps | undefined
  const sandbox =
    env.mode === 'demo'
      ? await openSandbox({
          env,
          keys,
          clock,
          db: database.db,
          folder,
          hasDemoAccounts: options.hasDemoAccounts ?? true,
          webhookUrl: () => `${localAddress({ host: env.host, port })}/api/stripe/webhook`,
          mailsSettled: async () => deps && mailsSettled(deps),
        })
      : null
  if (sandbox) closing.push(sandbox.close)
  const metrics = metricsOf()
  // its packages are large, and few want traces
  const tracing = env.traces ? (await import('./tracing/tracing.ts')).openTracing(env.traces, env.trustProxy.length > 0) : null
  if (tracing) closing.push(tracing.close)
  const opened = await openServices(env, sandbox)
  const services = { ...opened, mail: countMails(opened.mail, metrics) }
  closing.push(services.mail.close)
  const isScheduling = options.isScheduling ?? true
  const onTried = (job: JobAttempt) => {
    metrics.tried(job)
    tracing?.tried(job)
  }
  const jobs = await startJobs(database, {
    isScheduling,
    onTried,
    onClockSetBack: (count) =>
      log?.warn({ jobs: count }, "the database's clock was set back: the times of unfinished jobs were moved back with it"),
    onError: (error) => log?.error({ err: error }, 'the job engine failed'),
  })
  closing.push(jobs.close)
  const { copyFiles } = database
  const embedded = copyFiles && { copyFiles, folder: join(folder, 'backups') }
  const parts = {
    env,
    keys,
    db: database.db,
    replica: database.replica,
    embedded,
    jobs,
    clock,
    metrics,
    random: systemRandom,
    ...services,
  }
  let isDraining = false
  const readiness = readinessOf({
    ...parts,
    hasReplied: database.hasReplied,
    isDraining: () => isDraining,
    onChange: (part, state, error) =>
      state === 'failing' ? log?.warn({ part, why: reasonOf(error) }, 'a part fails') : log?.warn({ part }, 'a part works again'),
  })
  const callSlots = createCallSlots((rank) => {
    metrics.shed(rank)
    saySheddingIn(log)
  }, options.callSlots)
  const app = await buildApp(
    {
      env,
      callSlots,
      socketLimits: { ...socketLimitsOf(env), ...options.socketLimits },
      onDrop: metrics.dropped,
      readiness,
      isDraining: () => isDraining,
      onReply: (reply, trace) => {
        metrics.replied(reply)
        tracing?.replied(reply, trace)
      },
      registerDemoPages: sandbox?.registerPages ?? null,
      ...(options.files === undefined ? {} : { files: options.files }),
      ...(options.logTo ? { logTo: options.logTo } : {}),
    },
    (appLog) => {
      log = appLog
      const logging = { ...parts, log: appLog }
      deps = { ...logging, limits: limitsOf(parts), codeMails: codeMails(logging) }
      closing.push(deps.codeMails.close)
      return deps
    },
  )
  let storingHeads: Promise<void> | undefined
  closing.push(
    () => storingHeads,
    () => app.close(),
  )
  if (deps) {
    await adoptAuditLog(deps)
    // only closing waits for the object store
    storingHeads = storeFirstHeads(deps)
  }
  await warnAtStart(app.log, env, database, clock)
  await app.listen({ port: env.port, host: env.host, backlog: BACKLOG }).catch((error: unknown) => {
    throw new Error(listenReason(error, env, { port: 'PORT', host: 'HOST' }), { cause: error })
  })
  options.onListening?.()
  // a TCP listener's address is never a pipe's name
  port = (app.server.address() as AddressInfo).port
  if (!deps) throw new Error('the app was built without its parts')
  const metricsServer = env.metrics ? await openMetrics(env.metrics, { metrics, database, callSlots, readiness }) : null
  if (metricsServer) closing.push(metricsServer.close)
  // begins with what an earlier process left
  await sendQueuedMails(deps)
  await doSweeps(deps)
  if (isScheduling) await scheduleSweeps(deps)
  return {
    address: localAddress({ host: env.host, port }),
    metricsAddress: metricsServer?.address ?? null,
    deps,
    sandbox,
    drain: async () => {
      isDraining = true
      await pause(Math.max(LEAST_DRAIN_MS, env.drainSeconds * 1000))
    },
    close,
  }
}

/** Resolves once every mail handed over has been accepted or refused. */
async function mailsSettled({ jobs, codeMails }: Deps): Promise<void> {
  await Promise.all([jobs.settled('mails'), codeMails.settled()])
}

// in an overload there are thousands of refusals
const SAY_EVERY_MS = 10_000
let saidAt = Number.NEGATIVE_INFINITY

function saySheddingIn(log: FastifyBaseLogger | undefined): void {
  if (performance.now() - saidAt < SAY_EVERY_MS) return
  saidAt = performance.now()
  log?.warn('calls are refused: there are more than this process can do')
}

// who reads the metrics waits for some seconds
const SCRAPE_MS = 1500

function workingOf(parts: Record<string, PartState>): Record<string, 0 | 1> {
  const known = Object.entries(parts).filter(([, state]) => state !== 'unknown')
  return Object.fromEntries(known.map(([part, state]) => [part, state === 'failing' ? 0 : 1] as const))
}

interface Watched {
  metrics: Metrics
  database: OpenDatabase
  callSlots: CallSlots
  readiness: ReturnType<typeof readinessOf>
}

async function openMetrics(at: ListenAddress, { metrics, database, callSlots, readiness }: Watched): Promise<MetricsServer> {
  const server = await serveMetrics(at, metrics).catch((error: unknown) => {
    throw new Error(listenReason(error, at, { port: 'METRICS_PORT', host: 'METRICS_HOST' }), { cause: error })
  })
  metrics.watch({
    connections: database.connections,
    calls: callSlots.count,
    behind: () => (database.replica && Number.isFinite(database.replica.behind()) ? database.replica.behind() : null),
    jobs: async () => presentCounts(await refuseAfter(SCRAPE_MS, countJobs(database.db))),
    parts: async () => workingOf((await readiness()).parts),
  })
  return server
}

/** What the settings, or a backup that was restored, leave to be done. */
async function warnAtStart(log: FastifyBaseLogger, env: Env, { db }: OpenDatabase, clock: Clock): Promise<void> {
  for (const warning of env.warnings) log.warn(warning)
  const back = await listErasedPeopleInBackup(db, clock.now())
  if (back.ids.length > 0) log.warn(back, 'people erased after the backup are back: run touchline doctor for the list')
  else if (!back.isWhole) log.warn('anyone erased after the backup is back: the replaced database could not say whom it had erased')
}

/** @param settings the names of the two */
function listenReason(error: unknown, { port, host }: ListenAddress, settings: { port: string; host: string }): string {
  const code = errorCode(error)
  if (code === 'EADDRINUSE')
    return `${settings.port}: ${port} on ${host} is in use by another program. Stop it, or choose another ${settings.port}.`
  const isNotOurs = code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL' || code === 'EAI_AGAIN'
  if (isNotOurs) return `${settings.host}: ${host} is not an address of this machine. Choose 127.0.0.1, or 0.0.0.0 for all of its networks.`
  return `${settings.port}: ${error instanceof Error ? error.message : String(error)}`
}
