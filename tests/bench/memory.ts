/**
 * `node tests/bench/memory.ts [--minutes 60] [--rate 50]`: resident memory of the server under so many calls a second, once on PostgreSQL
 * and once with its embedded database, side by side. Reach: 250 MB and 500 MB.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Connection, type Request } from './load.ts'
import { startPostgres } from './postgres.ts'
import { copyOfBuild, startProduct, type Server, type SignedIn } from './sites.ts'

const PLAYERS = 16
/** An access token lasts for 15 minutes. */
const ROUND_MINUTES = 5
const MB = 1_000_000

/** Of ten calls five save, three read the questionnaire and two the dashboard. */
function requestOf({ userId, instanceId, credentials }: SignedIn, count: number): Request {
  const headers = { authorization: `Bearer ${credentials.accessToken}` }
  const kind = count % 10
  if (kind < 2) return { headers, method: 'GET', path: `/api/assessment/assessment-instance?userId=${userId}` }
  if (kind < 5) return { headers, method: 'GET', path: `/api/assessment/assessment-instance/${instanceId}?sections=none` }
  const responses = [{ sectionName: 'Section2', id: `s2-q0${1 + (count % 9)}`, answer: count % 2 ? 'A' : 'B' }]
  return { headers, method: 'POST', path: '/api/assessment/assessment-instance/responses', body: JSON.stringify({ instanceId, responses }) }
}

/** Each player calls, waits, and calls again, so that all together come to `rate` calls a second. Resolves to how many were made. */
async function callFor(server: Server, players: readonly SignedIn[], minutes: number, rate: number): Promise<number> {
  const end = performance.now() + minutes * 60_000
  const every = (1000 * players.length) / rate
  const counts = await Promise.all(
    players.map(async (player) => {
      const connection = new Connection(server.address)
      let count = 0
      for (let due = performance.now(); due < end; due += every) {
        await delay(Math.max(0, due - performance.now()))
        const request = requestOf(player, count++)
        const { status, body } = await connection.ask(request)
        if (status !== 200) throw new Error(`${request.method} ${request.path} answered ${status}: ${body.toString()}`)
      }
      connection.close()
      return count
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

async function tell(name: string, server: Server, reach: number, minutes: number, rate: number): Promise<void> {
  let made = 0
  for (let passed = 0; passed < minutes; passed += ROUND_MINUTES) {
    const players: SignedIn[] = []
    for (let count = 0; count < PLAYERS; count += 1) players.push(await server.signIn())
    made += await callFor(server, players, Math.min(ROUND_MINUTES, minutes - passed), rate)
    const { now, most } = await server.ask('memory', {})
    const verdict = now <= reach * MB ? 'reached' : 'missed'
    console.log(
      `${name}, after ${Math.min(passed + ROUND_MINUTES, minutes)} min and ${made} calls: ${(now / MB).toFixed(0)} MB, at most ${(most / MB).toFixed(0)} MB (reach ${reach} MB: ${verdict})`,
    )
  }
}

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' }, rate: { type: 'string', default: '50' } } })
const [minutes, rate] = [Number(values.minutes), Number(values.rate)]
console.log(`load average at the start ${loadavg()[0]?.toFixed(1)}`)
const files = await copyOfBuild()
const postgres = await startPostgres()
const folder = await mkdtemp(join(tmpdir(), 'touchline-bench-'))
const servers: Server[] = []
try {
  const own = await startProduct(files, { DATABASE_URL: postgres.url })
  servers.push(own)
  const embedded = await startProduct(files, { DATA_DIR: folder })
  servers.push(embedded)
  await Promise.all([tell('PostgreSQL', own, 250, minutes, rate), tell('embedded', embedded, 500, minutes, rate)])
} finally {
  for (const server of servers) await server.close()
  await postgres.end()
  await rm(folder, { recursive: true, force: true })
}
