import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sweepAudit } from '#server/audit/sweep.ts'
import { MIGRATION_LOCK } from '#server/db/migrate.ts'
import { unpackFiles } from '#server/db/open.ts'
import { placesOf, settleRestore, takePlace } from '#server/db/unfinished-restore.ts'
import { S3_KEYS, startFakeS3 } from '#tests/server/pictures/fake-s3.ts'
import { movableClock, signIn } from '#tests/support/person.ts'
import { statementIn } from '#tests/support/postgres.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { folderOf, givenCluster, pgBin, PROGRAMS, PUBLIC_URL } from './backups.ts'
import { keySettings, newFolder, touchline } from './support.ts'

const PSQL = join(PROGRAMS ?? '', 'bin', 'psql')
const KILL = 'kill -9 $PPID'

/** Programs of PostgreSQL of which psql does something before it begins, or as soon as it is done. */
async function programsThat({ before = ':', after = ':' }): Promise<string> {
  const folder = await newFolder()
  await symlink(join(PROGRAMS ?? '', 'bin', 'pg_restore'), join(folder, 'pg_restore'))
  const script = `#!/bin/sh\n[ "$1" = --version ] && exec ${PSQL} "$@"\n${before}\n${PSQL} "$@" || exit 1\n${after}\n`
  await writeFile(join(folder, 'psql'), script)
  await chmod(join(folder, 'psql'), 0o755)
  return folder
}

/** @param when against the restore's transaction */
async function killedRestore(
  backup: string,
  settings: Record<string, string>,
  { when = 'after', isReplacing = false }: { when?: 'before' | 'after'; isReplacing?: boolean } = {},
): Promise<void> {
  const bin = await programsThat({ [when]: KILL })
  const args = [resolve('src/operator/touchline.mjs'), 'restore', backup, ...(isReplacing ? ['--replace'] : []), '--pg-bin', bin]
  const child = spawn(process.execPath, args, { env: { ...settings, PATH: process.env['PATH'] }, stdio: 'inherit' })
  expect((await once(child, 'exit'))[1]).toBe('SIGKILL')
}

const toolActs = async (server: TestServer, start: string) =>
  (await server.rows('audit_entries')).map(({ about }) => String(about)).filter((about) => about.startsWith(start))

/** With its keys and pictures in DATA_DIR, where no setting names another place. */
const serverOf = (settings: Record<string, string>) => startServer({ dataDir: settings['DATA_DIR'] ?? '', env: settings })

const newDataDir = async () => join(await newFolder(), 'data')
const doctor = async (settings: Record<string, string>) => (await touchline(['doctor'], settings)).out
const HEADS = 'audit/heads.json'

