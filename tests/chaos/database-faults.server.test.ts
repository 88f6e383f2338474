import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { useAtOnce } from '#tests/server/db/support.ts'
import { freePort } from '#tests/support/free-port.ts'
import { ownCluster, type OwnCluster } from '#tests/support/own-cluster.ts'
import { ask } from '#tests/support/person.ts'
import type { Cluster } from '#tests/support/postgres.ts'
import { relayTo, type Relay } from '#tests/support/relay.ts'
import { engines } from '#tests/support/databases.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { beginLoad, type CallKind, type Load } from './load.ts'

/**
 * Faults of PostgreSQL while people sign in, save, complete and allocate and while transactions are open. All that the server
 * confirmed must still be stored, and the server must recover without a restart. `ROUNDS=100` runs more.
 */
const ROUNDS = Number(process.env['ROUNDS'] ?? 5)
const CONNECTIONS = 8
const CALL_SECONDS = 4
const TIMEOUT_MS = 120_000

const LIMITS = [
  'STARTS_PER_HOUR_PER_ADDRESS',
  'VERIFIES_PER_HOUR_PER_ADDRESS',
  'REFRESHES_PER_HOUR_PER_ADDRESS',
  'READS_PER_TEN_MINUTES',
  'WRITES_PER_TEN_MINUTES',
]
const MAILS = { MAILS_PER_HOUR: '10000', MAILS_PER_DAY: '10000', MAILS_PER_DAY_IN_ALL: '100000' }

const KINDS = ['connections cut', 'immediate restart', 'freeze', 'kill -9', 'failover'] as const
type Kind = (typeof KINDS)[number]

describe.runIf(engines.includes('postgres') && process.platform === 'linux')('confirmed writes survive a database fault', () => {
  let own: OwnCluster
  let primary: Cluster
  let folders: string[] = []
  let relay: Relay
  let server: TestServer
  let faults = 0
  const totals: Partial<Record<CallKind | 'refused', number>> = {}
  const uncaught: unknown[] = []
  const noteUncaught = (error: unknown) => void uncaught.push(error)

  beforeAll(async () => {
    process.on('uncaughtExceptionMonitor', noteUncaught)
    own = await ownCluster(['fsync=off', 'wal_level=replica'])
    primary = own.cluster
    await primary.start()
    relay = await relayTo(primary.url)
    server = await startServer({
      location: { url: relay.url, connections: CONNECTIONS },
      env: { CALL_TIMEOUT_SECONDS: String(CALL_SECONDS), ...MAILS, ...Object.fromEntries(LIMITS.map((name) => [name, '1000000'])) },
    })
  }, 180_000)
  afterAll(async () => {
    console.log(`${faults} faults: ${JSON.stringify(totals)}`)
    process.off('uncaughtExceptionMonitor', noteUncaught)
    await server.close()
    await relay.cut()
    await primary.stop('SIGQUIT')
    await own.remove()
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  }, 60_000)
  afterEach(() => expect(uncaught).toEqual([]))

  const statusOfHealth = async () => (await ask(server, 'GET', 'health')).status

  /** Connects to the cluster directly, not through the relay. */
  async function onPrimary<T>(doing: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({ connectionString: primary.url })
    client.on('error', () => {})
    await client.connect()
    // not awaited, because a frozen cluster never closes the connection
    return doing(client).finally(() => void client.end().catch(() => {}))
  }

  /** Causes the fault while calls wait inside their transactions for a lock that this connection holds. */
  const whileTransactionsAreOpen = (cause: (client: Client) => Promise<void>) =>
    onPrimary(async (holder) => {
      // every call writes its audit entry at the end of its transaction (audit/store.ts)
      await holder.query('begin; lock table audit_heads in exclusive mode')
      const open = `select from pg_stat_activity where wait_event_type = 'Lock' and xact_start is not null`
      await waitFor(async () => {
        // within a transaction pg_stat_activity does not change until its snapshot is cleared
        await holder.query('select pg_stat_clear_snapshot()')
        return ((await holder.query(open)).rowCount ?? 0) > 0
      }, TIMEOUT_MS / 2)
      await cause(holder)
    })

  /** Retries, because after kill -9 child processes need a moment to end. */
  async function startAgain(cluster: Cluster): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await cluster.start()
      } catch (error) {
        if (tries === 100) throw error
        await delay(100)
      }
    }
  }

  /** Starts a synchronous standby, which has every commit before it is confirmed. */
  async function startStandby(): Promise<Cluster> {
    await primary.stop()
    const folder = join(own.folder, `standby-${faults}`)
    folders.push(folder)
    const standby = await primary.standby(folder, await freePort())
    await Promise.all([primary.start(), standby.start()])
    await onPrimary(async (client) => {
      await client.query(`alter system set synchronous_standby_names = 'standby'`)
      await client.query('select pg_reload_conf()')
      await waitFor(
        async () => (await client.query(`select from pg_stat_replication where sync_state = 'sync'`)).rowCount === 1,
        TIMEOUT_MS / 2,
      )
    })
    return standby
  }

  const causeFault: Record<Kind, (load: Load, standby: Cluster | undefined) => Promise<void>> = {
    'connections cut': () =>
      whileTransactionsAreOpen(async (client) => {
        await client.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and client_port is not null',
        )
      }),
    'immediate restart': async () => {
      await whileTransactionsAreOpen(() => primary.stop('SIGQUIT'))
      await startAgain(primary)
    },
    freeze: async (load) => {
      await whileTransactionsAreOpen(() => primary.freeze())
      const before = load.refusals()
      await waitFor(() => load.refusals() > before, TIMEOUT_MS / 2)
      await primary.thaw()
    },
    'kill -9': async () => {
      await whileTransactionsAreOpen(() => primary.stop('SIGKILL'))
      await startAgain(primary)
    },
    failover: async (_, standby) => {
      if (!standby) throw new Error('there is no standby')
      await whileTransactionsAreOpen(() => primary.stop('SIGKILL'))
      primary = standby
      await onPrimary((client) => client.query('select pg_promote()'))
      relay.leadTo(primary.port)
    },
  }

  for (let round = 1; round <= ROUNDS; round += 1) {
    const kind = KINDS[(round - 1) % KINDS.length] ?? 'connections cut'
    test(`round ${round}: ${kind}`, { timeout: TIMEOUT_MS }, async () => {
      const standby = kind === 'failover' ? await startStandby() : undefined
      await waitFor(async () => (await statusOfHealth()) === 200, TIMEOUT_MS / 2)
      const load = await beginLoad(server, round)
      onTestFinished(async () => {
        await primary.thaw().catch(() => {})
        await load.end().catch(() => {})
      })
      await waitFor(() => Object.values(load.counts()).every((count) => count > 0), TIMEOUT_MS / 2)
      await causeFault[kind](load, standby)
      faults += 1
      await waitFor(async () => (await statusOfHealth()) === 200, TIMEOUT_MS / 2)
      const after = { ...load.counts() }
      // every kind of call succeeds again
      await waitFor(() => Object.entries(load.counts()).every(([deed, count]) => count > after[deed as CallKind]), TIMEOUT_MS / 2)
      expect(await load.end()).toEqual([])
      expect(load.unexpectedReplies()).toEqual([])
      await useAtOnce(server.deps.db, CONNECTIONS)
      for (const [deed, count] of Object.entries(load.counts())) totals[deed as CallKind] = (totals[deed as CallKind] ?? 0) + count
      totals.refused = (totals.refused ?? 0) + load.refusals()
    })
  }
})
