import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import type { Credentials } from '#contract/auth.ts'
import { migrate } from '#server/db/migrate.ts'
import { EMBEDDED_VERSION, openDatabase } from '#server/db/open.ts'
import { ownCluster, type OwnCluster } from '#tests/support/own-cluster.ts'
import { postgresWithPrograms } from '#tests/support/postgres-programs.ts'
import { poolTo } from '#tests/support/postgres.ts'
import { ask, movableClock, signIn } from '#tests/support/person.ts'
import { startServer } from '#tests/support/start-server.ts'
import { compare, loadOn } from './load.ts'
import { keySettings, newFolder, touchline } from './support.ts'

const LAST_RELEASE = 'tests/operator/last-release'
const PROGRAMS = postgresWithPrograms()
const pgBin = ['--pg-bin', join(PROGRAMS ?? '', 'bin')]

interface LastRelease {
  at: string
  settings: Record<string, string>
  people: Record<'half' | 'done' | 'coach', { email: string; userId: string; refreshToken: string; deviceId: string }>
}

async function lastRelease(): Promise<LastRelease> {
  return JSON.parse(await readFile(join(LAST_RELEASE, 'people.json'), 'utf8')) as LastRelease // a file of ours
}

// tokens are for this address, whichever port a server has
const PUBLIC_URL = 'http://localhost:3000'

const sumOf = (counts: readonly number[]) => counts.reduce((sum, one) => sum + one, 0)
const folderOf = (out: string) => out.split('\n')[0] ?? ''

/** Changes a backup's manifest in place. */
async function changeManifest(folder: string, change: (manifest: Record<string, unknown>) => object): Promise<void> {
  const path = join(folder, 'manifest.json')
  const manifest = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown> // ours
  await writeFile(path, JSON.stringify({ ...manifest, ...change(manifest) }))
}

async function halve(path: string): Promise<void> {
  await truncate(path, Math.floor((await stat(path)).size / 2))
}

async function change(path: string): Promise<void> {
  const bytes = await readFile(path)
  bytes[1000] = (bytes[1000] ?? 0) + 1
  await writeFile(path, bytes)
}

/** Makes the manifest fit a file again. */
async function describeAgain(folder: string, name: string): Promise<void> {
  const bytes = await readFile(join(folder, name))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const files = (manifest: Record<string, unknown>) => manifest['files'] as { name: string }[] // as ours has them
  await changeManifest(folder, (manifest) => ({
    files: files(manifest).map((one) => (one.name === name ? { name, bytes: bytes.length, sha256 } : one)),
  }))
}

async function copyOfLastRelease(): Promise<string> {
  const folder = join(await newFolder(), 'backup')
  await cp(LAST_RELEASE, folder, { recursive: true })
  return folder
}

/** What the refresh token of a session gives: `status` 200 while it lives. */
const refresh = (server: { address: string }, refreshToken: string, device: { deviceId?: string } = {}) =>
  ask<Credentials>(server, 'POST', 'auth/refresh', { body: { refreshToken, ...device } })

