/**
 * The server on PostgreSQL with its default settings, 16 connections at once: saving against `bare-pg` (one upsert of the
 * batch), what a save writes, and the questionnaire as a browser asks for it.
 */
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { BarePgOptions } from './bare-pg.ts'
import type { Measured } from './figures.ts'
import { askOnce, load, type Load, type Request, type Turn } from './load.ts'
import { startPostgres } from './postgres.ts'
import type { Statement } from './serve.ts'
import { startProduct, type Server, type SignedIn } from './sites.ts'
import { pairedRatio, spread } from './statistics.ts'
import { CONTENT_VERSION, sections } from './yardsticks.ts'

const CONNECTIONS = 16
const SLICE_MS = 2000
const WARM_UP_MS = 2000
const WAL_SAVES = 30

/** `count` single questions, each its own group, which makes the most rows. The choice changes every time. */
function bodyOf(instanceId: string, device: string, count: number, turn: number): string {
  const pairs = sections.find((section) => section.type === 'ipsative')
  const questions = pairs?.questions.slice(0, count) ?? []
  if (questions.length < count) throw new Error(`the questionnaire has no ${count} single questions`)
  return JSON.stringify({
    instanceId,
    responses: questions.map(({ id, options }) => ({ sectionName: pairs?.name, id, answer: options[turn % 2]?.value })),
    operation: {
      id: randomUUID(),
      device,
      contentVersion: CONTENT_VERSION,
      groups: questions.map(({ id }) => ({ questionId: id, base: turn })),
    },
  })
}

const bearerOf = ({ credentials }: SignedIn) => ({ authorization: `Bearer ${credentials.accessToken}` })

function saveOf(player: SignedIn, body: string): Request {
  return { method: 'POST', path: '/api/assessment/assessment-instance/responses', headers: bearerOf(player), body }
}

/** One save of a player after another, as a phone sends them; each changes something. */
export function saves(player: SignedIn, count: number): Turn {
  let turn = 1
  return () => saveOf(player, bodyOf(player.instanceId, player.userId, count, turn++))
}

/** The statements that one more save of a player sends to PostgreSQL. */
async function recordOneSave(server: Server, count: number): Promise<readonly Statement[]> {
  const player = await server.signIn()
  await saveOnce(server, player, count)
  await server.ask('record', {})
  const { status } = await askOnce(server.address, saveOf(player, bodyOf(player.instanceId, player.userId, count, 1)))
  const statements = await server.ask('recorded', {})
  if (status !== 200) throw new Error(`the recorded save answered ${status}`)
  return statements
}

/** The first save, because it creates the rows that all others change. */
export async function saveOnce(server: Server, player: SignedIn, count: number): Promise<void> {
  const { status, body } = await askOnce(server.address, saveOf(player, bodyOf(player.instanceId, player.userId, count, 0)))
  if (status !== 200) throw new Error(`a first save answered ${status}: ${body.toString()}`)
}

interface Floor {
  address: string
  end: () => void
}

async function startFloor(options: BarePgOptions): Promise<Floor> {
  const child = fork(fileURLToPath(new URL('./bare-pg.ts', import.meta.url)))
  child.send(options)
  const [address] = (await once(child, 'message')) as [AddressInfo]
  return { address: `http://127.0.0.1:${address.port}`, end: () => void child.kill() }
}

export async function measureServer(files: string, runs: number): Promise<Measured[]> {
  const postgres = await startPostgres()
  let floor: Floor | undefined
  let server: Server | undefined
  try {
    server = await startProduct(files, { DATABASE_URL: postgres.url, DATABASE_CONNECTIONS: String(CONNECTIONS) })
    const statements = await recordOneSave(server, 20)
    const players: SignedIn[] = []
    for (let count = 0; count < CONNECTIONS; count += 1) players.push(await server.signIn())
    for (const player of players) await saveOnce(server, player, 20)
    floor = await startFloor({ databaseUrl: postgres.url, connections: CONNECTIONS })

    const rows: Measured[] = [tripsOf(statements)]
    for (const count of [20, 1]) {
      const turns = () => players.map((player) => saves(player, count))
      const [ours, least] = await interleaved(runs, [
        { address: server.address, turns: turns() },
        { address: floor.address, turns: turns() },
      ])
      rows.push(compared(`save-${count}`, ours, least, 'rate'))
      if (count === 20) rows.push(compared('save-p99', ours, least, 'p99'))
    }
    rows.push(await measureWal(server.address, floor.address, players, postgres.url))
    rows.push(await measureQuestionnaire(server.address, players, runs))
    rows.push(await measureSignInStart(server.address, runs))
    rows.push(await measureBesideStorm(server.address, players, runs))
    return rows
  } finally {
    floor?.end()
    await server?.close()
    await postgres.end()
  }
}

interface Target {
  address: string
  turns: Turn[]
}