describe.runIf(PROGRAMS)('a restore into a PostgreSQL', () => {
  const { newDatabase } = givenCluster()
  const newSettings = async () => ({ DATABASE_URL: await newDatabase(), DATA_DIR: await newDataDir(), PUBLIC_URL })
  /** All in one bucket and with its keys in the settings, as in production. */
  async function withStore() {
    const store = await startFakeS3()
    onTestFinished(store.close)
    const { endpoint: S3_ENDPOINT } = store
    const { region: S3_REGION, bucket: S3_BUCKET, accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY } = S3_KEYS
    const inStore = { S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }
    return { store, settings: { ...(await newSettings()), ...keySettings(), ...inStore } }
  }
  const backupOf = async (settings: Record<string, string>) =>
    folderOf((await touchline(['backup', '--to', await newFolder(), ...pgBin], settings)).out)

  test('that was killed once it was there is in the audit log, with the files that belong to it', async () => {
    const first = await newSettings()
    await (await serverOf(first)).close()
    const keys = await readFile(join(first.DATA_DIR, 'keys.json'), 'utf8')
    const backup = await backupOf(first)
    const fresh = await newSettings()
    await killedRestore(backup, fresh)
    expect(await doctor(fresh)).toMatch(/DATABASE_URL: A restore that began at 20.* was killed before it was in the audit log/)
    expect(await doctor(fresh)).toMatch(/DATA_DIR: A restore into .* was killed/)
    // beside another that is refused, what waits stays
    const other = await newSettings()
    await (await serverOf(other)).close()
    expect((await touchline(['restore', await backupOf(other), ...pgBin], fresh)).err).toContain('is not empty')
    for (const _start of [1, 2]) {
      const server = await serverOf(fresh)
      await sweepAudit(server.deps)
      expect(await toolActs(server, 'tool restore')).toHaveLength(1)
      await server.close()
      expect(await readFile(join(fresh.DATA_DIR, 'keys.json'), 'utf8')).toBe(keys)
    }
    expect(await doctor(fresh)).not.toMatch(/restore/)
  }, 120_000)

  /** With its keys and a picture in DATA_DIR. */
  async function installed(picture: string) {
    const settings = await newSettings()
    const server = await serverOf(settings)
    await server.deps.media.write(`avatars/${picture}`, Buffer.from('picture'), 'image/jpeg')
    await server.close()
    return { backup: await backupOf(settings), has: await filesIn(settings) }
  }
  const stagedIn = async ({ DATA_DIR }: { DATA_DIR: string }) => (await readdir(DATA_DIR)).filter((name) => name.includes('restoring'))
  const filesIn = async ({ DATA_DIR }: { DATA_DIR: string }) => ({
    pictures: await readdir(join(DATA_DIR, 'media', 'avatars')),
    keys: await readFile(join(DATA_DIR, 'keys.json'), 'utf8'),
    staged: await stagedIn({ DATA_DIR }),
  })

  test('while another one is at work in DATA_DIR is refused, and takes nothing from it', async () => {
    const { backup, has } = await installed('one.jpg')
    const fresh = await newSettings()
    const signs = await newFolder()
    const waiting = await programsThat({ before: `touch ${signs}/begun; while [ ! -e ${signs}/go ]; do sleep 0.05; done` })
    const first = touchline(['restore', '--replace', backup, '--pg-bin', waiting], fresh)
    await expect.poll(() => readdir(signs), { timeout: 30_000 }).toEqual(['begun'])
    const second = await touchline(['restore', '--replace', backup, ...pgBin], fresh)
    await writeFile(join(signs, 'go'), '')
    expect([second.exit, second.err]).toEqual([1, expect.stringMatching(/^Another restore .*Wait for it\. Nothing was changed\.$/)])
    expect(await first).toMatchObject({ exit: 0 })
    expect(await filesIn(fresh)).toEqual(has)
  }, 120_000)

  test('that was killed while the database goes on with it keeps its files until that is over', async () => {
    const { backup, has } = await installed('one.jpg')
    const fresh = await newSettings()
    await killedRestore(backup, fresh, { when: 'before' })
    const staged = await stagedIn(fresh)
    expect(staged).toHaveLength(1)
    const client = new Client(fresh.DATABASE_URL)
    await client.connect()
    // as the transaction of the restore does
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    const again = await touchline(['restore', backup, ...pgBin], fresh)
    expect([again.exit, again.err]).toEqual([
      1,
      expect.stringMatching(/^Another restore or upgrade .*Wait for it\. Nothing was changed\.$/),
    ])
    expect(await stagedIn(fresh)).toEqual(staged)
    await client.end()
    expect(await touchline(['restore', backup, ...pgBin], fresh)).toMatchObject({ exit: 0 })
    expect(await filesIn(fresh)).toEqual(has)
  }, 120_000)

  test('that was killed before it was there leaves the files of an earlier one that was killed later', async () => {
    const [one, other] = [await installed('one.jpg'), await installed('other.jpg')]
    const fresh = await newSettings()
    await killedRestore(one.backup, fresh)
    await killedRestore(other.backup, fresh, { when: 'before', isReplacing: true })
    expect(await doctor(fresh)).toMatch(/DATA_DIR: A restore into .* was killed/)
    // refused for as long as PostgreSQL goes on with what the killed restore began
    const to = await newFolder()
    await waitFor(async () => (await touchline(['backup', '--to', to, ...pgBin], fresh)).exit === 0)
    expect(await filesIn(fresh)).toEqual(one.has)
    expect(await doctor(fresh)).not.toMatch(/A restore .*killed/)
  }, 120_000)

  test('that took entries from the audit log says how many, and keeps the heads of before, also if it was killed', async () => {
    const { store, settings } = await withStore()
    const server = await serverOf(settings)
    await signIn(server, 'first@club.test')
    await server.close()
    const backup = await backupOf(settings)
    const clock = movableClock(new Date(Date.now() + 3_600_000))
    const later = await startServer({ dataDir: settings.DATA_DIR, env: settings, clock })
    await signIn(later, 'second@club.test')
    await sweepAudit(later.deps)
    // after the heads were stored
    await signIn(later, 'third@club.test')
    const kept = (await later.rows('audit_entries')).length
    await later.close()
    const heads = store.objects.get(HEADS)?.body.toString() ?? ''

    const restored = await touchline(['restore', '--replace', backup, ...pgBin], settings)
    expect(restored).toMatchObject({ exit: 0 })
    const [, lacking, keptAs = ''] = /The restored audit log lacks .*entries: (\d+).* kept as (\S+)/.exec(restored.err) ?? []
    expect(store.objects.get(keptAs)?.body.toString()).toBe(heads)
    expect(store.objects.has(HEADS)).toBe(false)
    expect(await doctor(settings)).toContain(`after the backup (entries: ${lacking})`)
    const again = await serverOf(settings)
    onTestFinished(again.close)
    const entries = await again.rows('audit_entries')
    // two are of the restore itself, and the server that starts writes none
    expect(Number(lacking)).toBe(kept - (entries.length - 2))
    await sweepAudit(again.deps)
    expect(store.objects.has(HEADS)).toBe(true)
    expect(await doctor(settings)).not.toContain('ERROR')
    await again.close()

    // a second time, and killed, while the store does not reply to whoever finishes it first
    await killedRestore(backup, settings, { isReplacing: true })
    store.failWith = 503
    const third = await serverOf(settings)
    onTestFinished(third.close)
    await expect(sweepAudit(third.deps)).rejects.toThrow()
    expect(await doctor(settings)).toMatch(/AUDIT: The log restored at 20.* is not yet compared/)
    store.failWith = undefined
    await sweepAudit(third.deps)
    const about = (await toolActs(third, '')).find((one) => one.includes('before-restore'))
    expect(about).toMatch(/^[1-9]\d* audit\/heads-before-restore-20/)
    expect(await toolActs(third, 'tool restore')).toHaveLength(1)
  }, 180_000)

  /** A backup, and somebody who was erased after it. */
  async function erasedSince(settings: Record<string, string>) {
    const server = await serverOf(settings)
    onTestFinished(server.close)
    const { userId } = await signIn(server, 'gone@club.test')
    const backup = await backupOf(settings)
    const erase = () => touchline(['erase', userId, '--yes', '--server', server.address], settings)
    expect(await erase()).toMatchObject({ exit: 0 })
    await server.close()
    return {
      backup,
      userId,
      says: `People erased after the backup who are back: 1. Once the server runs, erase them again: touchline erase ${userId} --yes`,
    }
  }

  test('PRIVACY-13: who was erased after the backup is named until they are erased again, also if the restore was killed', async () => {
    const settings = { ...(await newSettings()), ...keySettings() }
    const { backup, userId, says } = await erasedSince(settings)
    await killedRestore(backup, settings, { isReplacing: true })
    expect(await doctor(settings)).toContain(says)
    expect((await touchline(['backup', '--to', await newFolder(), ...pgBin], settings)).err).toContain(says)
    expect((await touchline(['restore', '--replace', backup, ...pgBin], settings)).err).toContain(says)
    // of a backup that has the list, too
    const later = await backupOf(settings)
    const fresh = { ...settings, DATABASE_URL: await newDatabase(), DATA_DIR: await newDataDir() }
    expect((await touchline(['restore', later, ...pgBin], fresh)).err).toContain(says)
    const lines: string[] = []
    const server = await startServer({
      dataDir: settings.DATA_DIR,
      env: { ...settings, LOG_LEVEL: 'warn' },
      logTo: { write: (line: string) => void lines.push(line) },
    })
    onTestFinished(server.close)
    expect(lines.find((line) => line.includes(userId))).toContain('erased after the backup')
    expect((await touchline(['erase', userId, '--yes', '--server', server.address], settings)).exit).toBe(0)
    await server.close()
    expect(await doctor(settings)).not.toContain('Erased after')
  }, 180_000)

  test('PRIVACY-13: a database that does not say whom it had erased is named, and its earlier lists stay', async () => {
    const settings = { ...(await newSettings()), ...keySettings() }
    const { backup, says } = await erasedSince(settings)
    const restore = () => touchline(['restore', '--replace', backup, ...pgBin], settings)
    expect((await restore()).err).not.toContain('could not be read')
    await statementIn(settings.DATABASE_URL, 'alter table users drop column erased_at')
    await restore()
    expect((await restore()).err).toMatch(/Could not read which people the replaced database had erased/)
    expect(await doctor(settings)).toContain(says)
    const inAMonth = new Date(Date.now() + 31 * 86_400_000)
    expect((await touchline(['doctor'], settings, () => inAMonth)).out).not.toMatch(/[Ee]rased/)
  }, 120_000)

  test('a restore that cannot go on once the database is replaced says that it is', async () => {
    const settings = { ...(await newSettings()), ...keySettings() }
    const { backup, says } = await erasedSince(settings)
    const name = new URL(settings.DATABASE_URL).pathname.slice(1)
    const admin = settings.DATABASE_URL.replace(/[^/]*$/, 'postgres')
    const letIn = (isOpen: boolean) => `alter database ${name} allow_connections ${isOpen}`
    const bin = await programsThat({ after: `${PSQL} -qc '${letIn(false)}' ${admin}` })
    const { exit, err } = await touchline(['restore', '--replace', backup, '--pg-bin', bin], settings)
    await statementIn(admin, letIn(true))
    expect([exit, err]).toEqual([3, expect.stringMatching(/not currently accepting connections.* The database is now that of the backup/)])
    expect(await doctor(settings)).toContain(says)
  }, 120_000)

  test('a database that was put back by hand is named by doctor', async () => {
    const { settings } = await withStore()
    const server = await serverOf(settings)
    await signIn(server, 'first@club.test')
    await server.close()
    expect(await doctor(settings)).not.toMatch(/AUDIT/)
    const clock = movableClock(new Date(Date.now() + 3_600_000))
    const later = await startServer({ dataDir: settings.DATA_DIR, env: settings, clock })
    await sweepAudit(later.deps)
    await later.close()
    await statementIn(settings.DATABASE_URL, `delete from audit_entries`)
    await statementIn(settings.DATABASE_URL, `update audit_heads set seq = 0, seal = ''`)
    expect(await doctor(settings)).toMatch(/ERROR +AUDIT: The audit log lacks what it had at 20/)
  }, 120_000)
})

