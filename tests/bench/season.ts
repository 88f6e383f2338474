/**
 * `node tests/bench/season.ts [--players 1000000] [--saves 30]`: a season in one PostgreSQL, against an empty database in the same one:
 * saves, a coach's reads, and the erasure of one person. Every player has an instance, and `saves` answers and log rows of this month;
 * 150 are a whole assessment. What was seeded is printed, so that nobody takes a part for the whole.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { fillPath } from '#contract/endpoint.ts'
import { usersForOperator } from '#contract/users.operator.ts'
import { freePort } from '../support/free-port.ts'
import { makeCluster, postgresBinaries } from '../support/postgres.ts'
import { load } from './load.ts'
import { saveOnce, saves } from './saving.ts'
import { copyOfBuild, startProduct, type Server, type SignedIn } from './sites.ts'
import { SQUAD, timeReads } from './squad.ts'
import { median, pairedRatio } from './statistics.ts'

const CONNECTIONS = 16
const SLICE_MS = 2000
const ERASED = 10
const OPERATOR_KEY = 'an-operator-key-for-the-benchmark-alone'
const PLAYERS_OF_A_COACH = 25
/** Players seeded by one statement. */
const AT_ONCE = 50_000
const REACH = { saves: 2, reads: 1.2, erasure: 1000 }

interface Season {
  players: number
  saves: number
}

/** Without foreign keys checked row by row, and with the keys of the large tables made afterwards: the product finds the same tables. */
async function seed(url: string, { players, saves: count }: Season): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ log: string; version: string }>(
      `select 'answer_log_' || to_char(now() at time zone 'UTC', 'YYYY_MM') as log, (select content_version from instances limit 1) as version`,
    )
    const [{ log, version } = { log: '', version: '' }] = rows
    await client.query(`set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '1GB'`)
    await client.query(`alter table answer_groups drop constraint answer_groups_pk; alter table ${log} drop constraint ${log}_pk`)
    const coaches = Math.ceil(players / PLAYERS_OF_A_COACH)
    await client.query(
      `insert into users (id, email, email_normal, user_type, created_at)
       select md5('coach' || n)::uuid, 'coach' || n || '@season.test', 'coach' || n || '@season.test', 'coach', now() from generate_series(1, $1::int) n`,
      [coaches],
    )
    await client.query(
      `insert into token_balances (coach_id, total, used) select md5('coach' || n)::uuid, $2, $2 from generate_series(1, $1::int) n`,
      [coaches, PLAYERS_OF_A_COACH],
    )
    for (let from = 1; from <= players; from += AT_ONCE) {
      const range = [from, Math.min(from + AT_ONCE - 1, players)]
      await client.query(
        `insert into users (id, email, email_normal, user_type, first_name, last_name, created_at)
         select md5('player' || n)::uuid, 'player' || n || '@season.test', 'player' || n || '@season.test', 'player', 'Maya', 'Lindqvist ' || n, now()
           from generate_series($1::int, $2::int) n`,
        range,
      )
      await client.query(
        `insert into instances (id, assessment_id, content_version, user_id, email, email_normal, coach_id, status, revision, saved_at, allocated_at, started_at, created_at)
         select md5('instance' || n)::uuid, (select id from assessments limit 1), $3, md5('player' || n)::uuid, 'player' || n || '@season.test',
                'player' || n || '@season.test', md5('coach' || (n - 1) / $4 + 1)::uuid, 'IN_PROGRESS', $5, now(), now(), now(), now()
           from generate_series($1::int, $2::int) n`,
        [...range, version, PLAYERS_OF_A_COACH, count],
      )
      await client.query(
        `insert into token_ledger (coach_id, kind, amount, instance_id, at)
         select md5('coach' || (n - 1) / $3 + 1)::uuid, 'spent', 1, md5('instance' || n)::uuid, now() from generate_series($1::int, $2::int) n`,
        [...range, PLAYERS_OF_A_COACH],
      )
      await client.query(
        `insert into answer_groups (instance_id, question_id, value, revision, device, edit_order)
         select md5('instance' || n)::uuid, 's2-q' || lpad(save::text, 2, '0'), jsonb_build_object('s2-q' || lpad(save::text, 2, '0'), 'A'), save, md5('device' || n)::uuid, save
           from generate_series($1::int, $2::int) n, generate_series(1, $3::int) save`,
        [...range, count],
      )
      await client.query(
        `insert into ${log} (instance_id, operation_id, content_hash, device, revision, completion_status, groups, superseded, at, log_month)
         select md5('instance' || n)::uuid, gen_random_uuid(), md5(n || ':' || save), md5('device' || n)::uuid, save, 'IN_PROGRESS',
                json_build_array(json_build_object('questionId', 's2-q' || lpad(save::text, 2, '0'), 'value', json_build_object('s2-q' || lpad(save::text, 2, '0'), 'A'), 'revision', save, 'base', 0)),
                '[]', now(), date_trunc('month', now() at time zone 'UTC')::date
           from generate_series($1::int, $2::int) n, generate_series(1, $3::int) save`,
        [...range, count],
      )
    }
    await client.query(`alter table answer_groups add constraint answer_groups_pk primary key (instance_id, question_id)`)
    await client.query(`alter table ${log} add constraint ${log}_pk primary key (instance_id, operation_id)`)
    await client.query('vacuum analyze')
    const sizes = await client.query<{ name: string; rows: string; size: string }>(
      `select relname as name, reltuples::bigint::text as rows, pg_size_pretty(pg_total_relation_size(oid)) as size
         from pg_class where relname = any($1) order by relname`,
      [['users', 'instances', 'answer_groups', log, 'token_ledger']],
    )
    for (const { name, rows: found, size } of sizes.rows) console.log(`  ${name}: ${Number(found).toLocaleString('en')} rows, ${size}`)
  } finally {
    await client.end()
  }
}