/** Runs the targets in turns, so that the n-th runs of both had the same conditions. */
async function interleaved(runs: number, targets: [Target, Target]): Promise<[Load[], Load[]]> {
  const loads: [Load[], Load[]] = [[], []]
  for (const { address, turns } of targets) await load(address, turns, WARM_UP_MS)
  for (let run = 0; run < runs; run += 1)
    for (const [at, { address, turns }] of targets.entries()) loads[at]?.push(await load(address, turns, SLICE_MS))
  return loads
}

function compared(key: string, own: Load[], other: Load[], what: 'rate' | 'p99'): Measured {
  const [ours, others] = [own, other].map((loads) => loads.map((one) => one[what])) as [number[], number[]] // one of each
  const text = (values: number[]) => `${spread(values).median.toFixed(what === 'p99' ? 1 : 0)} ${what === 'p99' ? 'ms' : 'a second'}`
  return { key, value: pairedRatio(ours, others), ours: text(ours), yardstick: `bare-pg ${text(others)}`, detail: { own, other } }
}

/** Bytes of the write-ahead log for a save of 30 answers, over so many saves that other writes do not matter. */
async function measureWal(address: string, floor: string, players: SignedIn[], databaseUrl: string): Promise<Measured> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const position = async () => {
    const { rows } = await client.query<{ at: string }>(`select (pg_current_wal_lsn() - '0/0')::text as at`)
    return Number(rows[0]?.at)
  }
  const kilobytesOf = async (target: string) => {
    const turns = players.map((player) => saves(player, WAL_SAVES))
    await load(target, turns, WARM_UP_MS)
    const before = await position()
    const { rate } = await load(target, turns, SLICE_MS)
    return ((await position()) - before) / ((rate * SLICE_MS) / 1000) / 1000
  }
  try {
    const [ours, least] = [await kilobytesOf(address), await kilobytesOf(floor)]
    const text = (kilobytes: number) => `${kilobytes.toFixed(1)} KB`
    return { key: 'save-wal', value: spread([ours]), ours: text(ours), yardstick: `bare-pg ${text(least)}` }
  } finally {
    await client.end()
  }
}

/** The request with which a browser opens the questionnaire, with its headers. */
async function measureQuestionnaire(address: string, players: SignedIn[], runs: number): Promise<Measured> {
  const turns = players.map((player): Turn => {
    const headers = { ...bearerOf(player), accept: 'application/json', 'accept-language': 'en', 'accept-encoding': 'gzip, deflate, br' }
    const request: Request = { method: 'GET', path: `/api/assessment/assessment-instance/${player.instanceId}?sections=none`, headers }
    return () => request
  })
  await load(address, turns, WARM_UP_MS)
  const loads: Load[] = []
  for (let run = 0; run < runs; run += 1) loads.push(await load(address, turns, SLICE_MS))
  const rates = loads.map(({ rate }) => rate)
  return { key: 'questionnaire', value: spread(rates), ours: `${spread(rates).median.toFixed(0)} a second`, detail: loads }
}

const STARTS = 20

/** People begin to sign in one after another, so that the mail of the previous one has been sent. */
async function measureSignInStart(address: string, runs: number): Promise<Measured> {
  const times: number[] = []
  for (let count = 0; count < runs * STARTS; count += 1) {
    const body = JSON.stringify({ email: `start-${count}@bench.test`, userTypeCode: 'player' })
    const begun = performance.now()
    const { status } = await askOnce(address, { method: 'POST', path: '/api/user/auth/initiate', body })
    times.push(performance.now() - begun)
    if (status !== 200) throw new Error(`a start answered ${status}`)
    // this read waits until the mailbox has the mail
    await askOnce(address, { method: 'GET', path: '/dev/mail.json?to=start@bench.test' })
  }
  return { key: 'sign-in-start', value: spread(times), ours: `${spread(times).median.toFixed(1)} ms`, detail: times }
}

const STORM_CONNECTIONS = 8

/** How much an account that saves as fast as it can slows down another one. */
async function measureBesideStorm(address: string, [one, other]: SignedIn[], runs: number): Promise<Measured> {
  if (!one || !other) throw new Error('a storm needs two players')
  const turn = saves(one, 1)
  const storm = Array.from({ length: STORM_CONNECTIONS }, () => saves(other, 1))
  const [beside, alone]: [number[], number[]] = [[], []]
  for (let run = 0; run < runs; run += 1) {
    alone.push((await load(address, [turn], SLICE_MS)).p50)
    const [own] = await Promise.all([load(address, [turn], SLICE_MS), load(address, storm, SLICE_MS)])
    beside.push(own.p50)
  }
  const text = (values: number[]) => `${spread(values).median.toFixed(1)} ms`
  return { key: 'save-beside-storm', value: pairedRatio(beside, alone), ours: text(beside), yardstick: `alone ${text(alone)}` }
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