test('a restore of an embedded database keeps the heads of the audit log that was there, and brings none', async () => {
  const settings = { DATA_DIR: await newDataDir(), PUBLIC_URL }
  const server = await serverOf(settings)
  await server.deps.media.write('avatars/one.jpg', Buffer.from('picture'), 'image/jpeg')
  await signIn(server, 'first@club.test')
  await server.close()
  const backup = folderOf((await touchline(['backup', '--to', await newFolder()], settings)).out)
  // of somebody who would hide what is missing
  await mkdir(join(backup, 'media', 'audit'))
  await writeFile(join(backup, 'media', HEADS), 'forged')
  const clock = movableClock(new Date(Date.now() + 3_600_000))
  const later = await startServer({ dataDir: settings.DATA_DIR, env: settings, clock })
  await signIn(later, 'second@club.test')
  await sweepAudit(later.deps)
  await later.close()
  const heads = await readFile(join(settings.DATA_DIR, 'media', HEADS), 'utf8')
  expect(await touchline(['restore', '--replace', backup], settings)).toMatchObject({ exit: 0 })
  expect(await readFile(join(settings.DATA_DIR, 'media', HEADS), 'utf8')).toBe(heads)
  expect(await readdir(join(settings.DATA_DIR, 'media', 'avatars'))).toEqual(['one.jpg'])
  const again = await serverOf(settings)
  onTestFinished(again.close)
  await sweepAudit(again.deps)
  const kept = (await readdir(join(settings.DATA_DIR, 'media', 'audit'))).find((name) => name !== 'heads.json') ?? ''
  expect(await readFile(join(settings.DATA_DIR, 'media', 'audit', kept), 'utf8')).toBe(heads)
  expect(await toolActs(again, '')).toEqual(expect.arrayContaining([expect.stringMatching(new RegExp(`^[1-9]\\d* audit/${kept}$`))]))
  expect(await toolActs(again, 'tool restore')).toHaveLength(1)
}, 180_000)

