/**
 * The process that serves the product, from a copy of its production build with a new database, and the yardsticks. The
 * bench controls it by messages, so that the measuring process does nothing else.
 */
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import pg from 'pg'
import { users } from '#server/db/schema/users.ts'
import { seedInstance } from '#sandbox/demo-accounts/seed-instance.ts'
import { readEnv } from '#server/env.ts'
import type { CallSlotsOptions } from '#server/http/call-slots.ts'
import { start, type RunningServer } from '#server/start.ts'
import { seedCoach } from './seed-squad.ts'
import { serveFolder } from './static-server.ts'

/** The account from which every player of the bench is copied. OPERATE-7 */
const DEMO_PLAYER = 'player@demo.test'

export interface NewPlayer {
  email: string
  userId: string
  instanceId: string
}

/** One statement as the product sent it to PostgreSQL. */
export interface Statement {
  text: string
  values: unknown[]
}

/** The requests to this process and its replies. */
export interface Requests {
  product: { ask: { env: Record<string, string>; files: string; callSlots?: CallSlotsOptions }; answer: string }
  yardstick: { ask: { folder: string; productPage: string }; answer: string }
  player: { ask: object; answer: NewPlayer }
  /** makes `count` coaches, each with these players and tokens; replies with their addresses */
  coaches: { ask: { count: number; players: number; tokens: number }; answer: string[] }
  /** resident memory of the process, in bytes */
  memory: { ask: object; answer: { now: number; most: number } }
  record: { ask: object; answer: null }
  recorded: { ask: object; answer: Statement[] }
  close: { ask: object; answer: null }
}

let running: RunningServer | undefined

function product(): RunningServer {
  if (!running) throw new Error('the product is not running')
  return running
}

const answers: { [Name in keyof Requests]: (ask: Requests[Name]['ask']) => Promise<Requests[Name]['answer']> } = {
  async product({ env, files, callSlots = {} }) {
    running = await start(readEnv(env), { files, callSlots, hasDemoAccounts: true })
    return running.address
  },
  yardstick: ({ folder, productPage }) => serveFolder(folder, productPage),
  async player() {
    const { db } = product().deps
    const [demo] = await db.select().from(users).where(eq(users.emailNormal, DEMO_PLAYER))
    if (!demo) throw new Error(`${DEMO_PLAYER} is not there`)
    const [userId, email] = [randomUUID(), `player-${randomUUID()}@bench.test`]
    await db.insert(users).values({ ...demo, id: userId, email, emailNormal: email })
    const instanceId = await seedInstance(db, { userId, email, shareAnswered: 0 }, new Date())
    return { email, userId, instanceId }
  },
  async coaches({ count, players, tokens }) {
    const emails = Array.from({ length: count }, () => `coach-${randomUUID()}@bench.test`)
    for (const email of emails) await seedCoach(product().deps.db, email, players, tokens)
    return emails
  },
  async memory() {
    // Node gives the largest in KiB
    return { now: process.memoryUsage.rss(), most: process.resourceUsage().maxRSS * 1024 }
  },
  async record() {
    recorded = []
    pg.Client.prototype.query = recording as typeof original
    return null
  },
  async recorded() {
    pg.Client.prototype.query = original
    return recorded
  },
  async close() {
    await running?.close()
    return null
  },
}

let recorded: Statement[] = []
const original = pg.Client.prototype.query

function recording(this: pg.Client, ...given: unknown[]): unknown {
  const [config, values] = given as [string | { text: string; values?: unknown[] }, unknown]
  const text = typeof config === 'string' ? config : config.text
  const own = typeof config === 'string' ? undefined : config.values
  recorded.push({ text, values: Array.isArray(values) ? values : (own ?? []) })
  return Reflect.apply(original, this, given)
}

interface Message {
  id: number
  name: keyof Requests
  ask: never
}

process.on('message', ({ id, name, ask }: Message) => {
  answers[name](ask).then(
    (answer) => process.send?.({ id, answer }, () => name === 'close' && process.exit(0)),
    (error: unknown) => process.send?.({ id, error: error instanceof Error ? error.stack : String(error) }),
  )
})
// this process must end with the bench
process.on('disconnect', () => process.exit(0))
