import { randomBytes } from 'node:crypto'
import { chown, mkdir, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fillPath } from '#contract/endpoint.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { usersForOperator } from '#contract/users.operator.ts'
import { checkPostgres } from '#operator/doctor/database.ts'
import { readSettings } from '#server/env.ts'
import { ask, signIn } from '#tests/support/person.ts'
import { statementIn } from '#tests/support/postgres.ts'
import { canMount, smallDisk } from '#tests/support/small-disk.ts'
import { startServer } from '#tests/support/start-server.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { folderOf, givenCluster, LAST_RELEASE, lastRelease, pgBin, PROGRAMS, PUBLIC_URL, restoreAsItWas } from './backups.ts'
import { newFolder, touchline } from './support.ts'

const FULL = /^The disk of .* is full/
const FULL_SERVER = new RegExp(`^The database’s disk is full.*\\(${'DISK_FULL' satisfies ErrorCode}\\)$`)
const MB = 1024 * 1024

/** Fills a disk up to so many bytes. */
async function fill(disk: string, left: number): Promise<void> {
  const { bavail, bsize } = await statfs(disk)
  await writeFile(join(disk, 'filler'), Buffer.alloc(Math.max(0, bavail * bsize - left)))
}

/** Makes empty files until a disk takes so many more. */
async function fillWithFiles(disk: string, left: number): Promise<void> {
  const folder = join(disk, 'files')
  await mkdir(folder)
  const { ffree } = await statfs(disk)
  for (let more = ffree; more > left; more -= 1) await writeFile(join(folder, String(more)), '')
}

