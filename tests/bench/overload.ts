/**
 * `node tests/bench/overload.ts [--seconds 20] [--times 4]`: the server on PostgreSQL in its own process, first with the calls that it
 * can do, then with several times as many, with and without its slots (http/call-slots.ts). Calls come when they are due, whatever became
 * of those before them, as from people who do not know of each other; each is timed from when it was due.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { CallSlotsOptions } from '#server/http/call-slots.ts'
import { Connection, load, type Request } from './load.ts'
import { startPostgres } from './postgres.ts'
import { startProduct, type Server, type SignedIn } from './sites.ts'
import { quantile } from './statistics.ts'

const PLAYERS = 200
const CAPACITY_CONNECTIONS = 64
/** Of what it can do: so little that calls hardly wait for each other. */
const CALM_SHARE = 0.25
const TICK_MS = 2
/** Longer than a call waits for its slot, so that its connection is free again. */
const WAIT_SECONDS = 1.5
const OPEN_AT_ONCE = 50
/** Fewer than the server takes (http/socket-limits.ts). */
const CONNECTIONS_MAXIMUM = 6000

/** Of a hundred calls. */
const MIX = { save: 40, profile: 30, list: 30 }
type Kind = keyof typeof MIX

interface Reply {
  kind: Kind
  status: number
  ms: number
}

/** The calls of many players, in turn, so that no limit of an account is met. */
function callsOf(players: readonly SignedIn[]): () => { kind: Kind; request: Request } {
  let count = 0
  const kinds = Object.entries(MIX).flatMap(([kind, share]) => Array.from({ length: share }, () => kind as Kind))
  return () => {
    count += 1
    const player = players[count % players.length] as SignedIn // of at least one
    // 37 and 100 have no common divisor, so the kinds are mixed
    const kind = kinds[(count * 37) % kinds.length] as Kind
    const headers = { authorization: `Bearer ${player.credentials.accessToken}` }
    return { kind, request: { headers, ...requestOf(kind, player, count) } }
  }
}

function requestOf(kind: Kind, { userId, instanceId }: SignedIn, count: number): Pick<Request, 'method' | 'path' | 'body'> {
  if (kind === 'profile') return { method: 'GET', path: `/api/user/${userId}` }
  if (kind === 'list') return { method: 'GET', path: `/api/assessment/assessment-instance?userId=${userId}` }
  const responses = [{ sectionName: 'Section2', id: 's2-q01', answer: count % 2 ? 'A' : 'B' }]
  return { method: 'POST', path: '/api/assessment/assessment-instance/responses', body: JSON.stringify({ instanceId, responses }) }
}

/** As a proxy has them after a while. */
async function openConnections(address: string, count: number): Promise<Connection[]> {
  const opened: Connection[] = []
  while (opened.length < count) {
    const some = Array.from({ length: Math.min(OPEN_AT_ONCE, count - opened.length) }, () => new Connection(address))
    await Promise.all(some.map((one) => one.ask({ method: 'GET', path: '/livez' })))
    opened.push(...some)
  }
  return opened
}

/** So many calls a second, for so long; resolves once all have their replies. */
async function come(address: string, rate: number, seconds: number, next: ReturnType<typeof callsOf>): Promise<Reply[]> {
  const free = await openConnections(address, Math.min(Math.ceil(rate * WAIT_SECONDS), CONNECTIONS_MAXIMUM))
  const all = [...free]
  const replies: Promise<Reply>[] = []
  const begun = performance.now()
  const ask = async (due: number): Promise<Reply> => {
    const { kind, request } = next()
    let connection = free.pop()
    if (!connection) all.push((connection = new Connection(address)))
    const { status } = await connection.ask(request).catch(() => ({ status: 0 }))
    if (status !== 0) free.push(connection)
    return { kind, status, ms: performance.now() - due }
  }
  for (let count = 0; count < rate * seconds;) {
    const due = (performance.now() - begun) / 1000
    for (; count < Math.min(due, seconds) * rate; count += 1) replies.push(ask(begun + (count / rate) * 1000))
    await delay(TICK_MS)
  }
  const outcomes = await Promise.all(replies)
  for (const connection of all) connection.close()
  return outcomes
}

function tell(title: string, replies: readonly Reply[], seconds: number): void {
  console.log(`\n${title}`)
  for (const kind of ['all', ...Object.keys(MIX)]) {
    const own = replies.filter((one) => kind === 'all' || one.kind === kind)
    const accepted = own.filter(({ status }) => status === 200).map(({ ms }) => ms)
    const refused = own.filter(({ status }) => status === 503).map(({ ms }) => ms)
    const others = own.length - accepted.length - refused.length
    const [p50, p99, most] = [0.5, 0.99, 1].map((share) => quantile(accepted, share).toFixed(0))
    console.log(
      `  ${kind.padEnd(8)} ${(own.length / seconds).toFixed(0)} a second came; accepted ${(accepted.length / seconds).toFixed(0)} a second: p50 ${p50}, p99 ${p99}, longest ${most} ms; refused ${refused.length} (p50 ${quantile(refused, 0.5).toFixed(0)} ms)${others > 0 ? `; failed ${others}` : ''}`,
    )
  }
}

interface Setup {
  url: string
  files: string
}

async function withServer(
  setup: Setup,
  callSlots: CallSlotsOptions,
  run: (server: Server, next: ReturnType<typeof callsOf>) => Promise<void>,
) {
  const server = await startProduct(setup.files, { DATABASE_URL: setup.url }, callSlots)
  try {
    const players: SignedIn[] = []
    for (let count = 0; count < PLAYERS; count += 1) players.push(await server.signIn())
    const next = callsOf(players)
    await load(
      server.address,
      Array.from({ length: 16 }, () => () => next().request),
      3000,
    )
    await run(server, next)
  } finally {
    await server.close()
  }
}

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '20' }, times: { type: 'string', default: '4' } } })
const [seconds, times] = [Number(values.seconds), Number(values.times)]
const postgres = await startPostgres()
const files = await mkdtemp(join(tmpdir(), 'touchline-bench-'))
const setup = { url: postgres.url, files: `${files}/` }
console.log(`load average at the start ${loadavg()[0]?.toFixed(1)}`)
let capacity = 0
try {
  await withServer(setup, {}, async ({ address }, next) => {
    const turns = Array.from({ length: CAPACITY_CONNECTIONS }, () => () => next().request)
    const { rate, p50, p99 } = await load(address, turns, 5000)
    capacity = rate
    console.log(
      `it can do ${rate.toFixed(0)} calls a second (${CAPACITY_CONNECTIONS} at once: p50 ${p50.toFixed(0)}, p99 ${p99.toFixed(0)} ms)`,
    )
    tell('a quarter of what it can do', await come(address, capacity * CALM_SHARE, seconds / 2, next), seconds / 2)
    tell(`${times} times what it can do`, await come(address, capacity * times, seconds, next), seconds)
    tell('a quarter of it, at once afterwards', await come(address, capacity * CALM_SHARE, 5, next), 5)
  })
  const everybody = { count: Number.MAX_SAFE_INTEGER, asking: Number.MAX_SAFE_INTEGER }
  await withServer(setup, everybody, async ({ address }, next) => {
    tell(`${times} times what it can do, all let in`, await come(address, capacity * times, seconds, next), seconds)
  })
} finally {
  await postgres.end()
  await rm(files, { recursive: true, force: true })
}
