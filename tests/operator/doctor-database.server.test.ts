import { describe, expect, onTestFinished, test } from 'vitest'
import { checkPostgres } from '#operator/doctor/database.ts'
import { readSettings } from '#server/env.ts'
import { emptyDatabase, engines, unmigratedDatabase } from '#tests/support/databases.ts'
import { poolTo } from '#tests/support/postgres.ts'
import { startServer } from '#tests/support/start-server.ts'

/** What the doctor says of the database. */

describe.runIf(engines.includes('postgres'))('a PostgreSQL', () => {
  async function database(isMigrated: boolean): Promise<string> {
    const { location, drop } = await (isMigrated ? emptyDatabase('postgres') : unmigratedDatabase('postgres'))
    onTestFinished(drop)
    if (!('url' in location)) throw new Error('no address')
    return location.url
  }

  async function run(url: string, statement: string): Promise<void> {
    const pool = poolTo(url, 1)
    try {
      await pool.query(statement)
    } finally {
      await pool.end()
    }
  }

  const check = async (url: string, settings: Record<string, string> = {}, now = () => new Date()) =>
    (await checkPostgres(readSettings(settings).set, url, now)).filter(
      // the tests' own cluster does not sync, for speed
      ({ level, says }) => level !== 'ok' && !says.startsWith('fsync is off'),
    )

  test('with the tables of this build, or none, is in order', async () => {
    expect(await check(await database(true))).toEqual([])
    expect(await check(await database(false))).toEqual([])
  })

  test.each<[string, (url: string) => Promise<string | void>, string, RegExp]>([
    [
      'that has no such database',
      async (url) => url.replace(/\/\w+$/, '/nodb'),
      'DATABASE_URL',
      /Create the database, or correct its name/,
    ],
    [
      'that takes no writes',
      (url) => run(url, `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`),
      'DATABASE_URL',
      /takes no writes\. Name the primary/,
    ],
    [
      'of a newer build',
      (url) => run(url, `insert into schema_migrations (name, checksum) values ('9999_next.sql', 'x')`),
      'DATABASE_URL',
      /9999_next\.sql is unknown here\. Start that build/,
    ],
    [
      'of an older build',
      (url) => run(url, `delete from schema_migrations where name > '0013'`),
      'DATABASE_URL',
      /have not run: .*npx touchline upgrade/,
    ],
    [
      'with tables of another program',
      (url) => run(url, 'drop schema public cascade; create schema public; create table theirs (x int)'),
      'DATABASE_URL',
      /use a database of its own/,
    ],
    ['with few connections left', (url) => run(url, 'select 1'), 'DATABASE_CONNECTIONS', /lower it, or raise max_connections/],
  ])('%s is named, with what to do', async (_what, spoil, setting, advice) => {
    const url = await database(true)
    const other = await spoil(url)
    const found = await check(other ?? url, setting === 'DATABASE_CONNECTIONS' ? { DATABASE_CONNECTIONS: '299' } : {})
    expect(found).toEqual([{ level: expect.any(String), setting, says: expect.stringMatching(advice) }])
  })

  test('whose clock is an hour off is named', async () => {
    const found = await check(await database(true), {}, () => new Date(Date.now() + 3_600_000))
    expect(found).toEqual([{ level: 'error', setting: 'CLOCK', says: expect.stringMatching(/differ by 3[56]\d\d s.*time service/) }])
  })

  test('with the data of a demo is refused in production', async () => {
    const url = await database(true)
    await (await startServer({ location: { url }, hasDemoAccounts: true })).close()
    expect(await check(url, { TOUCHLINE_MODE: 'production' })).toEqual([
      { level: 'error', setting: 'DATABASE_URL', says: expect.stringMatching(/database of a demo.*Create an empty database/) },
    ])
  })
})