/** An embedded database with a restored copy of it unpacked beside it, which has not taken its place yet. */
async function unpackedBeside() {
  const settings = { DATA_DIR: await newDataDir(), PUBLIC_URL }
  const server = await serverOf(settings)
  const copy = await server.deps.embedded?.copyFiles()
  await server.close()
  const { part } = placesOf(settings.DATA_DIR)
  await mkdir(part)
  await unpackFiles(copy ?? new Blob(), part, { backupAt: '2026-11-20T00:00:00.000Z', begunAt: new Date().toISOString() })
  return settings
}

test('a restore of an embedded database that was killed before it was in the audit log is written there by the next start', async () => {
  const settings = await unpackedBeside()
  expect(await doctor(settings)).toMatch(/DATA_DIR: A restore into .* was killed/)
  await takePlace(settings.DATA_DIR)
  await settleRestore(settings.DATA_DIR)
  expect(await doctor(settings)).toMatch(/warning +DATA_DIR: A restore into .* was killed before it was in the audit log: start a server/)
  const again = await serverOf(settings)
  onTestFinished(again.close)
  expect(await toolActs(again, 'tool restore')).toEqual(['tool restore 2026-11-20T00:00:00.000Z'])
  await again.close()
  expect(await doctor(settings)).not.toMatch(/restore/)
}, 120_000)

test('what a restore of an embedded database replaced goes also where nothing but the database was restored', async () => {
  const settings = await unpackedBeside()
  const { before } = placesOf(settings.DATA_DIR)
  await takePlace(settings.DATA_DIR)
  await settleRestore(settings.DATA_DIR)
  await expect(readdir(before)).rejects.toThrow('ENOENT')
}, 120_000)
