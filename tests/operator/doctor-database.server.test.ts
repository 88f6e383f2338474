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
      ({ level, message }) => level !== 'ok' && !message.startsWith('fsync is off'),
    )

  test('with the tables of this build, or none, is in order', async () => {
    expect(await check(await database(true))).toEqual([])
    expect(await check(await database(false))).toEqual([])
  })

  test('that a newer build upgraded, and which this one works with, is in order', async () => {
    const url = await database(true)
    await run(url, `insert into schema_migrations (name, checksum, works_from) values ('9999_next.sql', 'x', '0001')`)
    expect(await check(url)).toEqual([])
    expect((await checkPostgres(readSettings({}).set, url, () => new Date())).map(({ message }) => message)).toContainEqual(
      'A newer build has upgraded its tables, and this one still works with them (9999_next.sql).',
    )
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
      /default_transaction_read_only is on. Run `alter database/,
    ],
    ...[
      ['search_path = nowhere', /would go to no schema.*set search_path = public/],
      ["datestyle = 'SQL, DMY'", /its DateStyle is SQL, DMY.*set datestyle = ISO/],
      ['default_transaction_isolation = serializable', /is serializable.*'read committed'/],
      ['array_nulls = off', /its array_nulls is off.*set array_nulls = on/],
      ['extra_float_digits = -15', /its extra_float_digits is -15.*set extra_float_digits = 1/],
      ['standard_conforming_strings = off', /is off.*set standard_conforming_strings = on/],
    ].map(([setting, advice]): [string, (url: string) => Promise<void>, string, RegExp] => [
      `with ${String(setting)}`,
      (url) => run(url, `alter database ${new URL(url).pathname.slice(1)} set ${String(setting)}`),
      'DATABASE_URL',
      advice as RegExp,
    ]),
    [
      'encoded otherwise',
      async (url) => {
        const name = `${new URL(url).pathname.slice(1)}_latin`
        await run(url, `create database ${name} encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`)
        onTestFinished(() => run(url, `drop database ${name} with (force)`))
        return url.replace(/\/\w+$/, `/${name}`)
      },
      'DATABASE_URL',
      /encoded in LATIN1: make a new one/,
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
    expect(found).toEqual([{ level: expect.any(String), setting, message: expect.stringMatching(advice) }])
  })

  test('that lets in few connections, or whose user may not make schemas, is named', async () => {
    const url = await database(false)
    const name = new URL(url).pathname.slice(1)
    await run(url, `alter database ${name} connection limit 12`)
    const user = `user_of_${name}`
    await run(url, `create role ${user} login connection limit 9; grant create on schema public to ${user}`)
    onTestFinished(() => run(url, `drop owned by ${user}; drop role ${user}`))
    expect(await check(url)).toEqual([
      { level: 'warning', setting: 'DATABASE_CONNECTIONS', message: expect.stringContaining('lets in 12') },
    ])
    expect(await check(url.replace(/\/\/[^@/]*@/, `//${user}@`))).toEqual([
      { level: 'error', setting: 'DATABASE_URL', message: expect.stringContaining('grant create on database') },
      { level: 'warning', setting: 'DATABASE_CONNECTIONS', message: expect.stringContaining('lets in 9') },
    ])
  })

  test('whose clock is an hour off is named', async () => {
    const found = await check(await database(true), {}, () => new Date(Date.now() + 3_600_000))
    expect(found).toEqual([{ level: 'error', setting: 'CLOCK', message: expect.stringMatching(/differ by 3[56]\d\d s.*time service/) }])
  })

  test('with the data of a demo is refused in production', async () => {
    const url = await database(true)
    await (await startServer({ location: { url }, hasDemoAccounts: true })).close()
    expect(await check(url, { TOUCHLINE_MODE: 'production' })).toEqual([
      { level: 'error', setting: 'DATABASE_URL', message: expect.stringMatching(/database of a demo.*Create an empty database/) },
    ])
  })
})