interface Side {
  server: Server
  players: SignedIn[]
  coach: string
}

async function prepare(server: Server): Promise<Side> {
  const [email = ''] = await server.ask('coaches', SQUAD)
  const players: SignedIn[] = []
  for (let count = 0; count < CONNECTIONS; count += 1) players.push(await server.signIn())
  for (const player of players) await saveOnce(server, player, 1)
  return { server, players, coach: (await server.credentialsOf(email)).accessToken }
}

async function erase(server: Server, userId: string, email: string): Promise<number> {
  const begun = performance.now()
  const response = await fetch(`${server.address}/api/${fillPath(usersForOperator.erase.path, { userId })}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPERATOR_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  })
  if (!response.ok) throw new Error(`an erasure answered ${response.status}: ${await response.text()}`)
  return performance.now() - begun
}

/** Both sides in turns; the first two runs warm up and are not counted. */
async function interleaved(runs: number, sides: readonly Side[], measure: (side: Side) => Promise<number>): Promise<[number[], number[]]> {
  const found: [number[], number[]] = [[], []]
  for (let run = -2; run < runs; run += 1)
    for (const [at, side] of sides.entries()) {
      const value = await measure(side)
      if (run >= 0) found[at]?.push(value)
    }
  return found
}

function tell(what: string, [season, empty]: [number[], number[]], reach: number): void {
  const { median: ratio, p10, p90 } = pairedRatio(season, empty)
  const verdict = ratio <= reach ? 'reached' : 'missed'
  console.log(
    `${what}: ${median(season).toFixed(1)} ms, empty ${median(empty).toFixed(1)} ms, ${ratio.toFixed(2)} × (${p10.toFixed(2)}–${p90.toFixed(2)}; reach ${reach} ×: ${verdict})`,
  )
}

const { values } = parseArgs({
  options: {
    players: { type: 'string', default: '1000000' },
    saves: { type: 'string', default: '30' },
    runs: { type: 'string', default: '7' },
  },
})
const season: Season = { players: Number(values.players), saves: Number(values.saves) }
const runs = Number(values.runs)
const installed = await postgresBinaries()
if (installed === undefined) throw new Error('no PostgreSQL binaries are installed for this machine')
const folder = await mkdtemp(join(tmpdir(), 'touchline-season-'))
await chmod(folder, 0o755)
const cluster = await makeCluster(installed, folder, await freePort(), ['max_wal_size=8GB'])
await cluster.start()
const files = await copyOfBuild()
const servers: Server[] = []
const startOn = async (name: string) => {
  const server = await startProduct(files, { DATABASE_URL: cluster.url.replace(/\/postgres$/, `/${name}`), OPERATOR_KEY })
  servers.push(server)
  return server
}
try {
  const client = new pg.Client({ connectionString: cluster.url })
  await client.connect()
  await client.query('create database season')
  await client.query('create database empty')
  await client.end()
  // its start makes the tables
  const full = await startOn('season')
  const begun = performance.now()
  await seed(cluster.url.replace(/\/postgres$/, '/season'), season)
  console.log(`  seeded in ${((performance.now() - begun) / 1000).toFixed(0)} s; load average ${loadavg()[0]?.toFixed(1)}`)
  const sides = [await prepare(full), await prepare(await startOn('empty'))]
  const p99 = ({ server, players }: Side) =>
    load(
      server.address,
      players.map((player) => saves(player, 1)),
      SLICE_MS,
    ).then((one) => one.p99)
  tell(`p99 of a save of 1 answer, ${CONNECTIONS} connections`, await interleaved(runs, sides, p99), REACH.saves)
  const reads = ({ server, coach }: Side) => timeReads(server, coach)
  tell(`a coach's reads, a squad of ${SQUAD.players}`, await interleaved(runs, sides, reads), REACH.reads)
  const { rows: erased } = await rowsOf(`select id, email from users where email like 'player%@season.test' order by id limit ${ERASED}`)
  const times: number[] = []
  for (const { id, email } of erased) times.push(await erase(full, id, email))
  const longest = Math.max(...times)
  console.log(
    `one person erased, with ${season.saves} answers and log rows: median ${median(times).toFixed(0)} ms, longest of ${times.length} ${longest.toFixed(0)} ms (reach ${REACH.erasure} ms: ${longest <= REACH.erasure ? 'reached' : 'missed'})`,
  )
} finally {
  for (const server of servers) await server.close()
  await cluster.stop()
  await rm(folder, { recursive: true, force: true })
}

async function rowsOf(text: string): Promise<pg.QueryResult<{ id: string; email: string }>> {
  const client = new pg.Client({ connectionString: cluster.url.replace(/\/postgres$/, '/season') })
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}