describe.runIf(PROGRAMS)('a PostgreSQL', () => {
  let own: OwnCluster
  beforeAll(async () => {
    own = await ownCluster(['fsync=off'], PROGRAMS)
    await own.cluster.start()
  }, 60_000)
  afterAll(() => own.remove())

  async function statement(url: string, text: string): Promise<Record<string, unknown>[]> {
    const pool = poolTo(url, 1)
    try {
      return (await pool.query<Record<string, unknown>>(text)).rows
    } finally {
      await pool.end()
    }
  }

  async function newDatabase(): Promise<string> {
    const name = `tool_${randomBytes(6).toString('hex')}`
    await statement(own.cluster.url, `create database ${name}`)
    onTestFinished(async () => void (await statement(own.cluster.url, `drop database if exists ${name} with (force)`)))
    return own.cluster.url.replace(/\/postgres$/, `/${name}`)
  }

  /** Settings of an installation of its own on a database. */
  const settingsFor = async (url: string, more: Record<string, string> = keySettings()) => ({
    DATABASE_URL: url,
    DATA_DIR: join(await newFolder(), 'data'),
    PUBLIC_URL,
    ...more,
  })

  const isEmpty = async (url: string) =>
    (await statement(url, `select tablename from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`)).length === 0

  test('is backed up under load, and restored with every acknowledged answer, with its sessions', async () => {
    const settings = await settingsFor(await newDatabase())
    const server = await startServer({ location: { url: settings.DATABASE_URL }, env: settings })
    const load = await loadOn(server, 4)
    await load.begun(5)
    const counts = load.counts()
    const to = await newFolder()
    const made = await touchline(['backup', '--to', to, ...pgBin], settings)
    const during = sumOf(load.counts()) - sumOf(counts)
    await load.stop()
    await server.close()
    expect(made).toMatchObject({ exit: 0 })
    expect(during, 'saves were acknowledged while the backup was made').toBeGreaterThan(0)

    const url = await newDatabase()
    const began = performance.now()
    const restored = await touchline(['restore', folderOf(made.out), ...pgBin], { ...settings, DATABASE_URL: url })
    const seconds = (performance.now() - began) / 1000
    expect(restored).toMatchObject({ exit: 0 })
    expect(restored.err).not.toContain('not the one of the backup')
    expect(seconds).toBeLessThan(300)

    const again = await startServer({ location: { url }, env: { ...settings, DATABASE_URL: url } })
    onTestFinished(again.close)
    expect(await compare(again, load.savers, counts)).toEqual({ found: sumOf(counts), missing: [] })
    expect((await refresh(again, load.savers[0]?.person.refreshToken ?? '')).status).toBe(200)
    const acts = await again.rows('audit_entries')
    expect(acts.map(({ about }) => String(about)).filter((about) => about.startsWith('tool '))).toEqual(
      expect.arrayContaining(['tool backup', expect.stringMatching(/^tool restore 20/)]),
    )
  }, 120_000)

  test('a backup of the last release is restored into this build, and the main calls work with the sessions of then', async () => {
    const { at, settings: keys, people } = await lastRelease()
    const url = await newDatabase()
    const settings = await settingsFor(url, keys)
    expect(await touchline(['restore', LAST_RELEASE, ...pgBin], settings)).toMatchObject({ exit: 0 })
    const server = await startServer({ location: { url }, env: settings, clock: movableClock(new Date(at)) })
    onTestFinished(server.close)
    const bearers: Record<string, string> = {}
    for (const [name, { refreshToken, deviceId }] of Object.entries(people)) {
      const { status, body } = await refresh(server, refreshToken, { deviceId })
      expect([name, status]).toEqual([name, 200])
      bearers[name] = body.accessToken
    }
    const get = async (who: keyof typeof people, path: string) => {
      const bearer = bearers[who] ?? ''
      const { status, body } = await ask<Record<string, unknown>>(server, 'GET', path.replace('{me}', people[who].userId), { bearer })
      expect([path, status]).toEqual([path, 200])
      return body
    }
    expect(await get('half', 'user/{me}')).toMatchObject({ email: people.half.email })
    const [instance] = await listOf(server, bearers['half'] ?? '')
    const path = `assessment/assessment-instance/${instance?.instanceId}`
    const before = (await get('half', path))['responses'] as object[] // as in the contract
    expect(before.length).toBeGreaterThan(10)
    const [answer] = before
    const saved = await ask(server, 'POST', 'assessment/assessment-instance/responses', {
      bearer: bearers['half'] ?? '',
      body: { instanceId: instance?.instanceId, responses: [answer] },
    })
    expect(saved.status).toBe(200)
    const [done] = await listOf(server, bearers['done'] ?? '')
    expect(done).toMatchObject({ status: 'COMPLETED' })
    await get('done', `assessment/assessment-instance/${done?.instanceId}`)
    expect(await get('coach', 'tokens')).toMatchObject({ total: 32, used: 20 })
    expect((await get('coach', 'assessment/coach/allocated'))['assessments']).toHaveLength(20)
    const given = await ask(server, 'POST', 'assessment/assessment-instance/allocate', {
      bearer: bearers['coach'] ?? '',
      body: { playerEmail: 'new@club.test', assessmentId: 'touchline-profile' },
    })
    expect(given.status).toBe(201)
    await signIn(server, 'new@club.test')
    for (const public_ of ['assessment', 'settings', 'reference-data/country', 'health']) {
      const { status } = await ask(server, 'GET', public_, { bearer: bearers['half'] ?? '' })
      expect([public_, status]).toEqual([public_, 200])
    }
  }, 120_000)

  async function listOf(server: { address: string }, bearer: string) {
    const { body } = await ask<{ data: { instanceId: string; status: string }[] } | { instanceId: string; status: string }[]>(
      server,
      'GET',
      'assessment/assessment-instance',
      { bearer },
    )
    return Array.isArray(body) ? body : body.data
  }

  test.each<[string, (folder: string) => Promise<unknown>, RegExp]>([
    [
      'of a newer release',
      (folder) =>
        changeManifest(folder, ({ migrations }) => ({
          migrations: [...(migrations as object[]), { name: '9999_future.sql', checksum: 'x' }],
        })),
      /made by a newer release of Touchline: 9999_future\.sql/,
    ],
    ['in a newer format', (folder) => changeManifest(folder, () => ({ format: 99 })), /made by a newer release of Touchline/],
    [
      'of another product',
      (folder) => changeManifest(folder, () => ({ product: 'offside' })),
      /is a backup of offside, not one of Touchline/,
    ],
    ['that was cut short while it was made', (folder) => writeFile(join(folder, 'manifest.json'), '{"prod'), /a damaged backup/],
    ['cut in half', (folder) => halve(join(folder, 'database.dump')), /database\.dump was cut short: \d+ of \d+ bytes/],
    ['with a changed byte', (folder) => change(join(folder, 'database.dump')), /database\.dump was changed after the backup/],
    [
      'cut in half before its checksum was written',
      async (folder) => {
        await halve(join(folder, 'database.dump'))
        await describeAgain(folder, 'database.dump')
      },
      /Nothing was changed/,
    ],
    [
      'of a newer PostgreSQL',
      (folder) => changeManifest(folder, () => ({ engineVersion: 99 })),
      /pg_restore is of PostgreSQL \d+ .* and the database is PostgreSQL 99/,
    ],
    ['of an embedded database', (folder) => changeManifest(folder, () => ({ engine: 'embedded' })), /unset DATABASE_URL/],
  ])('a backup %s is refused by name, and nothing is done', async (_what, spoil, reason) => {
    const folder = await copyOfLastRelease()
    await spoil(folder)
    const url = await newDatabase()
    const { exit, err } = await touchline(['restore', folder, ...pgBin], await settingsFor(url))
    expect(exit).toBe(1)
    expect(err).toMatch(reason)
    expect(await isEmpty(url)).toBe(true)
  })

  test('what is no backup is refused', async () => {
    const settings = await settingsFor(await newDatabase())
    const folder = await newFolder()
    expect((await touchline(['restore', folder, ...pgBin], settings)).err).toContain('it has no manifest.json')
    expect((await touchline(['restore', join(folder, 'nowhere'), ...pgBin], settings)).err).toContain('There is no backup at')
    expect((await touchline(['restore', join(LAST_RELEASE, 'database.dump'), ...pgBin], settings)).err).toContain('it has no manifest.json')
  })

  test('a database that is not empty is refused, and replaced only if told so', async () => {
    const url = await newDatabase()
    const settings = await settingsFor(url, (await lastRelease()).settings)
    await statement(url, 'create schema other create table kept (x int)')
    const refused = await touchline(['restore', LAST_RELEASE, ...pgBin], settings)
    expect(refused).toMatchObject({ exit: 1 })
    expect(refused.err).toContain('is not empty')
    expect(await statement(url, 'select * from other.kept')).toEqual([])
    expect((await touchline(['restore', '--check', LAST_RELEASE, ...pgBin], settings)).err).toContain('is not empty')
    expect(await touchline(['restore', '--replace', '--check', LAST_RELEASE, ...pgBin], settings)).toMatchObject({ exit: 0 })
    expect(await statement(url, 'select * from other.kept')).toEqual([])
    expect(await touchline(['restore', '--replace', LAST_RELEASE, ...pgBin], settings)).toMatchObject({ exit: 0 })
    await expect(statement(url, 'select * from other.kept')).rejects.toThrow('does not exist')
    expect(await statement(url, 'select count(*)::int as users from users')).toEqual([{ users: 20 }])
  })

  test('a database that takes no writes is refused', async () => {
    const url = await newDatabase()
    await statement(url, `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`)
    const { exit, err } = await touchline(['restore', LAST_RELEASE, ...pgBin], await settingsFor(url))
    expect([exit, err]).toEqual([3, expect.stringContaining('DATABASE_URL: the database takes no writes')])
  })

  test('a database that a server is using is refused', async () => {
    const url = await newDatabase()
    const settings = await settingsFor(url)
    const server = await startServer({ location: { url }, env: settings })
    onTestFinished(server.close)
    const { exit, err } = await touchline(['restore', '--replace', LAST_RELEASE, ...pgBin], settings)
    expect([exit, err]).toEqual([1, expect.stringContaining('other connections to this database are open. Stop the servers')])
    expect((await ask(server, 'GET', 'health')).status).toBe(200)
  })

  test('of two restores at once, one is refused by name', async () => {
    const settings = await settingsFor(await newDatabase(), (await lastRelease()).settings)
    const both = await Promise.all([1, 2].map(() => touchline(['restore', LAST_RELEASE, ...pgBin], settings)))
    const refused = both.filter(({ exit }) => exit !== 0)
    expect(refused).toHaveLength(1)
    expect(refused[0]?.err).toMatch(/Another restore or upgrade is under way|other connections|is not empty/)
    expect(await statement(settings.DATABASE_URL, 'select count(*)::int as users from users')).toEqual([{ users: 20 }])
  })

  test('an upgrade says what will happen, can be tried, and makes a backup first', async () => {
    const { settings: keys } = await lastRelease()
    const url = await newDatabase()
    const settings = await settingsFor(url, keys)
    await restoreAsItWas(url)
    const applied = async () => (await statement(url, 'select name from schema_migrations')).length
    expect(await applied()).toBe(14)
    const tried = await touchline(['upgrade', '--dry-run', ...pgBin], settings)
    expect(tried).toMatchObject({ exit: 0, out: expect.stringContaining('nothing was changed') })
    expect(tried.err).toContain('To run: 0014_')
    expect(await applied()).toBe(14)
    const to = await newFolder()
    const upgraded = await touchline(['upgrade', '--to', to, ...pgBin], settings)
    expect(upgraded).toMatchObject({ exit: 0, out: expect.stringContaining('Upgraded: 0014_') })
    const [name = ''] = await readdir(to)
    expect(await touchline(['restore', '--check', '--replace', join(to, name), ...pgBin], settings)).toMatchObject({ exit: 0 })
    expect(await applied()).toBeGreaterThan(14)
    expect(await touchline(['upgrade', ...pgBin], settings)).toMatchObject({ exit: 0, out: 'Nothing to do.' })
  })

  test('two upgrades at once leave the database upgraded once', async () => {
    const url = await newDatabase()
    const settings = await settingsFor(url, (await lastRelease()).settings)
    await restoreAsItWas(url)
    const both = await Promise.all([1, 2].map(() => touchline(['upgrade', '--no-backup'], settings)))
    expect(both.map(({ exit }) => exit)).toEqual([0, 0])
    const names = (await statement(url, 'select name from schema_migrations')).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(await touchline(['upgrade'], settings)).toMatchObject({ out: 'Nothing to do.' })
  })

  /** The database of the last release, without what this build adds. */
  async function restoreAsItWas(url: string): Promise<void> {
    const program = spawn(join(PROGRAMS ?? '', 'bin', 'pg_restore'), ['--no-owner', `--dbname=${url}`, join(LAST_RELEASE, 'database.dump')])
    const [code] = (await once(program, 'close')) as [number]
    expect(code).toBe(0)
  }

  test('a program that is missing or too old is named, with what to install', async () => {
    const settings = await settingsFor(await newDatabase())
    const missing = await touchline(['backup', '--pg-bin', '/nowhere'], settings)
    expect([missing.exit, missing.err]).toEqual([
      1,
      expect.stringMatching(/^pg_dump is missing in \/nowhere\. Install PostgreSQL's client programs/),
    ])
    const newer = inject('postgresUrl')
    if (newer === null) return
    const { exit, err } = await touchline(['backup', ...pgBin], { ...settings, DATABASE_URL: newer })
    expect([exit, err]).toEqual([
      1,
      expect.stringMatching(/^pg_dump is of PostgreSQL 1\d .* and the database is PostgreSQL \d+: install postgresql-client/),
    ])
  })

  test('a backup that fails leaves nothing', async () => {
    const url = await newDatabase()
    const to = await newFolder()
    const { exit, err } = await touchline(['backup', '--to', to, ...pgBin], await settingsFor(url))
    expect([exit, err]).toEqual([1, expect.stringContaining('has no tables of Touchline')])
    expect(await readdir(to)).toEqual([])
  })
})

describe('an embedded database', () => {
  test('is of the version that backups are marked with', async () => {
    const { db, close } = await openDatabase({ memory: true }, () => {})
    onTestFinished(close)
    const { rows } = await db.execute<{ version: string }>(sql`select current_setting('server_version_num') as version`)
    expect(Math.floor(Number(rows[0]?.version) / 10_000)).toBe(EMBEDDED_VERSION)
  }, 120_000)

  /** A server in this folder, and the settings by which the tool finds it. */
  async function running(dataDir: string) {
    const server = await startServer({ dataDir, env: { PUBLIC_URL } })
    let closing: Promise<void> | undefined
    const close = () => (closing ??= server.close())
    onTestFinished(close)
    const settings = { DATA_DIR: dataDir, PORT: new URL(server.address).port, PUBLIC_URL, LOG_LEVEL: 'silent' }
    return { settings, server, close }
  }

  const newDataDir = async () => join(await newFolder(), 'data')

  test('is backed up by the running server under load, and restored with every acknowledged answer', async () => {
    const { settings, server, close } = await running(await newDataDir())
    const load = await loadOn(server, 3)
    await load.begun(5)
    const counts = load.counts()
    const made = await touchline(['backup', '--to', await newFolder()], settings)
    await load.stop()
    expect(made).toMatchObject({ exit: 0 })
    const backup = folderOf(made.out)
    const refused = await touchline(['restore', '--replace', backup], settings)
    expect([refused.exit, refused.err]).toEqual([1, expect.stringContaining('Another Touchline server is using this data folder')])
    await close()

    const elsewhere = { ...settings, DATA_DIR: await newDataDir() }
    const restored = await touchline(['restore', backup], elsewhere)
    expect(restored).toMatchObject({ exit: 0 })
    expect(restored.err).not.toContain('not the one of the backup')
    expect((await touchline(['restore', backup], elsewhere)).err).toContain('has keys.json already')
    const again = await running(elsewhere.DATA_DIR)
    expect(await compare(again.server, load.savers, counts)).toEqual({ found: sumOf(counts), missing: [] })
    expect((await refresh(again.server, load.savers[0]?.person.refreshToken ?? '')).status).toBe(200)
  }, 180_000)

  test('is backed up without a server, and a damaged backup changes nothing', async () => {
    const { settings, server, close } = await running(await newDataDir())
    await signIn(server, 'kept@club.test')
    await close()
    const made = await touchline(['backup', '--to', await newFolder()], settings)
    expect(made).toMatchObject({ exit: 0 })
    const file = join(folderOf(made.out), 'database.tar.gz')
    await halve(file)
    const { exit, err } = await touchline(['restore', '--replace', folderOf(made.out)], settings)
    expect([exit, err]).toEqual([1, expect.stringContaining('database.tar.gz was cut short')])
    await describeAgain(folderOf(made.out), 'database.tar.gz')
    const unpacked = await touchline(['restore', '--replace', folderOf(made.out)], settings)
    expect([unpacked.exit, unpacked.err]).toEqual([1, expect.stringContaining('Nothing was changed')])
    const again = await running(settings.DATA_DIR)
    expect((await again.server.rows('users')).map(({ email }) => email)).toEqual(['kept@club.test'])
  }, 180_000)

  test('of the last release is upgraded by a restore', async () => {
    const dataDir = await newDataDir()
    const migrations = join(await newFolder(), 'migrations')
    await cp('src/server/db/migrations', migrations, { recursive: true, filter: (path) => !/\/(001[4-9]|00[2-9]\d)_/.test(path) })
    const { db, close } = await openDatabase({ folder: dataDir }, () => {})
    await migrate(db, pathToFileURL(`${migrations}/`))
    await db.execute(
      sql`insert into users (id, email, email_normal, user_type, created_at) values (gen_random_uuid(), 'old@club.test', 'old@club.test', 'player', now())`,
    )
    await close()
    const made = await touchline(['backup', '--to', await newFolder()], { DATA_DIR: dataDir })
    expect(made).toMatchObject({ exit: 0 })
    const elsewhere = await newDataDir()
    expect(await touchline(['restore', folderOf(made.out)], { DATA_DIR: elsewhere })).toMatchObject({ exit: 0 })
    const again = await running(elsewhere)
    expect((await signIn(again.server, 'old@club.test')).email).toBe('old@club.test')
    expect(await again.server.rows('users')).toHaveLength(1)
  }, 120_000)
})
