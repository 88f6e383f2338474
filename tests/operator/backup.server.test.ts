import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { freePort } from '#tests/support/free-port.ts'
import { ownCluster } from '#tests/support/own-cluster.ts'
import { movableClock, ask, signIn } from '#tests/support/person.ts'
import { statementIn } from '#tests/support/postgres.ts'
import { startServer } from '#tests/support/start-server.ts'
import { allocate, coachWith } from '#tests/server/instances/support.ts'
import { folderOf, givenCluster, LAST_RELEASE, lastRelease, pgBin, PROGRAMS, refresh, sumOf } from './backups.ts'
import { compare, loadOn } from './load.ts'
import { newFolder, touchline } from './support.ts'

/** By Linux; of one that has ended but that nobody has asked about, a zombie is left. */
async function isRunning(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return /^State:\s+[^ZX]/m.test(status)
}

describe.runIf(PROGRAMS)('a PostgreSQL', () => {
  const { newDatabase, ofCluster, settingsFor } = givenCluster()

  test('is backed up under load, and restored with every acknowledged answer, with its sessions', async () => {
    const settings = await settingsFor(await newDatabase())
    const server = await startServer({ location: { url: settings.DATABASE_URL }, env: settings })
    const coach = await coachWith(server, 'coach@club.test', 2)
    await allocate(server, coach, 'invited@club.test')
    await server.deps.jobs.settled('mails')
    // one that failed, and waits until tomorrow
    await statementIn(
      settings.DATABASE_URL,
      `update jobs.job set state = 'retry', start_after = now() + interval '1 day', completed_on = null where name = 'mails'`,
    )
    const jobs = (url: string) => statementIn(url, `select id, name, state, data from jobs.job where name = 'mails'`)
    const waiting = await jobs(settings.DATABASE_URL)
    expect(waiting).toMatchObject([{ state: 'retry' }])
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
    expect(await jobs(url)).toEqual(waiting)

    const again = await startServer({ location: { url }, env: { ...settings, DATABASE_URL: url } })
    onTestFinished(again.close)
    expect(await compare(again, load.savers, counts)).toEqual({ found: sumOf(counts), missing: [] })
    expect((await refresh(again, load.savers[0]?.person.refreshToken ?? '')).status).toBe(200)
    await allocate(again, await coachWith(again, 'coach@club.test', 0), 'later@club.test')
    await expect.poll(() => again.mails('later@club.test').length).toBe(1)
    const acts = await again.rows('audit_entries')
    expect(acts.map(({ about }) => String(about)).filter((about) => about.startsWith('tool '))).toEqual(
      expect.arrayContaining(['tool backup', expect.stringMatching(/^tool restore 20/)]),
    )
  }, 120_000)

  test('a backup leaves out what only a superuser may make, as an extension: the server’s own role restores it', async () => {
    const role = `own_${randomBytes(6).toString('hex')}`
    await ofCluster(`create role ${role} login`)
    onTestFinished(async () => void (await ofCluster(`drop role ${role}`)))
    const asOwner = (url: string) => url.replace('//postgres@', `//${role}@`)
    const made = await newDatabase(`owner ${role}`)
    const settings = await settingsFor(asOwner(made))
    const server = await startServer({ location: { url: settings.DATABASE_URL }, env: settings })
    await signIn(server, 'player@club.test', 'player')
    await server.close()
    await statementIn(
      made,
      'create extension pg_stat_statements; create schema monitoring; create table monitoring.seen (x int); create table noted (x int)',
    )
    const backup = await touchline(['backup', '--to', await newFolder(), ...pgBin], settings)
    expect(backup).toMatchObject({ exit: 0 })

    const empty = asOwner(await newDatabase(`owner ${role}`))
    for (const [DATABASE_URL, options] of [[empty, []] as const, [settings.DATABASE_URL, ['--replace']] as const]) {
      const check = await touchline(['restore', '--check', ...options, folderOf(backup.out), ...pgBin], { ...settings, DATABASE_URL })
      expect(check).toMatchObject({ exit: 0 })
      const restored = await touchline(['restore', ...options, folderOf(backup.out), ...pgBin], { ...settings, DATABASE_URL })
      expect(restored).toMatchObject({ exit: 0 })
      expect(await statementIn(DATABASE_URL, 'select email from users')).toMatchObject([{ email: 'player@club.test' }])
    }
    expect(await statementIn(made, 'select x from monitoring.seen')).toEqual([])
  })

  test('is restored by a role that may only make schemas, as the doctor advises; what cannot be is refused by a check, too', async () => {
    const role = `own_${randomBytes(6).toString('hex')}`
    await ofCluster(`create role ${role} login`)
    onTestFinished(async () => void (await ofCluster(`drop owned by ${role}; drop role ${role}`)))
    const made = await newDatabase()
    const name = new URL(made).pathname.slice(1)
    await ofCluster(`revoke temporary on database ${name} from public; grant create on database ${name} to ${role}`)
    await statementIn(made, `grant create on schema public to ${role}`)
    onTestFinished(async () => void (await statementIn(made, `drop owned by ${role}`)))
    const settings = await settingsFor(made.replace('//postgres@', `//${role}@`))
    expect(await touchline(['upgrade', '--no-backup'], settings)).toMatchObject({ exit: 0 })
    const backup = await touchline(['backup', '--to', await newFolder(), ...pgBin], settings)
    expect(backup).toMatchObject({ exit: 0 })
    const restore = (...options: string[]) => touchline(['restore', '--replace', ...options, folderOf(backup.out), ...pgBin], settings)
    expect(await restore('--check')).toMatchObject({ exit: 0 })
    expect(await restore()).toMatchObject({ exit: 0 })

    await statementIn(made, 'create schema theirs; alter table users set schema theirs; create sequence users')
    for (const options of [['--check'], []])
      expect(await restore(...options)).toMatchObject({
        exit: 1,
        err: expect.stringContaining('"users" already exists. Nothing was changed.'),
      })
  })

  test('of which a standby is named first, and is behind, is backed up from the primary', async () => {
    const own = await ownCluster(['fsync=off', 'wal_sender_timeout=3s'], PROGRAMS)
    const standby = await own.cluster.standby(join(own.folder, 'standby'), await freePort())
    onTestFinished(async () => {
      await standby.stop('SIGQUIT')
      await own.remove()
    })
    await own.cluster.start()
    await standby.start()
    for (const name of ['club', 'other']) await statementIn(own.cluster.url, `create database ${name}`)
    const hosts = `127.0.0.1:${standby.port},127.0.0.1:${own.cluster.port}`
    const settings = await settingsFor(`postgres://postgres@${hosts}/club`)
    expect(await touchline(['upgrade', '--no-backup'], settings)).toMatchObject({ exit: 0 })
    await expect.poll(() => statementIn(standby.url.replace(/postgres$/, 'other'), 'select 1')).toHaveLength(1)
    await statementIn(standby.url, 'select pg_wal_replay_pause()')
    const server = await startServer({ location: { url: settings.DATABASE_URL }, env: settings })
    await signIn(server, 'player@club.test', 'player')
    await server.close()

    const backup = await touchline(['backup', '--to', await newFolder(), ...pgBin], settings)
    expect(backup).toMatchObject({ exit: 0 })
    const restored = await touchline(['restore', folderOf(backup.out), ...pgBin], {
      ...settings,
      DATABASE_URL: settings.DATABASE_URL.replace('club', 'other'),
    })
    expect(restored).toMatchObject({ exit: 0 })
    expect(await statementIn(own.cluster.url.replace(/postgres$/, 'other'), 'select email from users')).toHaveLength(1)
  }, 120_000)

  test('a backup says which keys must be kept beside it: those that are in the settings', async () => {
    const sentenceFor = async (keys?: Record<string, string>) => {
      const settings = await settingsFor(await newDatabase(), keys)
      const server = await startServer({ location: { url: settings.DATABASE_URL }, dataDir: settings.DATA_DIR, env: settings })
      await server.close()
      const { out, err } = await touchline(['backup', '--to', await newFolder(), ...pgBin], settings)
      // a demo has the secret of its own pages there
      expect(await readdir(folderOf(out))).toContain('keys.json')
      return err
    }
    expect(await sentenceFor()).toBe(
      'The settings with their keys (.env) are not in the backup: keep a copy of them, or sessions end and the audit log cannot be verified.',
    )
    expect(await sentenceFor({})).toBe('The settings (.env) are not in the backup: keep a copy of them.')
  })

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

  test('of two backups in one second one is refused, and the other is whole', async () => {
    const url = await newDatabase()
    const settings = await settingsFor(url)
    await (await startServer({ location: { url }, env: settings })).close()
    const to = await newFolder()
    const now = new Date()
    const both = await Promise.all([1, 2].map(() => touchline(['backup', '--to', to, ...pgBin], settings, () => now)))
    const [done, refused] = both.toSorted((a, b) => a.exit - b.exit)
    expect([done?.exit, refused?.exit]).toEqual([0, 1])
    expect(refused?.err).toContain('Wait a second')
    const [name = '', ...others] = await readdir(to)
    expect(others).toEqual([])
    const fresh = await settingsFor(await newDatabase())
    expect(await touchline(['restore', '--check', join(to, name), ...pgBin], fresh)).toMatchObject({ exit: 0 })
  })

  /** The tool in a process of its own, with a pg_dump that waits for ever; resolves once that has begun. */
  async function backupThatWaits() {
    const url = await newDatabase()
    const settings = await settingsFor(url)
    await (await startServer({ location: { url }, env: settings })).close()
    const [to, folder] = [await newFolder(), await newFolder()]
    const begun = join(folder, 'begun')
    const script = `#!/bin/sh\n[ "$1" = --version ] && exec ${join(PROGRAMS ?? '', 'bin', 'pg_dump')} --version\necho $$ > ${begun}\nexec sleep 600\n`
    await writeFile(join(folder, 'pg_dump'), script, { mode: 0o755 })
    const args = [resolve('src/operator/touchline.mjs'), 'backup', '--to', to, '--pg-bin', folder]
    const child = spawn(process.execPath, args, { env: { ...settings, PATH: process.env['PATH'] }, stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.on('data', (chunk) => (said += String(chunk)))
    await expect.poll(() => readFile(begun, 'utf8').catch(() => ''), { timeout: 30_000 }).toMatch(/^\d+\n$/)
    const dump = Number(await readFile(begun, 'utf8'))
    const end = async (signal: NodeJS.Signals) => {
      child.kill(signal)
      const [code] = (await once(child, 'exit')) as [number | null]
      return code
    }
    return { to, dump, said: () => said, end }
  }

  test('a backup that is told to stop ends its pg_dump, and leaves nothing', async () => {
    const { to, dump, said, end } = await backupThatWaits()
    expect(await end('SIGTERM')).toBe(1)
    await expect.poll(said).toContain('it was ended by SIGTERM')
    expect(() => process.kill(dump, 0)).toThrow('ESRCH')
    expect(await readdir(to)).toEqual([])
  }, 60_000)

  test.runIf(process.platform === 'linux')(
    'a backup that is killed ends its pg_dump',
    async () => {
      const { dump, end } = await backupThatWaits()
      onTestFinished(async () => void ((await isRunning(dump)) && process.kill(dump)))
      expect(await end('SIGKILL')).toBeNull()
      await expect.poll(() => isRunning(dump)).toBe(false)
    },
    60_000,
  )

  test('a backup removes what killed ones have left for an hour, and nothing else', async () => {
    const settings = await settingsFor(await newDatabase())
    const to = await newFolder()
    const longAgo = new Date(Date.now() - 2 * 3_600_000)
    const make = async (name: string, wroteAt: Date) => {
      await mkdir(join(to, name))
      await writeFile(join(to, name, 'database.dump'), 'half')
      await utimes(join(to, name, 'database.dump'), wroteAt, wroteAt)
      await utimes(join(to, name), longAgo, longAgo)
    }
    await make('touchline-2026-01-01T01-00-00Z.part', longAgo)
    await make('touchline-2026-01-01T02-00-00Z.part', new Date())
    await make('touchline-2026-01-01T03-00-00Z', longAgo)
    await make('holiday.part', longAgo)
    await touchline(['backup', '--to', to, ...pgBin], settings)
    expect((await readdir(to)).toSorted()).toEqual([
      'holiday.part',
      'touchline-2026-01-01T02-00-00Z.part',
      'touchline-2026-01-01T03-00-00Z',
    ])
  })
})
