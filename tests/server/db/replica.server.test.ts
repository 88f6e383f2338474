import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#server/db/open.ts'
import type { Readiness } from '#server/health/readiness.ts'
import { engines } from '#tests/support/databases.ts'
import { freePort } from '#tests/support/free-port.ts'
import { metricsOf } from '#tests/support/metrics.ts'
import { ask, signIn, type Person } from '#tests/support/person.ts'
import { keySettings } from '#tests/operator/support.ts'
import { statementIn } from '#tests/support/postgres.ts'
import { replicated, type Replicated } from '#tests/support/replicated.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'
import { allocate, allocatedTo, coachWith, complete, openBrief, save, tokensOf } from '../instances/support.ts'

// one set for all processes
const KEYS = keySettings()
const SLOW = { timeout: 60_000 }

describe.runIf(engines.includes('postgres'))('a read replica', () => {
  let pair: Replicated
  beforeAll(async () => {
    pair = await replicated()
  }, 120_000)
  afterAll(() => pair.remove())

  /** Server processes with one set of keys, on the pair or other databases. */
  async function fleet(
    count: number,
    urls = { primary: pair.primary.url, standby: pair.standby.url },
    log: string[] = [],
  ): Promise<TestServer[]> {
    const servers: TestServer[] = []
    for (let at = 0; at < count; at += 1) {
      const env = {
        DATABASE_URL: urls.primary,
        READ_DATABASE_URL: urls.standby,
        METRICS_PORT: String(await freePort()),
        // these tests read as fast as the server replies
        READS_PER_TEN_MINUTES: '1000000',
        ...KEYS,
        PUBLIC_URL: 'http://localhost:3000',
        LOG_LEVEL: 'warn',
      }
      const server = await startServer({ location: { url: urls.primary, connections: 4 }, env, logTo: { write: (line) => log.push(line) } })
      onTestFinished(server.close)
      servers.push(server)
    }
    return servers
  }

  const readsFrom = async (server: TestServer, from: 'replica' | 'primary') =>
    (await metricsOf(server)).valueOf('touchline_coach_reads_total', { from }) ?? 0

  const partOf = async (server: TestServer) => {
    const reply = await fetch(`${server.address}/readyz`)
    return [reply.status, ((await reply.json()) as Readiness).parts.replica]
  }

  /** Reads until one of them came from the replica. */
  async function untilUsed(server: TestServer, coach: Person): Promise<void> {
    const before = await readsFrom(server, 'replica')
    const used = async () => {
      await account(server, coach)
      return (await readsFrom(server, 'replica')) > before
    }
    await expect.poll(used, SLOW).toBe(true)
  }

  /** Waits until a server has asked this database anew. */
  async function untilAsked(url: string): Promise<void> {
    const statement = `select max(query_start)::text as at from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`
    const askedAt = async () => JSON.stringify(await statementIn(url, statement))
    const before = await askedAt()
    await expect.poll(askedAt, SLOW).not.toBe(before)
  }

  /** A read that, unlike those of the whole squad, has no limit of its own. */
  const account = (server: TestServer, coach: Person) =>
    ask<{ usedTokens?: number }>(server, 'GET', `user/${coach.userId}`, { bearer: coach.accessToken })

  const pause = () => statementIn(pair.standby.url, 'select pg_wal_replay_pause()')
  const resume = () => statementIn(pair.standby.url, 'select pg_wal_replay_resume()')
  const statusesOf = async (server: TestServer, coach: Person) => (await allocatedTo(server, coach)).map(({ status }) => status)
  const unique = () => `coach${crypto.randomUUID()}@club.test`

  async function playerOf(server: TestServer, coach: Person) {
    const email = `player${crypto.randomUUID()}@club.test`
    const { body } = await allocate(server, coach, email)
    return { player: await signIn(server, email), instanceId: body.instanceId }
  }

  test('shows a coach in each process what they wrote in another, and what others did within seconds', async () => {
    const [one, other] = (await fleet(2)) as [TestServer, TestServer] // as many as asked for
    const coach = await coachWith(one, unique(), 5)
    const { player, instanceId } = await playerOf(one, coach)
    await untilUsed(other, coach)
    await pause()
    onTestFinished(async () => void (await resume()))
    // somebody else's doing: not on the replica, and so not seen as long as that is not too far behind
    await openBrief(one, player, instanceId)
    expect((await save(one, player, instanceId)).status).toBe(200)
    const since = performance.now()
    expect(await statusesOf(other, coach)).toEqual(['ALLOCATED'])
    await expect.poll(() => statusesOf(other, coach), SLOW).toEqual(['IN_PROGRESS'])
    expect(performance.now() - since).toBeLessThan(8000)
    expect(await partOf(other)).toEqual([200, 'failing'])
    // one's own is seen at once, by every read
    for (const place of [1, 2, 3]) {
      expect((await allocate(one, coach, `given${place}@club.test`)).status).toBe(201)
      expect(await allocatedTo(other, coach)).toHaveLength(1 + place)
      expect(await tokensOf(other, coach)).toMatchObject({ used: 1 + place })
    }
    await resume()
    await untilUsed(other, coach)
    expect(await partOf(other)).toEqual([200, 'ok'])
    expect(await allocatedTo(other, coach)).toHaveLength(4)
  }, 120_000)

  test('is not used for a coach whose last write it does not have yet', async () => {
    const [one, other] = (await fleet(2)) as [TestServer, TestServer] // as many as asked for
    const coach = await coachWith(one, unique(), 30)
    await untilUsed(other, coach)
    onTestFinished(async () => void (await resume()))
    for (let given = 1; given <= 30; given += 1) {
      // replay stands still while the coach writes, so that a read that went there would miss it
      if (given % 10 === 5) await pause()
      if (given % 10 === 9) await resume()
      expect((await allocate(one, coach, `squad${given}.${coach.userId}@club.test`)).status).toBe(201)
      expect(await allocatedTo(other, coach)).toHaveLength(given)
      expect((await account(other, coach)).body.usedTokens).toBe(given)
    }
  }, 120_000)

  test('is not used for an account that it does not have yet', async () => {
    const [server] = (await fleet(1)) as [TestServer] // as many as asked for
    const first = await coachWith(server, unique(), 1)
    await untilUsed(server, first)
    await pause()
    onTestFinished(async () => void (await resume()))
    const coach = await coachWith(server, unique(), 0)
    expect((await account(server, coach)).status).toBe(200)
    expect((await ask(server, 'GET', 'tokens', { bearer: coach.accessToken })).status).toBe(200)
  }, 120_000)

  test('affects no coach when it is killed, frozen or restarted', async () => {
    const [server] = (await fleet(1)) as [TestServer] // as many as asked for
    const coach = await coachWith(server, unique(), 2)
    const { player, instanceId } = await playerOf(server, coach)
    await openBrief(server, player, instanceId)
    await save(server, player, instanceId)
    await complete(server, player, instanceId)
    await untilUsed(server, coach)
    const state = { isStopped: false, wrong: [] as unknown[], slowest: 0, reads: 0 }
    const reading = [1, 2, 3].map(async () => {
      while (!state.isStopped) {
        const begun = performance.now()
        const { status, body } = await account(server, coach)
        state.reads += 1
        state.slowest = Math.max(state.slowest, performance.now() - begun)
        if (status !== 200 || body.usedTokens !== 1) state.wrong.push([status, body])
      }
    })
    const untilPrimary = async () => {
      const before = await readsFrom(server, 'primary')
      await expect.poll(async () => (await readsFrom(server, 'primary')) - before, SLOW).toBeGreaterThan(20)
    }
    await pair.standby.stop('SIGKILL')
    await untilPrimary()
    await expect.poll(() => partOf(server), SLOW).toEqual([200, 'failing'])
    await pair.standby.start()
    await untilUsed(server, coach)
    await pair.standby.freeze()
    await untilPrimary()
    await pair.standby.thaw()
    await untilUsed(server, coach)
    state.isStopped = true
    await Promise.all(reading)
    expect(state.wrong).toEqual([])
    expect(state.reads).toBeGreaterThan(100)
    // of the 60 seconds of a call here, a quarter was given to the replica
    expect(state.slowest).toBeLessThan(20_000)
  }, 240_000)

  test('is not used if it is another database of the standby, as full as the right one may be', async () => {
    // as a trial beside it would be: with all tables, and others' rows
    const ofTrial = (url: string) => url.replace(/\/postgres$/, '/trial')
    await statementIn(pair.primary.url, 'create database trial')
    const trial = await startServer({ location: { url: ofTrial(pair.primary.url), connections: 2 } })
    onTestFinished(trial.close)
    const reachesStandby = () => statementIn(ofTrial(pair.standby.url), 'select from users').then(() => true)
    await expect.poll(() => reachesStandby().catch(() => false), SLOW).toBe(true)
    const reason = 'it is a standby of the right server, but of another database: trial, where DATABASE_URL has postgres'
    const announced: string[] = []
    const replicaUrl = ofTrial(pair.standby.url)
    const announce = (line: string) => announced.push(line)
    const database = await openDatabase({ url: pair.primary.url, connections: 1 }, () => {}, { replicaUrl, announce })
    await expect.poll(() => announced.join(''), SLOW).toContain(reason)
    await database.close()
    const log: string[] = []
    const [server] = (await fleet(1, { primary: pair.primary.url, standby: replicaUrl }, log)) as [TestServer] // as many as asked for
    const coach = await coachWith(server, unique(), 3)
    await allocate(server, coach, `kept${coach.userId}@club.test`)
    await expect.poll(() => partOf(server), SLOW).toEqual([200, 'failing'])
    expect(log.join('')).toContain(reason)
    for (let polls = 1; polls <= 3; polls += 1) {
      expect(await allocatedTo(server, coach)).toHaveLength(1)
      expect(await tokensOf(server, coach)).toMatchObject({ total: 3, used: 1 })
      await untilAsked(replicaUrl)
    }
    expect(await readsFrom(server, 'replica')).toBe(0)
  }, 120_000)

  test('is not used once it is promoted, or if it missed a failover although its log is longer', async () => {
    const behind = await pair.another()
    await behind.start()
    // it has not got what comes now
    await statementIn(behind.url, 'select pg_wal_replay_pause()')
    await behind.stop('SIGQUIT')
    const [before] = (await fleet(1)) as [TestServer] // as many as asked for
    const lost = await coachWith(before, unique(), 20)
    for (let given = 1; given <= 20; given += 1) await allocate(before, lost, `lost${given}@club.test`)
    await untilUsed(before, lost)
    await before.close()
    await pair.primary.stop('SIGQUIT')
    await behind.start()
    await statementIn(behind.url, 'select pg_promote()')
    const [server] = (await fleet(1, { primary: behind.url, standby: pair.standby.url })) as [TestServer] // as many as asked for
    const coach = await coachWith(server, unique(), 3)
    for (let given = 1; given <= 3; given += 1) {
      expect((await allocate(server, coach, `kept${given}@club.test`)).status).toBe(201)
      expect(await allocatedTo(server, coach)).toHaveLength(given)
    }
    expect(await readsFrom(server, 'replica')).toBe(0)
    await expect.poll(() => partOf(server), SLOW).toEqual([200, 'failing'])
    // and the other of the pair, once it takes writes itself
    await statementIn(pair.standby.url, 'select pg_promote()')
    expect(await allocatedTo(server, coach)).toHaveLength(3)
    expect(await readsFrom(server, 'replica')).toBe(0)
  }, 240_000)
})
