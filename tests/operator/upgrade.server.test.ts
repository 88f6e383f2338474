import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sweepAudit } from '#server/audit/sweep.ts'
import { statementIn } from '#tests/support/postgres.ts'
import { startServer } from '#tests/support/start-server.ts'
import { givenCluster, lastRelease, pgBin, PROGRAMS, restoreAsItWas } from './backups.ts'
import { newFolder, touchline } from './support.ts'

describe.runIf(PROGRAMS)('an upgrade of a PostgreSQL', () => {
  const { newDatabase, settingsFor } = givenCluster()

  test('an upgrade says what will happen, can be tried, and makes a backup first', async () => {
    const { settings: keys } = await lastRelease()
    const url = await newDatabase()
    const settings = await settingsFor(url, keys)
    await restoreAsItWas(url)
    const applied = async () => (await statementIn(url, 'select name from schema_migrations')).length
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

  test.each([
    [
      'which this build works with',
      `'0001'`,
      { exit: 0, err: 'A newer build has upgraded it further, and this one still works with it: 9999_next.sql.' },
    ],
    [
      'which this build cannot work with',
      'null',
      { exit: 1, err: expect.stringContaining('9999_next.sql is unknown here. Nothing was changed.') },
    ],
  ])('a database of a newer build, %s, is not called that of this build', async (_what, worksFrom, expected) => {
    const settings = await settingsFor(await newDatabase())
    expect(await touchline(['upgrade', '--no-backup'], settings)).toMatchObject({ exit: 0 })
    await statementIn(
      settings.DATABASE_URL,
      `insert into schema_migrations (name, checksum, works_from) values ('9999_next.sql', 'x', ${worksFrom})`,
    )
    for (const more of [[], ['--dry-run']]) expect(await touchline(['upgrade', ...more], settings)).toMatchObject(expected)
  })

  test('says the same as JSON', async () => {
    const settings = await settingsFor(await newDatabase(), (await lastRelease()).settings)
    await restoreAsItWas(settings.DATABASE_URL)
    const to = await newFolder()
    const told = async (...more: string[]) => {
      const { exit, out } = await touchline(['upgrade', '--json', '--to', to, ...more, ...pgBin], settings)
      return [exit, JSON.parse(out)] as const
    }
    const migrations = expect.arrayContaining([expect.stringContaining('0014_')]) as unknown
    expect(await told('--dry-run')).toEqual([0, { migrations, isUpgraded: false, backup: null }])
    const [exit, upgraded] = await told()
    expect([exit, upgraded]).toEqual([0, { migrations, isUpgraded: true, backup: expect.stringContaining(to) }])
    expect(await told()).toEqual([0, { migrations: [], isUpgraded: false, backup: null }])
  })

  test('one that ends before it is in the audit log has changed nothing', async () => {
    const settings = await settingsFor(await newDatabase(), (await lastRelease()).settings)
    await restoreAsItWas(settings.DATABASE_URL)
    const acts = `select about from audit_entries where about like 'tool upgrade%'`
    const applied = async () => (await statementIn(settings.DATABASE_URL, 'select name from schema_migrations')).length
    const ended = await touchline(['upgrade', '--no-backup'], settings, () => {
      throw new Error('no clock')
    })
    expect([ended.exit, ended.err]).toEqual([1, expect.stringContaining('Nothing was changed')])
    expect(await applied()).toBe(14)
    expect(await touchline(['upgrade', '--no-backup'], settings)).toMatchObject({ exit: 0 })
    expect(await statementIn(settings.DATABASE_URL, acts)).toHaveLength(1)
  })

  test('a server that upgrades the database at its start notes it in the same moment, once', async () => {
    const settings = await settingsFor(await newDatabase(), (await lastRelease()).settings)
    await restoreAsItWas(settings.DATABASE_URL)
    const names = async () =>
      (await statementIn(settings.DATABASE_URL, 'select name from schema_migrations order by name')).map(({ name }) => name)
    const failing = { now: () => { throw new Error('no clock') } } // prettier-ignore
    await expect(startServer({ dataDir: settings.DATA_DIR, env: settings, clock: failing })).rejects.toThrow('no clock')
    expect(await names()).toHaveLength(14)
    for (const _start of [1, 2]) {
      const server = await startServer({ dataDir: settings.DATA_DIR, env: settings })
      await sweepAudit(server.deps)
      await server.close()
    }
    const noted = await statementIn(settings.DATABASE_URL, `select about from audit_entries where about like '% upgrade %'`)
    expect(noted).toEqual([{ about: `server upgrade ${String((await names()).at(-1))}` }])
  }, 60_000)

  test('what makes the first tables leaves the audit log empty, whose heads are then stored outside', async () => {
    const settings = await settingsFor(await newDatabase())
    expect(await touchline(['upgrade'], settings)).toMatchObject({ exit: 0, out: expect.stringContaining('Upgraded: ') })
    expect(await statementIn(settings.DATABASE_URL, 'select from audit_entries')).toEqual([])
    const server = await startServer({ dataDir: settings.DATA_DIR, env: settings })
    await server.close()
    expect(await statementIn(settings.DATABASE_URL, `select from audit_entries where event = 'operator-call'`)).toEqual([])
    expect(await server.deps.media.read('audit/heads.json', 1)).not.toBe('absent')
  }, 60_000)

  test('two upgrades at once leave the database upgraded once', async () => {
    const url = await newDatabase()
    const settings = await settingsFor(url, (await lastRelease()).settings)
    await restoreAsItWas(url)
    const both = await Promise.all([1, 2].map(() => touchline(['upgrade', '--no-backup'], settings)))
    expect(both.map(({ exit }) => exit)).toEqual([0, 0])
    expect(await statementIn(url, `select from audit_entries where about like '% upgrade %'`)).toHaveLength(1)
    const names = (await statementIn(url, 'select name from schema_migrations')).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(await touchline(['upgrade'], settings)).toMatchObject({ out: 'Nothing to do.' })
  })
})
