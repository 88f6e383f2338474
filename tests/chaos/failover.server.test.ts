import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#server/db/open.ts'
import { balance } from '#tests/support/balancer.ts'
import { freePort } from '#tests/support/free-port.ts'
import { installation } from '#tests/support/installation.ts'
import { startCluster, type FailoverCluster, type Node } from './failover/cluster.ts'
import { startPlayers, shownTo, type Players } from './failover/players.ts'
import { Random } from './scheduler.ts'

/**
 * Two processes of the product on three nodes of PostgreSQL under Patroni, behind HAProxy, with a synchronous standby, while 200 players
 * give an answer a second each. Each round takes the lead from a node in another way; then every answer that was acknowledged in it is
 * looked up. `npm run chaos:failover` runs 25 rounds, `FAILOVERS=5` each kind once.
 */
const ROUNDS = Number(process.env['FAILOVERS'] ?? 0)
/** `FAILOVER_BY=hosts`: DATABASE_URL names the three nodes instead of HAProxy. */
const BY_HOSTS = process.env['FAILOVER_BY'] === 'hosts'
const PLAYERS = 200
/** acknowledgements before each fault, and after each recovery */
const STEADY = 1000

interface Fault {
  what: string
  cause: (leader: Node, cluster: FailoverCluster) => Promise<void>
  /** makes the node able to follow the new leader */
  recover: (node: Node) => Promise<void>
}

const nothing = async () => {}
const FAULTS: readonly Fault[] = [
  { what: 'switchover', cause: (_, cluster) => cluster.switchOver(), recover: nothing },
  { what: 'node killed by -9', cause: (leader) => leader.kill(), recover: async (node) => node.start() },
  { what: 'Patroni alone killed by -9', cause: (leader) => leader.killPatroni(), recover: async (node) => node.start() },
  { what: 'node frozen', cause: (leader) => leader.freeze(), recover: (node) => node.thaw() },
  { what: 'node cut off the network', cause: async (leader) => leader.cut(), recover: async (node) => node.restore() },
]

test.runIf(ROUNDS > 0)(
  'no acknowledged answer is lost when another node becomes the leader',
  async () => {
    const random = new Random(Number(process.env['SEED'] ?? 1))
    const cluster = await startCluster()
    const folder = await mkdtemp(join(tmpdir(), 'touchline-fleet-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const port = await freePort()
    const url = BY_HOSTS ? cluster.hostsUrl : cluster.url
    const settings = {
      DATABASE_URL: url,
      DATA_DIR: folder,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      WRITES_PER_TEN_MINUTES: '1000000',
      READS_PER_TEN_MINUTES: '1000000',
    }
    const fleet = [await installation(settings), await installation(settings)]
    for (const { start } of fleet) await start()
    const processes = fleet.map(({ address }) => address)
    const server = await balance(
      processes.map((address) => Number(new URL(address).port)),
      port,
    )
    onTestFinished(server.close)
    const { db, close } = await openDatabase({ url, connections: 2 }, () => {})
    onTestFinished(close)
    const players = await startPlayers({ address: server.address, processes, db, random, count: PLAYERS })
    console.log(`${PLAYERS} players, seed ${process.env['SEED'] ?? 1}`)

    const totals = { acknowledged: 0, lost: 0 }
    for (let round = 0; round < ROUNDS; round += 1) {
      const fault = FAULTS[round % FAULTS.length]
      if (!fault) throw new Error('there are no faults')
      await cluster.waitUntilHealthy()
      const leader = await cluster.leader()
      if (!leader) throw new Error('no node leads')
      players.play()
      const playing = performance.now()
      await waitForAnswers(players, STEADY)
      const before = players.measure()
      const began = performance.now()
      const rate = Math.round(before.acknowledged / ((began - playing) / 1000))
      await fault.cause(leader, cluster)
      await until(async () => {
        const next = await cluster.leader()
        return next !== undefined && next !== leader
      })
      const after = Math.round((performance.now() - began) / 1000)
      await waitForAnswers(players, STEADY)
      await fault.recover(leader)
      await cluster.waitUntilHealthy()
      await players.pause()
      const { acknowledged, longestGap, failures } = players.measure()
      const lost = await lostOf(players, await cluster.leader(), server.address)
      totals.acknowledged += before.acknowledged + acknowledged
      totals.lost += lost.length
      console.log(
        `round ${round + 1}: ${fault.what}, at ${rate} a second. Another node leads after ${after} s; ${before.acknowledged + acknowledged} acknowledged, ${lost.length} lost, ` +
          `longest gap ${(longestGap / 1000).toFixed(1)} s, not acknowledged: ${JSON.stringify(failures)}`,
      )
      expect(lost).toEqual([])
      expect(Object.keys(failures).filter((name) => !/^(503 \w+|no reply)$/.test(name))).toEqual([])
    }
    console.log(`${ROUNDS} rounds: ${totals.acknowledged} acknowledged, ${totals.lost} lost`)
  },
  300_000 + ROUNDS * 300_000,
)

/** Resolves after this many more acknowledgements. */
async function waitForAnswers(players: Players, count: number): Promise<void> {
  const before = players.acknowledged()
  await until(async () => players.acknowledged() >= before + count)
}

/** Looks up each acknowledged operation of the round in the leader, and what the product shows each player. */
async function lostOf({ all }: Players, leader: Node | undefined, address: string): Promise<string[]> {
  const database = new Client({ connectionString: leader?.url })
  await database.connect()
  const lost: string[] = []
  for (const player of all) {
    for (const operation of player.acknowledged.splice(0)) {
      const found = await database.query('select from answer_log where instance_id = $1 and operation_id = $2', [
        player.instanceId,
        operation,
      ])
      if (found.rowCount !== 1) lost.push(`${player.email}: operation ${operation} is stored ${found.rowCount} times`)
    }
    const shown = await shownTo(address, player)
    for (const [question, answer] of player.last)
      if (shown.get(question) !== answer) lost.push(`${player.email} is shown ${shown.get(question)} at ${question}, not ${answer}`)
  }
  await database.end()
  return lost
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(100)
}
