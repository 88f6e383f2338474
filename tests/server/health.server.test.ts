import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Readiness } from '#server/health/readiness.ts'
import { sendJob } from '#server/job-engine/engine.ts'
import { holdConnections } from '#tests/support/held-connections.ts'
import { emptyDatabase, engines } from '#tests/support/databases.ts'
import { copyDemoFolder } from '#tests/support/demo-folder.ts'
import { freePort } from '#tests/support/free-port.ts'
import { timePasses } from '#tests/support/jobs.ts'
import { ask } from '#tests/support/person.ts'
import { givenServer, startServer, type ServerOptions, type TestServer } from '#tests/support/start-server.ts'
import { allocate, coachWith } from './instances/support.ts'
import { serverWithMail } from './mailer/support.ts'
import { S3_KEYS, startFakeS3 } from './pictures/fake-s3.ts'

const WELL = { database: 'ok', schema: 'ok', writes: 'ok', jobs: 'ok', mail: 'ok', store: 'ok', clock: 'ok' }

async function readyz({ address }: { address: string }): Promise<{ code: number; found: Readiness }> {
  const reply = await fetch(`${address}/readyz`)
  return { code: reply.status, found: (await reply.json()) as Readiness }
}

async function livez({ address }: { address: string }): Promise<unknown> {
  const reply = await fetch(`${address}/livez`)
  return [reply.status, await reply.json()]
}

async function started(options: ServerOptions = {}): Promise<TestServer> {
  const server = await startServer(options)
  onTestFinished(server.close)
  return server
}

/** A server in the middle of a mail that the mail server holds, with another job that has to wait for it. */
async function busyWithAMail() {
  const { server, smtp } = await serverWithMail()
  const coach = await coachWith(server, 'coach@club.test', 1)
  smtp.hold()
  const before = smtp.tries()
  await allocate(server, coach, 'sam@club.test')
  await expect.poll(() => smtp.tries()).toBe(before + 1)
  await sendJob(server.deps.db, 'mails', { name: 'invitation' })
  return { server, smtp }
}

describe('health', () => {
  const server = givenServer()

  test('replies with the body that means "online" (OFFLINE-1)', async () => {
    const { status, body } = await ask(server, 'GET', 'health')
    expect(status).toBe(200)
    expect(body).toEqual({ status: 'ok', service: 'touchline' })
  })

  test('the probes say that the process is alive, and that every part works', async () => {
    expect(await livez(server)).toEqual([200, { status: 'alive' }])
    await expect.poll(() => readyz(server)).toEqual({ code: 200, found: { status: 'ready', parts: WELL } })
    const { headers } = await fetch(`${server.address}/readyz`, { method: 'HEAD' })
    expect([headers.get('cache-control'), headers.get('x-request-id')]).toEqual(['no-store', expect.any(String)])
    expect((await fetch(`${server.address}/readyz`, { method: 'POST' })).status).toBe(405)
  })
})

describe.each(engines)('a process (%s)', (database) => {
  test('is not ready while the database does not reply, but alive, so that it is not restarted', async () => {
    const connections = 2
    const { location, drop } = await emptyDatabase(database)
    onTestFinished(drop)
    const server = await started({ location: 'url' in location ? { ...location, connections } : location })
    const { db } = server.deps
    const release = await holdConnections(db, database === 'embedded' ? 1 : connections)
    const { code, found } = await readyz(server)
    expect([code, found.status, found.parts.database, found.parts.schema]).toEqual([503, 'not-ready', 'failing', 'failing'])
    expect(await livez(server)).toEqual([200, { status: 'alive' }])
    await release()
    expect((await readyz(server)).code).toBe(200)
  })

  test.each([
    ['a newer build upgraded', `insert into schema_migrations (name, checksum) values ('9999_next.sql', 'x')`],
    ['an older backup was restored into', `delete from schema_migrations where name = (select max(name) from schema_migrations)`],
  ])('is not ready once %s the database', async (_what, statement) => {
    const server = await started({ database })
    expect((await readyz(server)).found.status).toBe('ready')
    await server.deps.db.execute(statement)
    expect(await readyz(server)).toMatchObject({ code: 503, found: { status: 'not-ready', parts: { database: 'ok', schema: 'failing' } } })
  })

  test('says that nothing can be written while the disk is full, and stays ready for reads', async () => {
    const server = await started({ database })
    await server.deps.db.execute(
      `create function refuse() returns event_trigger language plpgsql as $$
       begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`,
    )
    await server.deps.db.execute(
      `create event trigger full_disk on ddl_command_start when tag in ('CREATE TABLE') execute function refuse()`,
    )
    await expect.poll(() => readyz(server)).toEqual({ code: 200, found: { status: 'ready', parts: { ...WELL, writes: 'failing' } } })
  })

  test('stays ready beside a newer build whose schema works with it', async () => {
    const server = await started({ database })
    await server.deps.db.execute(`insert into schema_migrations (name, checksum, works_from) values ('9999_next.sql', 'x', '0001')`)
    expect((await readyz(server)).code).toBe(200)
  })
})

