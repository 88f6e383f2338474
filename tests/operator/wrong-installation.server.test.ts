import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '#tests/support/free-port.ts'
import { statementIn } from '#tests/support/postgres.ts'
import { startServer } from '#tests/support/start-server.ts'
import { givenCluster, pgBin, PROGRAMS } from './backups.ts'
import { keySettings, newFolder, touchline } from './support.ts'

/** Commands with the settings of no installation, or of another: refused by name, and nothing is written. OPERATE-16 */

test('an upgrade without settings, where there is no data, makes none', async () => {
  const folder = await newFolder()
  for (const more of [[], ['--dry-run'], ['--no-backup']]) {
    const { exit, err } = await touchline(['upgrade', '--to', join(folder, 'backups'), ...more], { DATA_DIR: join(folder, 'data') })
    expect([exit, err]).toEqual([1, expect.stringContaining('has no data of Touchline: there is nothing to upgrade')])
  }
  expect(await readdir(folder)).toEqual([])
})

describe.runIf(PROGRAMS)('a PostgreSQL', () => {
  const { newDatabase, settingsFor, ofCluster } = givenCluster()

  test('of another AUDIT_KEY gets no backup and no upgrade, whose entries in its audit log would look like tampering', async () => {
    const url = await newDatabase()
    const keys = keySettings()
    const own = await settingsFor(url, keys)
    expect(await touchline(['upgrade', ...pgBin], own)).toMatchObject({ exit: 0 })
    const server = await startServer({ dataDir: own.DATA_DIR, env: own })
    await server.close()
    expect(await touchline(['backup', '--to', await newFolder(), ...pgBin], own)).toMatchObject({ exit: 0 })
    const entries = () => statementIn(url, 'select event, about from audit_entries order by id')
    const before = await entries()
    const to = await newFolder()
    const others = await settingsFor(url, keySettings())
    for (const command of ['backup', 'upgrade']) {
      const { exit, err } = await touchline([command, '--to', to, ...pgBin], others)
      expect([exit, err]).toEqual([2, expect.stringContaining('AUDIT_KEY is not the one that seals the audit log')])
    }
    expect(await entries()).toEqual(before)
    expect(await readdir(to)).toEqual([])
    expect((await touchline(['doctor'], others)).out).toContain('ERROR    AUDIT_KEY: It is not the one that seals the audit log')
    // the older one of a rotation is ours
    const rotated = { ...own, AUDIT_KEY: `${keySettings()['AUDIT_KEY']},${keys['AUDIT_KEY']}` }
    expect(await touchline(['backup', '--to', await newFolder(), ...pgBin], rotated)).toMatchObject({ exit: 0 })
  }, 60_000)

  test('whose user may not read the tables says so, in the tool, in doctor and at a start', async () => {
    const url = await newDatabase()
    const own = await settingsFor(url)
    expect(await touchline(['upgrade', ...pgBin], own)).toMatchObject({ exit: 0 })
    await ofCluster('create role weak login')
    onTestFinished(async () => void (await ofCluster('drop role weak')))
    const weak = { ...own, DATABASE_URL: url.replace(/\/\/[^@]*@/, '//weak@') }
    const says =
      /The database refused a statement: permission denied for [^\n]*\. Let the user of DATABASE_URL own the database and its tables\./
    for (const command of ['backup', 'upgrade']) {
      const { exit, err } = await touchline([command, '--to', await newFolder(), ...pgBin], weak)
      expect([exit, err]).toEqual([1, expect.stringMatching(says)])
      expect(err).not.toContain('Failed query')
    }
    expect((await touchline(['doctor'], weak)).out).toMatch(says)
    const child = spawn(process.execPath, ['src/server/main.ts'], {
      env: { ...weak, PORT: String(await freePort()), PATH: process.env['PATH'] },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', (chunk) => (said += String(chunk)))
    const [code] = (await once(child, 'close')) as [number | null]
    expect([code, said]).toEqual([1, expect.stringMatching(says)])
  }, 60_000)
})
