/** Saving 20 answers on PostgreSQL, 16 connections at once, against a bare handler that runs the same statements. */
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { SaveReply } from '#contract/instances.ts'
import type { BareOptions, BareStatement, Role } from './bare-handler.ts'
import type { Measured } from './figures.ts'
import { startPostgres } from './postgres.ts'
import type { Statement } from './serve.ts'
import { startProduct, type Server, type SignedIn } from './sites.ts'
import { pairedRatio, quantile, spread } from './statistics.ts'
import { CONTENT_VERSION, sections } from './yardsticks.ts'

const CONNECTIONS = 16
const ANSWERS = 20
const SLICE_MS = 3000
const WARM_UP_MS = 2000
// no other number of a save looks like it, so it can be told apart in what was recorded
const RECORDED_REVISION = 7919

/** 20 single questions, each a group of its own: the most rows that 20 answers can be. The choice changes every time. */
function bodyOf(instanceId: string, device: string, turn: number): string {
  const pairs = sections.find((section) => section.type === 'ipsative')
  const questions = pairs?.questions.slice(0, ANSWERS) ?? []
  return JSON.stringify({
    instanceId,
    responses: questions.map(({ id, options }) => ({ sectionName: pairs?.name, id, answer: options[turn % 2]?.value })),
    operation: {
      id: randomUUID(),
      device,
      contentVersion: CONTENT_VERSION,
      groups: questions.map(({ id }) => ({ questionId: id, base: 0 })),
    },
  })
}

interface Load {
  rate: number
  p99: number
}

interface Target {
  address: string
  players: SignedIn[]
  agent: Agent
  /** the n-th save of each player */
  turns: number[]
}

function post(target: Target, player: SignedIn, body: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const call = request(
      `${target.address}/api/assessment/assessment-instance/responses`,
      {
        method: 'POST',
        agent: target.agent,
        headers: {
          authorization: `Bearer ${player.credentials.accessToken}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      },
    )
    call.on('error', reject)
    call.end(body)
  })
}

async function load(target: Target, milliseconds: number): Promise<Load> {
  const started = performance.now()
  const latencies: number[] = []
  const connection = async (player: SignedIn, at: number) => {
    const device = player.userId
    while (performance.now() - started < milliseconds) {
      const turn = target.turns[at] ?? 0
      target.turns[at] = turn + 1
      const body = bodyOf(player.instanceId, device, turn)
      const begun = performance.now()
      const { status, text } = await post(target, player, body)
      latencies.push(performance.now() - begun)
      if (status !== 200) throw new Error(`a save answered ${status}: ${text}`)
    }
  }
  await Promise.all(target.players.map(connection))
  const seconds = (performance.now() - started) / 1000
  return { rate: latencies.length / seconds, p99: quantile(latencies, 0.99) }
}

function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>
}

function sessionOf(player: SignedIn): string {
  return String(claimsOf(player.credentials.accessToken)['sid'])
}

const MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/

function replayable(statements: readonly Statement[], player: SignedIn, operation: string): BareStatement[] {
  const roles = new Map<unknown, Role>([
    [player.instanceId, 'instance'],
    [player.userId, 'user'],
    [sessionOf(player), 'session'],
    [operation, 'operation'],
    [RECORDED_REVISION, 'revision'],
    [String(RECORDED_REVISION), 'revision'],
  ])
  const roleOf = (value: unknown): Role => roles.get(value) ?? (typeof value === 'string' && MOMENT.test(value) ? 'now' : 'constant')
  return statements.map(({ text, values }) => ({ text, values: values.map((value) => ({ role: roleOf(value), value })) }))
}

async function recordOneSave(server: Server): Promise<{ statements: Statement[]; bare: BareStatement[]; reply: SaveReply }> {
  const player = await server.signIn({ revision: RECORDED_REVISION })
  const target: Target = { address: server.address, players: [player], agent: new Agent(), turns: [0] }
  const body = bodyOf(player.instanceId, player.userId, 0)
  await server.ask('record', {})
  const { status, text } = await post(target, player, body)
  const statements = await server.ask('recorded', {})
  if (status !== 200) throw new Error(`the recorded save answered ${status}: ${text}`)
  const { operation } = JSON.parse(body) as { operation: { id: string } }
  return { statements, bare: replayable(statements, player, operation.id), reply: JSON.parse(text) as SaveReply }
}

async function startBare(options: BareOptions): Promise<{ address: string; end: () => void }> {
  const child = fork(fileURLToPath(new URL('./bare-handler.ts', import.meta.url)))
  child.send(options)
  const [address] = (await once(child, 'message')) as [AddressInfo]
  return { address: `http://127.0.0.1:${address.port}`, end: () => void child.kill() }
}

export async function measureSaving(files: string, runs: number): Promise<Measured[]> {
  const postgres = await startPostgres()
  let server: Server | undefined
  let endBare: (() => void) | undefined
  try {
    server = await startProduct(files, { DATABASE_URL: postgres.url, DATABASE_CONNECTIONS: String(CONNECTIONS) })
    const { statements, bare, reply } = await recordOneSave(server)
    const players: SignedIn[] = []
    for (let count = 0; count < 2 * CONNECTIONS; count += 1) players.push(await server.signIn())
    const target = (address: string, own: SignedIn[]): Target => ({
      address,
      players: own,
      agent: new Agent({ keepAlive: true, maxSockets: CONNECTIONS }),
      turns: own.map(() => 0),
    })
    const owners = Object.fromEntries(players.map((player) => [player.instanceId, { user: player.userId, session: sessionOf(player) }]))
    const yardstick = await startBare({ databaseUrl: postgres.url, connections: CONNECTIONS, statements: bare, owners, reply })
    endBare = yardstick.end
    const ours = target(server.address, players.slice(0, CONNECTIONS))
    const others = target(yardstick.address, players.slice(CONNECTIONS))

    const own: Load[] = []
    const plain: Load[] = []
    await load(ours, WARM_UP_MS)
    await load(others, WARM_UP_MS)
    for (let run = 0; run < runs; run += 1) {
      own.push(await load(ours, SLICE_MS))
      plain.push(await load(others, SLICE_MS))
    }
    ours.agent.destroy()
    others.agent.destroy()
    return [...comparisons(own, plain), tripsOf(statements)]
  } finally {
    endBare?.()
    await server?.close()
    await postgres.end()
  }
}

function comparisons(own: Load[], plain: Load[]): Measured[] {
  const row = (key: string, of: (load: Load) => number, unit: string): Measured => {
    const [ours, others] = [own.map(of), plain.map(of)]
    const text = (values: number[]) => `${spread(values).median.toFixed(unit === 'ms' ? 1 : 0)} ${unit}`
    return { key, value: pairedRatio(ours, others), ours: text(ours), yardstick: `bare ${text(others)}`, detail: { ours, bare: others } }
  }
  return [row('save-rate', (one) => one.rate, 'requests/s'), row('save-p99', (one) => one.p99, 'ms')]
}

/** Each call of the client is one round trip: parse, bind, execute and sync travel together. */
function tripsOf(statements: readonly Statement[]): Measured {
  const texts = statements.map(({ text }) => text.replaceAll(/\s+/g, ' ').trim())
  return {
    key: 'save-trips',
    value: spread([texts.length]),
    ours: `${texts.length} round trips, ${texts.length} statements`,
    detail: texts,
  }
}