test.runIf(engines.includes('postgres'))('a process that is only busy stays ready for calls', async () => {
  const { location, drop } = await emptyDatabase('postgres')
  onTestFinished(drop)
  const server = await started({ location: { ...location, connections: 2 } })
  let isOver = false
  const statements = Array.from({ length: 60 }, () => server.deps.db.execute(sql`select pg_sleep(0.1)`))
  const busy = Promise.all(statements).then(() => {
    isOver = true
  })
  const [health, ready] = await Promise.all([ask(server, 'GET', 'health'), readyz(server)])
  expect([health.status, isOver]).toEqual([503, false])
  expect(ready).toMatchObject({ code: 200, found: { status: 'ready', parts: { database: 'ok', schema: 'ok' } } })
  await busy
})

describe('parts that all processes share', () => {
  test('an unreachable mail server is reported and logged once, and leaves every process ready', async () => {
    const lines: string[] = []
    const env = { SMTP_URL: `smtp://127.0.0.1:${await freePort()}`, LOG_LEVEL: 'warn' }
    const server = await started({ env, logTo: { write: (line) => lines.push(line) } })
    await expect.poll(() => readyz(server)).toEqual({ code: 200, found: { status: 'ready', parts: { ...WELL, mail: 'failing' } } })
    await readyz(server)
    const told = lines.map((line) => JSON.parse(line) as object).filter((line) => 'part' in line)
    expect(told).toEqual([
      expect.objectContaining({ level: 40, part: 'mail', msg: 'a part fails', why: expect.stringContaining('REFUSED') }),
    ])
  })

  test('so is one that lets us in and takes no mail from us', async () => {
    const { server, smtp } = await serverWithMail()
    smtp.refuseSender()
    expect((await ask(server, 'POST', 'user/auth/initiate', { body: { email: 'ana@club.test', userTypeCode: 'player' } })).status).toBe(503)
    await expect.poll(async () => (await readyz(server)).found).toMatchObject({ status: 'ready', parts: { mail: 'failing' } })
  })

  test('so does an object store that fails', async () => {
    const s3 = await startFakeS3()
    onTestFinished(s3.close)
    s3.failWith = 500
    const names = { S3_ENDPOINT: s3.endpoint, S3_REGION: S3_KEYS.region, S3_BUCKET: S3_KEYS.bucket }
    const server = await started({
      env: { ...names, S3_ACCESS_KEY_ID: S3_KEYS.accessKeyId, S3_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey },
    })
    await expect.poll(async () => (await readyz(server)).found.parts.store, { timeout: 5000 }).toBe('failing')
    expect((await readyz(server)).code).toBe(200)
  })

  test('so do jobs that no process runs', async () => {
    const { server, smtp } = await busyWithAMail()
    await timePasses(server, 360)
    const isFailing = { status: 'ready', parts: { jobs: 'failing', mail: 'ok' } }
    await expect.poll(async () => (await readyz(server)).found, { timeout: 10_000 }).toMatchObject(isFailing)
    smtp.release()
  }, 30_000)

  test('a backlog of jobs that is being worked off is not a failure', async () => {
    const { server, smtp } = await busyWithAMail()
    // as in a database of the day before
    await server.deps.db.execute(`update jobs.job set start_after = now() - interval '1 day' where state = 'created'`)
    await expect.poll(async () => (await readyz(server)).found).toMatchObject({ status: 'ready', parts: { jobs: 'behind', mail: 'ok' } })
    smtp.release()
  }, 30_000)
})

