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
import { readinessOf } from './health/readiness.ts'
import { createCallSlots, type CallSlotsOptions } from './http/call-slots.ts'
import { BACKLOG, socketLimitsOf, type SocketLimits } from './http/socket-limits.ts'
import { startJobs } from './job-engine/engine.ts'
import { limitsOf } from './limits/limits.ts'
import { reasonOf, type LogTo } from './http/log.ts'
import { listenReason } from './listen-reason.ts'
import { localAddress } from './local-address.ts'
import { sendQueuedMails } from './mailer/sending.ts'
import { codeMails } from './mailer/code-mails.ts'
import { countMails } from './metrics/count-mails.ts'
import { metricsOf } from './metrics/metrics.ts'
import { systemClock, type Clock } from './outside/clock.ts'
import { systemRandom } from './outside/random.ts'
import { openMetrics } from './open-metrics.ts'
import { openStorage } from './open-storage.ts'
import { openSandbox, openServices, type Sandbox } from './services.ts'
import { doSweeps, scheduleSweeps } from './sweeps.ts'

// calls sent in the same moment as the signal are still arriving, and replies tell busy connections that this process ends
const DRAIN_MINIMUM_MS = 250

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

interface Opening {
  clock: Clock
  /** what to close, last one first */
  closing: (() => unknown)[]
  close: () => Promise<void>
}

async function open(env: Env, options: StartOptions, { clock, closing, close }: Opening): Promise<RunningServer> {
  const { isScheduling = true } = options
  const known: Known = { port: env.port, deps: undefined }
  const { parts, database, sandbox, tracing } = await openParts(env, options, { clock, closing, known })
  const { metrics } = parts
  let isDraining = false
  const readiness = readinessOf({
    ...parts,
    hasReplied: database.hasReplied,
    isDraining: () => isDraining,
    onChange: (part, state, error) =>
      state === 'failing'
        ? known.deps?.log.warn({ part, why: reasonOf(error) }, 'a part fails')
        : known.deps?.log.warn({ part }, 'a part works again'),
  })
  const callSlots = createCallSlots((rank) => {
    metrics.refusedForLoad(rank)
    warnOfOverload(known.deps?.log)
  }, options.callSlots)
  const { app, deps } = await buildApp(
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
    (log) => {
      const logging = { ...parts, log }
      known.deps = { ...logging, limits: limitsOf(parts), codeMails: codeMails(logging) }
      closing.push(known.deps.codeMails.close)
      return known.deps
    },
  )
  let storingHeads: Promise<void> | undefined
  closing.push(
    () => storingHeads,
    () => app.close(),
  )
  await adoptAuditLog(deps)
  // only closing waits for the object store
  storingHeads = storeFirstHeads(deps)
  await warnAtStart(app.log, env, database, clock)
  await app.listen({ port: env.port, host: env.host, backlog: BACKLOG }).catch((error: unknown) => {
    throw new Error(listenReason(error, env, { port: 'PORT', host: 'HOST' }), { cause: error })
  })
  options.onListening?.()
  // a TCP listener's address is never a pipe's name
  known.port = (app.server.address() as AddressInfo).port
  const metricsServer = env.metrics ? await openMetrics(env.metrics, { metrics, database, callSlots, readiness }) : null
  if (metricsServer) closing.push(metricsServer.close)
  // begins with what an earlier process left
  await sendQueuedMails(deps)
  await doSweeps(deps)
  if (isScheduling) await scheduleSweeps(deps)
  return {
    address: localAddress({ host: env.host, port: known.port }),
    metricsAddress: metricsServer?.address ?? null,
    deps,
    sandbox,
    drain: async () => {
      isDraining = true
      await pause(Math.max(DRAIN_MINIMUM_MS, env.drainSeconds * 1000))
    },
    close,
  }
}

/** What is known only once the server is built and listens, though parts that are opened before it use it. */
interface Known {
  /** as the settings say until it listens */
  port: number
  /** with the log */
  deps: Deps | undefined
}

/** Opens what handlers use, except for what needs the server's log. */
async function openParts(
  env: Env,
  { database: location, hasDemoAccounts = true, isScheduling = true }: StartOptions,
  { clock, closing, known }: Pick<Opening, 'clock' | 'closing'> & { known: Known },
) {
  const { folder, database, keys } = await openStorage(env, {
    clock,
    closing,
    location,
    onConnectionLost: (error) => known.deps?.log.error({ err: error }, 'database connection lost'),
  })
  const sandbox =
    env.mode === 'demo'
      ? await openSandbox({
          env,
          keys,
          clock,
          db: database.db,
          folder,
          hasDemoAccounts,
          webhookUrl: () => `${localAddress({ host: env.host, port: known.port })}/api/stripe/webhook`,
          mailsSettled: async () => known.deps && mailsSettled(known.deps),
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
  const jobs = await startJobs(database, {
    isScheduling,
    onTried: (job) => {
      metrics.tried(job)
      tracing?.tried(job)
    },
    onClockSetBack: (count) =>
      known.deps?.log.warn({ jobs: count }, "the database's clock was set back: the times of unfinished jobs were moved back with it"),
    onError: (error) => known.deps?.log.error({ err: error }, 'the job engine failed'),
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
  return { parts, database, sandbox, tracing }
}

/** Resolves once every mail handed over has been accepted or refused. */
async function mailsSettled({ jobs, codeMails }: Deps): Promise<void> {
  await Promise.all([jobs.settled('mails'), codeMails.settled()])
}

// in an overload there are thousands of refusals
const SAY_EVERY_MS = 10_000
let saidAt = Number.NEGATIVE_INFINITY

function warnOfOverload(log: FastifyBaseLogger | undefined): void {
  if (performance.now() - saidAt < SAY_EVERY_MS) return
  saidAt = performance.now()
  log?.warn('calls are refused: there are more than this process can do')
}

/** What the settings, or a backup that was restored, leave to be done. */
async function warnAtStart(log: FastifyBaseLogger, env: Env, { db }: OpenDatabase, clock: Clock): Promise<void> {
  for (const warning of env.warnings) log.warn(warning)
  const back = await listErasedPeopleInBackup(db, clock.now())
  if (back.ids.length > 0) log.warn(back, 'people erased after the backup are back: run touchline doctor for the list')
  else if (!back.isWhole) log.warn('anyone erased after the backup is back: the replaced database could not say whom it had erased')
}
