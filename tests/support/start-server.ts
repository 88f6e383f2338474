import { sql } from 'drizzle-orm'
import { afterAll, beforeAll } from 'vitest'
import type { DatabaseLocation } from '#server/db/open.ts'
import type { CardSandbox } from '#sandbox/card-provider/card-sandbox.ts'
import { seedInstance } from '#sandbox/demo-accounts/seed-instance.ts'
import { readEnv } from '#server/env.ts'
import type { LogTo } from '#server/http/log.ts'
import type { CallSlotsOptions } from '#server/http/call-slots.ts'
import type { SocketLimits } from '#server/http/socket-limits.ts'
import type { Clock } from '#server/outside/clock.ts'
import type { ReceivedMail } from '#sandbox/mailbox/mailbox.ts'
import type { OpenedSandbox } from '#sandbox/open-sandbox.ts'
import { start, type RunningServer } from '#server/start.ts'
import { emptyDatabase, type Engine } from './databases.ts'
import { freePort } from './free-port.ts'

export interface ServerOptions {
  /** the default is the engine of production, if it is installed */
  database?: Engine
  /** embedded in this folder, which stays, with its keys */
  dataDir?: string
  /** instead of its own empty database */
  location?: DatabaseLocation
  clock?: Clock
  /** further settings, as in `.env.example` */
  env?: Record<string, string>
  /** folder of a built portal */
  files?: string
  hasDemoAccounts?: boolean
  /** instead of standard output */
  logTo?: LogTo
  /** whether the hourly sweeps fire; by default not, since a test at that minute would see them */
  isScheduling?: boolean
  callSlots?: CallSlotsOptions
  socketLimits?: Partial<SocketLimits>
}

export interface TestServer extends RunningServer {
  /** null if `env` names a card provider */
  cardSandbox: CardSandbox | null
  /** mails to an address, newest first */
  mails: (to: string) => ReceivedMail[]
  /** the newest code mailed to an address */
  codeFor: (to: string) => string
  /** an instance without a coach: OWNED with share 0, COMPLETED with share 1, IN_PROGRESS between */
  giveInstance: (user: { userId: string; email: string }, shareAnswered?: number) => Promise<string>
  /** all rows of a table */
  rows: (table: string) => Promise<Record<string, unknown>[]>
  databaseUrl: string | null
}

// the limits of production, because a demo's are much higher
const LIMITS = { MAILS_PER_HOUR: '5', MAILS_PER_DAY: '10', MAILS_PER_DAY_IN_ALL: '60' }
// calls may take long on a busy machine, and wait long for a slot
const ON_A_BUSY_MACHINE = { CALL_TIMEOUT_SECONDS: '60' }
const LONG_WAIT: CallSlotsOptions = { waitMs: 60_000 }

/** Starts the real server in this process on a free port, with its own empty database and the sandbox of demo mode. */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const port = await freePort()
  const env = readEnv({
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    LOG_LEVEL: 'silent',
    ...LIMITS,
    ...ON_A_BUSY_MACHINE,
    ...options.env,
    ...(options.dataDir === undefined ? {} : { DATA_DIR: options.dataDir }),
  })
  const database = await databaseFor(options)
  const { clock, files, logTo, callSlots, socketLimits } = options
  const running = await start(env, {
    ...(database.location ? { database: database.location } : {}),
    hasDemoAccounts: options.hasDemoAccounts ?? false,
    isScheduling: options.isScheduling ?? false,
    ...(clock ? { clock } : {}),
    ...(logTo ? { logTo } : {}),
    callSlots: { ...LONG_WAIT, ...callSlots },
    ...(socketLimits ? { socketLimits } : {}),
    ...(files === undefined ? {} : { files }),
  })
  const { db } = running.deps
  // the server's type for it has fewer members
  const sandbox = running.sandbox as OpenedSandbox | null
  const mails = (to: string) => sandbox?.mailbox?.list(to) ?? []
  return {
    ...running,
    cardSandbox: sandbox?.cardSandbox ?? null,
    mails,
    codeFor: (to) => {
      const code = newestCode(mails(to))
      if (code === undefined) throw new Error(`no code was mailed to ${to}`)
      return code
    },
    giveInstance: (user, shareAnswered = 0) => seedInstance(db, { ...user, shareAnswered }, running.deps.clock.now()),
    rows: async (table) => (await db.execute(sql`select * from ${sql.identifier(table)}`)).rows,
    databaseUrl: database.location && 'url' in database.location ? database.location.url : null,
    close: async () => {
      await running.close()
      await database.drop()
    },
  }
}

async function databaseFor({
  dataDir,
  location,
  database,
}: ServerOptions): Promise<{ location?: DatabaseLocation; drop: () => Promise<void> }> {
  if (dataDir !== undefined) return { drop: async () => {} }
  return location ? { location, drop: async () => {} } : emptyDatabase(database)
}

/** Looks past the newest mail, because an invitation is sent in the background and may arrive after the code. */
function newestCode(mails: ReceivedMail[]): string | undefined {
  return mails.map(({ text }) => /\b\d{8}\b/.exec(text)?.[0]).find((code) => code !== undefined)
}

/** One server for all tests of a describe. Call it first, so that it is started before other `beforeAll` hooks run. */
export function givenServer(options: ServerOptions = {}): TestServer {
  const given = {} as TestServer // filled before any test
  beforeAll(async () => {
    Object.assign(given, await startServer(options))
  })
  afterAll(() => given.close())
  return given
}