describe('a stopping server', () => {
  test('reports that it is draining while it accepts calls, and closes the connection after each reply', async () => {
    const server = await started({ env: { DRAIN_SECONDS: '60' } })
    expect((await ask(server, 'GET', 'settings')).headers.get('connection')).toBe('keep-alive')
    void server.drain()
    expect(await readyz(server)).toMatchObject({ code: 503, found: { status: 'draining' } })
    expect(await livez(server)).toEqual([200, { status: 'alive' }])
    const { status, headers } = await ask(server, 'GET', 'settings')
    expect([status, headers.get('connection')]).toEqual([200, 'close'])
  })

  /** The program as it is started, until the test ends. */
  async function program(drainSeconds: string) {
    const folder = await mkdtemp(join(tmpdir(), 'touchline-draining-'))
    await copyDemoFolder(folder)
    const port = String(await freePort())
    const address = `http://127.0.0.1:${port}`
    const settings = { PORT: port, PUBLIC_URL: address, DATA_DIR: folder, LOG_LEVEL: 'silent', DRAIN_SECONDS: drainSeconds }
    const child = spawn(process.execPath, ['src/server/main.ts'], {
      env: { PATH: process.env['PATH'] ?? '', ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await exited
      await rm(folder, { recursive: true, force: true })
    })
    await once(child.stdout, 'data')
    const status = () => readyz({ address }).then(({ found }) => found.status)
    await expect.poll(status, { timeout: 30_000 }).toBe('ready')
    return { child, exited, status, address }
  }

  test('reports on SIGTERM that it is draining before it closes its port, and exits with 0', async () => {
    const { child, exited, status } = await program('5')
    child.kill('SIGTERM')
    await expect.poll(status, { timeout: 5000, interval: 20 }).toBe('draining')
    expect(await exited).toEqual([0, null])
  }, 60_000)

  test('replies to the calls in progress on SIGTERM, even without time for draining', async () => {
    const { child, exited, address } = await program('0')
    const tryCalls = () =>
      Array.from({ length: 20 }, () =>
        fetch(`${address}/api/settings`).then(
          ({ status }) => status,
          (error: unknown) => (error instanceof Error ? error.cause : error),
        ),
      )
    // on connections that are open, and on new ones
    expect(new Set(await Promise.all(tryCalls()))).toEqual(new Set([200]))
    const calls = tryCalls()
    child.kill('SIGTERM')
    calls.push(...tryCalls(), ...tryCalls())
    expect(new Set(await Promise.all(calls))).toEqual(new Set([200]))
    expect(await exited).toEqual([0, null])
  }, 60_000)

  test('exits with 0 at once on SIGTERM while it still waits for its database', async () => {
    const silent = createServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const connected = once(silent, 'connection')
    const url = `postgres://touchline@127.0.0.1:${(silent.address() as AddressInfo).port}/touchline`
    const child = spawn(process.execPath, ['src/server/main.ts'], {
      env: { PATH: process.env['PATH'] ?? '', DATA_DIR: await mkdtemp(join(tmpdir(), 'touchline-waiting-')), DATABASE_URL: url },
      stdio: 'ignore',
    })
    const exited = once(child, 'exit')
    onTestFinished(() => void [child.kill('SIGKILL'), silent.close()])
    await connected
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
  }, 60_000)
})

// the embedded database has this machine's clock
test.runIf(engines.includes('postgres'))('a process whose clock is an hour off says so, stays ready, and does no sweep', async () => {
  const server = await started({ database: 'postgres' })
  const { db, jobs, keys } = server.deps
  const list = async () =>
    (await ask<{ data: { lastError: string }[] }>(server, 'GET', 'job?page=1&limit=10', { bearer: keys.operatorKey })).body.data
  onTestFinished(() => void vi.useRealTimers())
  vi.setSystemTime(Date.now() + 3_600_000)
  await expect.poll(async () => (await readyz(server)).found.parts.clock).toBe('failing')
  expect((await readyz(server)).code).toBe(200)
  await db.transaction((tx) => sendJob(tx, 'sweeps', { name: 'old-replies', singletonKey: 'old-replies' }))
  jobs.wake('sweeps')
  await expect.poll(async () => (await list()).map(({ lastError }) => lastError)).toEqual(['ClocksDiffer'])
  vi.useRealTimers()
  await ask(server, 'POST', 'job/repeat', { bearer: keys.operatorKey, body: { queue: 'sweeps' } })
  await expect.poll(list).toEqual([])
})
