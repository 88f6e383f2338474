import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { ask, signIn } from '#tests/support/person.ts'
import { emptyDatabase, engines } from '#tests/support/databases.ts'
import { startServer } from '#tests/support/start-server.ts'
import { freePort } from '#tests/support/free-port.ts'
import { relayTo } from '#tests/support/relay.ts'
import { poolTo } from '#tests/support/postgres.ts'

const MAIN = fileURLToPath(new URL('../../../src/server/main.ts', import.meta.url))
const MIGRATIONS = fileURLToPath(new URL('../../../src/server/db/migrations/', import.meta.url))

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchline-test-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The program itself, in a process of its own. */
async function runMain(env: Record<string, string>) {
  const child = spawn(process.execPath, [MAIN], { env: { PATH: process.env['PATH'] ?? '', ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)))
  const exited = once(child, 'exit') as Promise<[number | null]>
  const listening = new Promise<void>((resolve) => child.stdout.on('data', () => text.includes('listens on') && resolve()))
  await Promise.race([exited, listening])
  return { child, exited, text: () => text }
}

describe('the embedded folder', () => {
  test('INPUT-71: a second server refuses to start and names the lock; kill -9 releases the lock and loses nothing', async () => {
    const port = String(await freePort())
    const env = { DATA_DIR: join(folder, 'data'), PORT: port, LOG_LEVEL: 'error' }
    const first = await runMain(env)
    expect(first.text()).toContain('player.done@demo.test')
    expect(first.text()).toContain('not a power cut')

    const second = await runMain({ ...env, PORT: String(await freePort()) })
    expect(await second.exited).toEqual([1, null])
    expect(second.text()).toContain('lock.sqlite')

    const server = { address: `http://127.0.0.1:${port}` }
    const started = await ask<{ session: string }>(server, 'POST', 'user/auth/initiate', {
      body: { email: 'kept@club.test', userTypeCode: 'player' },
    })
    const mailbox = await fetch(`${server.address}/dev/mail.json?to=kept@club.test`)
    const [mail] = (await mailbox.json()) as { text: string }[]
    const otp = /\d{8}/.exec(mail?.text ?? '')?.[0]
    const verified = await ask<{ accessToken: string }>(server, 'POST', 'user/auth/verify-otp', {
      body: { session: started.body.session, email: 'kept@club.test', otp },
    })
    expect(verified.status).toBe(200)
    first.child.kill('SIGKILL')
    await first.exited

    const third = await runMain(env)
    // the same keys, the same session, the same data
    const list = await ask(server, 'GET', 'assessment/assessment-instance', { bearer: verified.body.accessToken })
    expect(list.status).toBe(200)
    third.child.kill('SIGTERM')
    expect(await third.exited).toEqual([0, null])
  }, 180_000)
})

describe.each(engines)('migrations (%s)', (engine) => {
  test('INPUT-72: one that was changed after it ran, or is unknown, stops the start', async () => {
    const { location, drop } = await emptyDatabase(engine)
    const { db, close } = await openDatabase(location, () => {})
    await migrate(db)
    await migrate(db)
    const copy = join(folder, `migrations-${engine}`)
    await cp(MIGRATIONS, copy, { recursive: true })
    const first = (await readdir(copy)).find((name) => name.endsWith('.sql')) ?? ''
    await writeFile(join(copy, first), `${await readFile(join(copy, first), 'utf8')}\n-- changed`)
    await expect(migrate(db, pathToFileURL(`${copy}/`))).rejects.toThrow(`${first} was changed`)
    await rm(join(copy, first))
    await expect(migrate(db, pathToFileURL(`${copy}/`))).rejects.toThrow('newer build')
    await close()
    await drop()
  })

  test('one of a newer build lets the older builds start that it names as compatible, and stops earlier ones', async () => {
    const { location, drop } = await emptyDatabase(engine)
    const { db, withoutTimeouts, close } = await openDatabase(location, () => {})
    await migrate(withoutTimeouts)
    const newest =
      (await readdir(MIGRATIONS))
        .filter((name) => name.endsWith('.sql'))
        .toSorted()
        .at(-1) ?? ''
    const number = newest.slice(0, 4)
    const copy = join(folder, `newer-${engine}`)
    await cp(MIGRATIONS, copy, { recursive: true })
    await writeFile(join(copy, '9000_adds.sql'), `-- still works with builds from: ${number}\ncreate table added (id int);`)
    expect(await migrate(withoutTimeouts, pathToFileURL(`${copy}/`))).toEqual([])
    expect(await migrate(withoutTimeouts)).toEqual(['9000_adds.sql'])
    // a build from before the one it names
    const before = join(folder, `before-${engine}`)
    await cp(MIGRATIONS, before, { recursive: true })
    await rm(join(before, newest))
    await expect(migrate(withoutTimeouts, pathToFileURL(`${before}/`))).rejects.toThrow('is unknown here')
    await db.execute(`delete from schema_migrations where name = '${newest}'`)
    await expect(migrate(withoutTimeouts, pathToFileURL(`${before}/`))).rejects.toThrow('9000_adds.sql is unknown here')
    await close()
    await drop()
  })

  test('a database of an earlier build gets the column for compatible builds', async () => {
    const { location, drop } = await emptyDatabase(engine)
    const { db, withoutTimeouts, close } = await openDatabase(location, () => {})
    await migrate(withoutTimeouts)
    await db.execute('alter table schema_migrations drop column works_from')
    expect(await migrate(withoutTimeouts)).toEqual([])
    const { rows } = await db.execute('select works_from from schema_migrations limit 1')
    expect(rows).toEqual([{ works_from: null }])
    await close()
    await drop()
  })

  test('one that fails is rolled back completely', async () => {
    const { location, drop } = await emptyDatabase(engine)
    const { db, close } = await openDatabase(location, () => {})
    const copy = join(folder, `failing-${engine}`)
    await cp(MIGRATIONS, copy, { recursive: true })
    await writeFile(join(copy, '9999_wrong.sql'), 'create table half (id int);--> statement-breakpoint\nselect nonsense from nowhere;')
    await expect(migrate(db, pathToFileURL(`${copy}/`))).rejects.toThrow()
    const { rows } = await db.execute<{ found: string | null }>(`select to_regclass('half')::text as found`)
    expect(rows[0]?.found).toBeNull()
    await close()
    await drop()
  })
})

