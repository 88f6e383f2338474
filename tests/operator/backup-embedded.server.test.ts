import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'drizzle-orm'
import { describe, expect, onTestFinished, test } from 'vitest'
import { migrate } from '#server/db/migrate.ts'
import { EMBEDDED_VERSION, openDatabase } from '#server/db/open.ts'
import { signIn } from '#tests/support/person.ts'
import { startServer } from '#tests/support/start-server.ts'
import { describeAgain, folderOf, halve, PUBLIC_URL, refresh, sumOf } from './backups.ts'
import { compare, loadOn } from './load.ts'
import { newFolder, touchline } from './support.ts'

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
    expect([refused.exit, refused.err]).toEqual([
      1,
      expect.stringContaining('Another Touchline server or command is using this data folder'),
    ])
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
    expect((await readdir(settings.DATA_DIR)).filter((name) => /restoring|before/.test(name))).toEqual([])
    const again = await running(settings.DATA_DIR)
    expect((await again.server.rows('users')).map(({ email }) => email)).toEqual(['kept@club.test'])
  }, 180_000)

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'a backup that is ended by %s leaves nothing',
    async (signal) => {
      const { settings, close } = await running(await newDataDir())
      await close()
      const to = await newFolder()
      const args = [resolve('src/operator/touchline.mjs'), 'backup', '--to', to]
      const child = spawn(process.execPath, args, { env: { ...settings, PATH: process.env['PATH'] }, stdio: ['ignore', 'ignore', 'pipe'] })
      let said = ''
      child.stderr.on('data', (chunk) => (said += String(chunk)))
      // it has begun, and opens the database now, which takes longer than to notice this
      await expect.poll(() => readdir(to), { timeout: 30_000, interval: 5 }).toEqual([expect.stringMatching(/\.part$/)])
      child.kill(signal)
      const [code] = (await once(child, 'close')) as [number | null]
      expect([code, said]).toEqual([1, expect.stringContaining(`it was ended by ${signal}`)])
      expect(await readdir(to)).toEqual([])
    },
    120_000,
  )

  test('PRIVACY-13: who was erased after the backup is named, since they are in it again', async () => {
    const { settings, server, close } = await running(await newDataDir())
    const kept = await signIn(server, 'kept@club.test')
    const gone = await signIn(server, 'gone@club.test')
    const made = await touchline(['backup', '--to', await newFolder()], settings)
    expect((await touchline(['erase', gone.userId, '--yes'], { ...settings, OPERATOR_KEY: server.deps.keys.operatorKey })).err).toBe('')
    await close()
    const { exit, err } = await touchline(['restore', '--replace', folderOf(made.out)], settings)
    expect([exit, err]).toEqual([0, expect.stringContaining(`touchline erase ${gone.userId} --yes`)])
    expect(err).not.toContain(kept.userId)
    const again = await touchline(['restore', '--replace', folderOf(made.out)], settings)
    expect([again.exit, again.err]).toEqual([0, err])
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