describe.runIf(canMount())('a full disk', () => {
  test('that takes no keys is named, and no empty file is left to refuse the next try', async () => {
    const to = smallDisk('size=64k')
    await fill(to, 0)
    const out = join(to, 'keys.env')
    const { exit, err } = await touchline(['keys', '--out', out])
    expect([exit, err]).toEqual([1, expect.stringMatching(FULL)])
    expect(await readdir(to)).not.toContain('keys.env')
    await rm(join(to, 'filler'))
    expect(await touchline(['keys', '--out', out])).toMatchObject({ exit: 0 })
  })

  describe.runIf(PROGRAMS)('of a PostgreSQL', () => {
    const { newDatabase, settingsFor, isEmpty, ofCluster } = givenCluster()

    async function restored(): Promise<Awaited<ReturnType<typeof settingsFor>>> {
      const settings = await settingsFor(await newDatabase(), (await lastRelease()).settings)
      expect(await touchline(['restore', LAST_RELEASE, ...pgBin], settings)).toMatchObject({ exit: 0 })
      return settings
    }

    test.each([
      ['has too little room', 'size=8m'],
      ['takes no folder', 'nr_inodes=1'],
      ['takes no dump', 'nr_inodes=2'],
      ['takes no manifest', 'nr_inodes=3'],
    ])('that %s is named by a backup, which leaves nothing there', async (_what, options) => {
      const settings = await restored()
      const to = smallDisk(options)
      const { exit, err } = await touchline(['backup', '--to', to, ...pgBin], settings)
      expect([exit, err]).toEqual([1, expect.stringMatching(FULL)])
      expect(await readdir(to)).toEqual([])
      const upgraded = await touchline(['upgrade', '--to', to, ...pgBin], settings)
      expect(upgraded).toMatchObject({ exit: 0, out: 'Nothing to do.' })
    })

    /** A database on a disk of its own. */
    async function databaseOnDisk(options: string): Promise<{ disk: string; url: string }> {
      const disk = smallDisk(options)
      const place = join(disk, 'tables')
      await mkdir(place)
      // who runs PostgreSQL where tests run as root
      await chown(place, 65_534, 65_534)
      const name = `small_${randomBytes(6).toString('hex')}`
      await ofCluster(`create tablespace ${name} location '${place}'`)
      onTestFinished(async () => void (await ofCluster(`drop tablespace ${name}`)))
      return { disk, url: await newDatabase(`tablespace ${name}`) }
    }

    test('is named by the doctor', async () => {
      const { disk, url } = await databaseOnDisk('size=64m')
      const ofDisk = async () =>
        (await checkPostgres(readSettings({}).set, url, () => new Date())).filter(({ message }) => /takes writes|is full/.test(message))
      expect(await ofDisk()).toMatchObject([{ level: 'ok' }])
      await fill(disk, 0)
      expect(await ofDisk()).toEqual([
        { level: 'error', setting: 'DATABASE_URL', message: expect.stringMatching(/^The disk of PostgreSQL \d+ is full/) },
      ])
    })

    test('is named by an upgrade, which changes nothing', async () => {
      const { disk, url } = await databaseOnDisk('size=64m')
      const settings = await settingsFor(url, (await lastRelease()).settings)
      await restoreAsItWas(url)
      const applied = async () => (await statementIn(url, 'select name from schema_migrations')).length
      const before = await applied()
      // of the backup
      const backup = await touchline(['upgrade', '--to', smallDisk('nr_inodes=2'), ...pgBin], settings)
      expect([backup.exit, backup.err]).toEqual([1, expect.stringMatching(/^The disk of .* is full/m)])
      expect(await applied()).toBe(before)
      // of the database
      await fill(disk, MB / 4)
      const upgraded = await touchline(['upgrade', '--no-backup', ...pgBin], settings)
      expect([upgraded.exit, upgraded.err]).toEqual([
        1,
        expect.stringMatching(/^The disk of the database is full: make room\. Nothing was changed\.$/m),
      ])
      expect(await applied()).toBe(before)
      await rm(join(disk, 'filler'))
      expect(await touchline(['upgrade', '--no-backup', ...pgBin], settings)).toMatchObject({ exit: 0 })
    })

    test('is named by a restore, which leaves the database empty', async () => {
      const { disk, url } = await databaseOnDisk('size=64m')
      const settings = await settingsFor(url, (await lastRelease()).settings)
      await fill(disk, MB / 2)
      const { exit, err } = await touchline(['restore', LAST_RELEASE, ...pgBin], settings)
      expect([exit, err]).toEqual([1, expect.stringMatching(/^The disk of the database is full .*make room\. Nothing was changed\.$/)])
      expect(await isEmpty(url)).toBe(true)
    })

    test('of the folder for the rest is named by a restore before the database is touched', async () => {
      const settings = await restored()
      // pictures of a demo, say
      await mkdir(join(settings.DATA_DIR, 'media'), { recursive: true })
      await writeFile(join(settings.DATA_DIR, 'media', 'picture'), Buffer.alloc(2 * MB, 1))
      const backup = folderOf((await touchline(['backup', '--to', await newFolder(), ...pgBin], settings)).out)
      await statementIn(settings.DATABASE_URL, `update users set first_name = 'Since then'`)
      const dataDir = join(smallDisk('size=1m'), 'data')
      const { exit, err } = await touchline(['restore', '--replace', backup, ...pgBin], { ...settings, DATA_DIR: dataDir })
      expect([exit, err]).toEqual([1, expect.stringMatching(FULL)])
      expect(err).toContain('Nothing was changed')
      expect((await readdir(dataDir)).filter((name) => name !== 'lock.sqlite')).toEqual([])
      expect(await statementIn(settings.DATABASE_URL, `select distinct first_name from users`)).toEqual([{ first_name: 'Since then' }])
    })
  })

  test('of a running server with an embedded database is named by a backup, and nothing is left', async () => {
    const disk = smallDisk('size=200m')
    const settings = { DATA_DIR: join(disk, 'data'), PUBLIC_URL, LOG_LEVEL: 'silent' }
    const server = await startServer({ dataDir: settings.DATA_DIR, env: { PUBLIC_URL } })
    onTestFinished(() => server.close())
    const roomy = await newFolder()
    const copies = async () => readdir(join(settings.DATA_DIR, 'backups')).catch(() => [])
    // the folder for the backup
    const target = await touchline(['backup', '--server', server.address, '--to', smallDisk('nr_inodes=2')], settings)
    expect([target.exit, target.err]).toEqual([1, expect.stringMatching(FULL)])
    expect(await copies()).toEqual([])
    // also one in new folders
    const small = smallDisk('nr_inodes=4')
    const deeper = await touchline(['backup', '--server', server.address, '--to', join(small, 'new', 'deeper')], settings)
    expect([deeper.exit, deeper.err]).toEqual([1, expect.stringMatching(FULL)])
    expect(await readdir(small)).toEqual([])
    const tiny = smallDisk('nr_inodes=2')
    expect(await touchline(['backup', '--server', server.address, '--to', join(tiny, 'new', 'deeper')], settings)).toMatchObject({
      exit: 1,
    })
    expect(await readdir(tiny)).toEqual([])
    // the server's own
    await fill(disk, MB / 2)
    const own = await touchline(['backup', '--server', server.address, '--to', roomy], settings)
    expect([own.exit, own.err]).toEqual([1, expect.stringMatching(FULL_SERVER)])
    expect(await copies()).toEqual([])
    expect(await readdir(roomy)).toEqual([])
    await rm(join(disk, 'filler'))
    await signIn(server, 'goes-on@club.test')
    expect(await touchline(['backup', '--server', server.address, '--to', roomy], settings)).toMatchObject({ exit: 0 })
    expect(await copies()).toEqual([])
  }, 240_000)

  test('of a running server with an embedded database is named by every command', async () => {
    const disk = smallDisk('size=200m')
    const settings = { DATA_DIR: join(disk, 'data'), PUBLIC_URL, LOG_LEVEL: 'silent' }
    const server = await startServer({ dataDir: settings.DATA_DIR, env: { PUBLIC_URL } })
    onTestFinished(() => server.close())
    const { userId, email } = await signIn(server, 'full@club.test')
    await fill(disk, 0)
    const at = ['--server', server.address]
    // until the pages that the database has already are full
    const bearer = server.deps.keys.operatorKey
    const { method, path } = usersForOperator.exportPerson
    const exported = async () => (await ask<{ code?: string }>(server, method, fillPath(path, { userId }), { bearer })).body.code
    await waitFor(async () => (await exported()) !== undefined)
    for (const args of [
      ['export-person', email],
      ['block', email],
      ['erase', email, '--yes'],
      ['backup', '--to', await newFolder()],
    ]) {
      const { exit, err } = await touchline([...args, ...at], settings)
      expect([args[0], exit, err]).toEqual([args[0], 1, expect.stringMatching(FULL_SERVER)])
    }
    await rm(join(disk, 'filler'))
    expect(await touchline(['export-person', email, ...at], settings)).toMatchObject({ exit: 0, err: '' })
    expect(await touchline(['erase', email, '--yes', ...at], settings)).toMatchObject({ exit: 0 })
  }, 240_000)

  test('of an embedded database is named, and what was there works as before', async () => {
    const running = async (dataDir: string) => {
      const server = await startServer({ dataDir, env: { PUBLIC_URL } })
      let closing: Promise<void> | undefined
      const close = () => (closing ??= server.close())
      onTestFinished(close)
      return { server, close }
    }
    const settings = { DATA_DIR: join(await newFolder(), 'data'), PUBLIC_URL, LOG_LEVEL: 'silent' }
    const first = await running(settings.DATA_DIR)
    await signIn(first.server, 'backed-up@club.test')
    await first.close()
    for (const options of ['size=8m', 'nr_inodes=2', 'nr_inodes=3']) {
      const to = smallDisk(options)
      const { exit, err } = await touchline(['backup', '--to', to], settings)
      expect([options, exit, err]).toEqual([options, 1, expect.stringMatching(FULL)])
      expect(await readdir(to)).toEqual([])
    }
    const backup = folderOf((await touchline(['backup', '--to', await newFolder()], settings)).out)

    // too little room for it; then for so many files beside those that are there
    const small = { ...settings, DATA_DIR: join(smallDisk('size=8m'), 'data') }
    const refused = await touchline(['restore', backup], small)
    expect([refused.exit, refused.err]).toEqual([1, expect.stringMatching(/^The disk of .* has \d+ MB left, and the backup needs \d+ MB/)])
    expect((await readdir(small.DATA_DIR)).filter((name) => name !== 'lock.sqlite')).toEqual([])

    const disk = smallDisk('size=400m,nr_inodes=4000')
    const tight = { ...settings, DATA_DIR: join(disk, 'data') }
    const second = await running(tight.DATA_DIR)
    await signIn(second.server, 'kept@club.test')
    await second.close()
    const keys = await readFile(join(tight.DATA_DIR, 'keys.json'), 'utf8')
    await fillWithFiles(disk, 300)
    const failed = await touchline(['restore', '--replace', backup], tight)
    expect([failed.exit, failed.err]).toEqual([1, expect.stringMatching(FULL)])
    expect((await readdir(tight.DATA_DIR)).filter((name) => name.includes('restoring') || name.includes('before'))).toEqual([])
    expect(await readFile(join(tight.DATA_DIR, 'keys.json'), 'utf8')).toBe(keys)
    const again = await running(tight.DATA_DIR)
    expect((await again.server.rows('users')).map(({ email }) => email)).toEqual(['kept@club.test'])
  }, 240_000)
})