describe.runIf(engines.includes('postgres'))('a migration that meets a locked table', () => {
  test('is retried while the table is locked, without blocking other queries, and may take longer than a call', async () => {
    const { location, drop } = await emptyDatabase('postgres')
    if (!('url' in location)) throw new Error('no address')
    const { db, withoutTimeouts, close } = await openDatabase(location, () => {}, { callSeconds: 1 })
    await migrate(withoutTimeouts)
    const copy = join(folder, 'locked')
    await cp(MIGRATIONS, copy, { recursive: true })
    await writeFile(join(copy, '9000_alters.sql'), 'alter table users add column extra int;--> statement-breakpoint\nselect pg_sleep(2);')
    const other = poolTo(location.url, 1)
    await other.query('begin')
    await other.query('select * from users')
    const migrating = migrate(withoutTimeouts, pathToFileURL(`${copy}/`))
    const waiting = `select 1 from pg_locks where not granted and mode = 'AccessExclusiveLock'`
    while ((await other.query(waiting)).rowCount === 0);
    // this query waits behind the migration, which gives up its lock request after a second
    while (
      await db.execute('select from users').then(
        () => false,
        () => true,
      )
    );
    await other.query('rollback')
    await migrating
    const { rows } = await db.execute('select extra from users')
    expect(rows).toEqual([])
    await other.end()
    await close()
    await drop()
  })
})

describe.runIf(engines.includes('postgres'))('a PostgreSQL that goes away', () => {
  test('INPUT-69: is 503 with Retry-After, even for health, and recovers by itself', async () => {
    const { location, drop } = await emptyDatabase('postgres')
    if (!('url' in location)) throw new Error('no address')
    const line = await relayTo(location.url)
    const server = await startServer({ location: { url: line.url } })
    const person = await signIn(server, 'person@club.test')
    const get = async (path: string) => {
      const { status, body, headers } = await ask(server, 'GET', path, { bearer: person.accessToken })
      return [path, status, body.code, headers.get('retry-after')]
    }
    await line.cut()
    for (const path of ['health', `user/${person.userId}`]) expect(await get(path)).toEqual([path, 503, 'UNAVAILABLE', '1'])
    await line.mend()
    for (const path of ['health', `user/${person.userId}`]) expect(await get(path)).toEqual([path, 200, undefined, null])
    await server.close()
    await line.cut()
    await drop()
  })
})

describe.runIf(engines.includes('postgres'))('a PostgreSQL that is slow', () => {
  test('INPUT-70: calls that waited for a second are 503, and those that are worked on get their replies', async () => {
    const { location, drop } = await emptyDatabase('postgres')
    if (!('url' in location)) throw new Error('no address')
    // as in production; other tests let calls wait for longer
    const server = await startServer({ location: { ...location, connections: 1 }, callSlots: { waitMs: 1000 } })
    const slow = poolTo(location.url, 1)
    await slow.query('begin')
    await slow.query('lock table assessments in access exclusive mode')
    const { operatorKey } = server.deps.keys
    const statuses = new Set<number>()
    const calls = Array.from({ length: 600 }, async () => {
      const { status, body, headers } = await ask(server, 'GET', 'assessment', { bearer: operatorKey })
      statuses.add(status)
      return [status, body.code, headers.get('retry-after')]
    })
    // nothing can be read yet, so every reply until now is a refusal
    await Promise.race(calls)
    expect([...statuses]).toEqual([503])
    await slow.query('rollback')
    await slow.end()
    const ends = await Promise.all(calls)
    const refused = ends.filter(([status]) => status === 503)
    expect(refused).toEqual(refused.map(() => [503, 'OVERLOADED', '5']))
    expect(ends.filter(([status]) => status === 200).length).toBeGreaterThanOrEqual(64)
    expect(refused.length + ends.filter(([status]) => status === 200).length).toBe(600)
    await server.close()
    await drop()
  })
})
