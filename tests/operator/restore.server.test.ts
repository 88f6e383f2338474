import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDataFolder } from '#server/data-folder.ts'
import { readEnv } from '#server/env.ts'
import { loadKeys } from '#server/keys.ts'
import { ask } from '#tests/support/person.ts'
import { poolTo, statementIn } from '#tests/support/postgres.ts'
import { startServer } from '#tests/support/start-server.ts'
import {
  changeManifest,
  copyOfLastRelease,
  describeAgain,
  folderOf,
  givenCluster,
  halve,
  LAST_RELEASE,
  lastRelease,
  pgBin,
  PROGRAMS,
  PUBLIC_URL,
} from './backups.ts'
import { newFolder, touchline } from './support.ts'

async function change(path: string): Promise<void> {
  const bytes = await readFile(path)
  bytes[1000] = (bytes[1000] ?? 0) + 1
  await writeFile(path, bytes)
}

describe.runIf(PROGRAMS)('a restore into a PostgreSQL', () => {
  const { newDatabase, settingsFor, isEmpty, ofCluster } = givenCluster()

  test('brings the keys of an installation that has them in DATA_DIR, onto a machine that has nothing', async () => {
    const kept = { PUBLIC_URL, DATABASE_URL: await newDatabase(), DATA_DIR: join(await newFolder(), 'data') }
    await openDataFolder(kept.DATA_DIR)
    await loadKeys(readEnv(kept), kept.DATA_DIR)
    expect(await touchline(['restore', LAST_RELEASE, ...pgBin], kept)).toMatchObject({ exit: 0 })
    const keys = await readFile(join(kept.DATA_DIR, 'keys.json'), 'utf8')
    const backup = folderOf((await touchline(['backup', '--to', await newFolder(), ...pgBin], kept)).out)
    const fresh = { PUBLIC_URL, DATABASE_URL: await newDatabase(), DATA_DIR: join(await newFolder(), 'data') }
    expect(await touchline(['restore', backup, ...pgBin], fresh)).toMatchObject({ exit: 0 })
    expect(await readFile(join(fresh.DATA_DIR, 'keys.json'), 'utf8')).toBe(keys)
    // without them, nothing is begun
    const url = await newDatabase()
    const without = await touchline(['restore', LAST_RELEASE, ...pgBin], { ...fresh, DATABASE_URL: url, DATA_DIR: await newFolder() })
    expect([without.exit, without.err]).toEqual([2, expect.stringMatching(/^The keys of this installation are neither/)])
    expect(await isEmpty(url)).toBe(true)
  })

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
    await statementIn(url, 'create schema other create table kept (x int)')
    const refused = await touchline(['restore', LAST_RELEASE, ...pgBin], settings)
    expect(refused).toMatchObject({ exit: 1 })
    expect(refused.err).toContain('is not empty')
    expect(await statementIn(url, 'select * from other.kept')).toEqual([])
    expect((await touchline(['restore', '--check', LAST_RELEASE, ...pgBin], settings)).err).toContain('is not empty')
    expect(await touchline(['restore', '--replace', '--check', LAST_RELEASE, ...pgBin], settings)).toMatchObject({ exit: 0 })
    expect(await statementIn(url, 'select * from other.kept')).toEqual([])
    const at = JSON.parse(await readFile(join(LAST_RELEASE, 'manifest.json'), 'utf8')).at as string // ours
    const told = async (...more: string[]) =>
      JSON.parse((await touchline(['restore', '--json', ...more, LAST_RELEASE, ...pgBin], settings)).out) as unknown
    expect(await told('--replace', '--check')).toEqual({ folder: LAST_RELEASE, at, isRestored: false })
    expect(await told('--replace')).toEqual({ folder: LAST_RELEASE, at, isRestored: true })
    await expect(statementIn(url, 'select * from other.kept')).rejects.toThrow('does not exist')
    expect(await statementIn(url, 'select count(*)::int as users from users')).toEqual([{ users: 20 }])
  })

  test('a database that takes no writes is refused', async () => {
    const url = await newDatabase()
    await statementIn(url, `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`)
    const { exit, err } = await touchline(['restore', LAST_RELEASE, ...pgBin], await settingsFor(url))
    expect([exit, err]).toEqual([3, expect.stringContaining('DATABASE_URL: the database takes no writes')])
  })

  test('a database that a server is using is refused', async () => {
    const url = await newDatabase()
    const settings = await settingsFor(url)
    const server = await startServer({ location: { url }, env: settings })
    onTestFinished(server.close)
    const { exit, err } = await touchline(['restore', '--replace', LAST_RELEASE, ...pgBin], settings)
    expect([exit, err]).toEqual([1, expect.stringMatching(/This database is in use \(connections open: \d+\)\. Stop the servers/)])
    expect((await ask(server, 'GET', 'health')).status).toBe(200)
  })

  test('a database whose last connection is just ending is waited for', async () => {
    const url = await newDatabase()
    const ending = poolTo(url, 1)
    await ending.query('select 1')
    const restoring = touchline(['restore', LAST_RELEASE, ...pgBin], await settingsFor(url))
    const looking = `select from pg_stat_activity where datname = '${new URL(url).pathname.slice(1)}' and wait_event = 'PgSleep'`
    await expect.poll(() => ofCluster(looking), { timeout: 10_000, interval: 20 }).toHaveLength(1)
    await ending.end()
    expect(await restoring).toMatchObject({ exit: 0 })
  })

  test('of two restores at once, one is refused by name', async () => {
    const settings = await settingsFor(await newDatabase(), (await lastRelease()).settings)
    const both = await Promise.all([1, 2].map(() => touchline(['restore', LAST_RELEASE, ...pgBin], settings)))
    const refused = both.filter(({ exit }) => exit !== 0)
    expect(refused).toHaveLength(1)
    expect(refused[0]?.err).toMatch(/Another restore or upgrade is under way|is in use|is not empty/)
    expect(await statementIn(settings.DATABASE_URL, 'select count(*)::int as users from users')).toEqual([{ users: 20 }])
  })
})
