import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '#tests/support/free-port.ts'
import { emptyDatabase, engines } from '#tests/support/databases.ts'
import { canMount, smallDisk } from '#tests/support/small-disk.ts'
import { startServer } from '#tests/support/start-server.ts'
import { productionSettings } from './production-settings.ts'

/** The program as it is started, in a process of its own. */
async function run(env: Record<string, string>, ...nodeOptions: string[]) {
  const child = spawn(process.execPath, [...nodeOptions, 'src/server/main.ts'], {
    env: { PATH: process.env['PATH'] ?? '', PORT: String(await freePort()), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)))
  // after all its output
  const exited = once(child, 'close')
  const listening = new Promise<void>((resolve) => child.stdout.on('data', () => text.includes('listens on') && resolve()))
  await Promise.race([exited, listening])
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
  }
  const says = async (part: string) => {
    while (!text.includes(part) && child.exitCode === null) await once(child.stdout, 'data')
  }
  return {
    text: () => text,
    says,
    stop,
    isListening: child.exitCode === null && child.signalCode === null,
    ended: child.exitCode ?? child.signalCode,
  }
}

/** The files of this repository that a start loads, by their path from the top. */
async function loadedBy(env: Record<string, string>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-modules-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const report = join(folder, 'modules')
  const server = await run({ ...env, REPORT_MODULES: report }, '--import', './tests/support/report-modules.ts')
  expect(server.isListening, server.text()).toBe(true)
  await server.stop()
  const urls = (await readFile(report, 'utf8')).trim().split('\n')
  const root = `${pathToFileURL(process.cwd()).href}/`
  return urls.filter((url) => url.startsWith(root) && !url.includes('/node_modules/')).map((url) => url.slice(root.length))
}

const sandboxIn = (files: string[]) => files.filter((path) => path.startsWith('src/sandbox/'))

/** Every outside service is a real one; a start calls only the database. */
const production = (databaseUrl: string) => ({ ...productionSettings, DATABASE_URL: databaseUrl })

test('a demo loads the sandbox', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-folder-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  expect(sandboxIn(await loadedBy({ DATA_DIR: folder }))).toContain('src/sandbox/open-sandbox.ts')
}, 90_000) // an embedded database is made, which took longer than 30 s beside much else

test('a signal while its modules are still loading ends it with 0', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-folder-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { ended, text } = await run({ DATA_DIR: join(folder, 'data') }, '--import', './tests/support/signal-while-loading.ts')
  expect([ended, text()]).toEqual([0, ''])
})

describe('the data folder', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'touchline-folder-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** Everything in it that others than its owner can access, with its mode. */
  async function openToOthers(path: string): Promise<string[]> {
    const names = ['', ...(await readdir(path, { recursive: true }))]
    const modes = await Promise.all(names.map(async (name) => [name, (await stat(join(path, name))).mode % 0o100] as const))
    return modes.filter(([, mode]) => mode !== 0).map(([name, mode]) => `${name} ${mode.toString(8)}`)
  }

  test('is accessible to its owner only, even if it was not before', async () => {
    const path = join(folder, 'data')
    const first = await run({ DATA_DIR: path })
    expect(first.isListening, first.text()).toBe(true)
    expect(await openToOthers(path)).toEqual([])
    expect((await readdir(path, { recursive: true })).length).toBeGreaterThan(500)
    await first.stop()
    // as a build before this one left it
    await chmod(path, 0o755)
    for (const name of ['postgres/PG_VERSION', 'keys.json']) await chmod(join(path, name), 0o666)
    const second = await run({ DATA_DIR: path })
    expect(await openToOthers(path)).toEqual([])
    await second.stop()
  }, 120_000)

  test.each([
    ['a file', async () => writeFile(join(folder, 'file'), ''), 'file', 'it, or a folder above it, is a file or a link that leads nowhere'],
    ['below a file', async () => writeFile(join(folder, 'other'), ''), 'other/data', 'part of it is a file'],
    [
      'shared with everybody',
      async () => {
        await mkdir(join(folder, 'shared'))
        await chmod(join(folder, 'shared'), 0o1777)
      },
      'shared',
      'it is shared with other users',
    ],
  ])('that is %s stops the start, with the reason', async (_what, make, name, reason) => {
    await make()
    const { text, isListening } = await run({ DATA_DIR: join(folder, name) })
    expect(isListening).toBe(false)
    expect(text().trim()).toMatch(new RegExp(`^DATA_DIR \\(${join(folder, name)}\\) cannot be used: ${reason}[^\\n]*$`))
  })

  test.runIf(canMount())(
    'on a disk that fills meanwhile is named, and is used once there is room',
    async () => {
      const disk = smallDisk('size=90m')
      const { bavail, bsize } = await statfs(disk)
      await writeFile(join(disk, 'filler'), Buffer.alloc(bavail * bsize - 1024 * 1024))
      const full = await run({ DATA_DIR: join(disk, 'data') })
      expect([full.isListening, full.text().trim()]).toEqual([false, `DATA_DIR (${join(disk, 'data')}) cannot be used: its disk is full.`])
      await rm(join(disk, 'filler'))
      const roomy = await run({ DATA_DIR: join(disk, 'data') })
      expect(roomy.isListening, roomy.text()).toBe(true)
      await roomy.stop()
    },
    240_000,
  )

  test.runIf(canMount() && engines.includes('postgres'))(
    'on a disk without room for the keys is named, and is used once there is room',
    async () => {
      const { location, drop } = await emptyDatabase('postgres')
      if (!('url' in location)) throw new Error('no address')
      const disk = smallDisk('size=1m')
      await mkdir(join(disk, 'data'))
      const { bavail, bsize } = await statfs(disk)
      await writeFile(join(disk, 'filler'), Buffer.alloc(bavail * bsize))
      const settings = { DATA_DIR: join(disk, 'data'), DATABASE_URL: location.url }
      const full = await run(settings)
      expect([full.isListening, full.text().trim()]).toEqual([false, `DATA_DIR (${join(disk, 'data')}) cannot be used: its disk is full.`])
      expect(await readdir(join(disk, 'data'))).toEqual([])
      await rm(join(disk, 'filler'))
      const roomy = await run(settings)
      expect(roomy.isListening, roomy.text()).toBe(true)
      await roomy.stop()
      await drop()
    },
    60_000,
  )
})

describe.runIf(engines.includes('postgres'))('production', () => {
  test('with all settings, writes nothing to DATA_DIR, and warns of links that are not set', async () => {
    const { location, drop } = await emptyDatabase('postgres')
    if (!('url' in location)) throw new Error('no address')
    // nobody can make a folder there, not even root
    const server = await run({ ...production(location.url), DATA_DIR: '/proc/touchline' })
    expect(server.isListening, server.text()).toBe(true)
    // the last of the three
    await server.says('LINK_CONTACT is not set')
    await server.stop()
    for (const name of ['LINK_TERMS', 'LINK_PRIVACY', 'LINK_CONTACT']) expect(server.text()).toContain(`${name} is not set`)
    await drop()
  })

  test('loads nothing of the sandbox', async () => {
    const { location, drop } = await emptyDatabase('postgres')
    if (!('url' in location)) throw new Error('no address')
    const loaded = await loadedBy(production(location.url))
    expect(loaded).toContain('src/server/outside/media-s3.ts')
    expect(sandboxIn(loaded)).toEqual([])
    await drop()
  })

  test('names the setting when the database lets in too few connections', async () => {
    const { location, drop } = await emptyDatabase('postgres')
    if (!('url' in location)) throw new Error('no address')
    const admin = new Client(location.url)
    await admin.connect()
    const url = new URL(location.url)
    const owner = `owner_of_${url.pathname.slice(1)}`
    await admin.query(`create role ${owner} login connection limit 1`)
    await admin.query(`create database ${owner} owner ${owner}`)
    url.username = owner
    url.pathname = owner
    const { text, isListening } = await run(production(url.href))
    expect(isListening).toBe(false)
    expect(text()).toMatch(/^DATABASE_URL: too many connections for role .*\. It has no connection left: lower DATABASE_CONNECTIONS/m)
    await admin.query(`drop database ${owner} with (force)`)
    await admin.query(`drop role ${owner}`)
    await admin.end()
    await drop()
  })

  test('refuses the database of a demo, and says what to do', async () => {
    const { location, drop } = await emptyDatabase('postgres')
    if (!('url' in location)) throw new Error('no address')
    await (await startServer({ location, hasDemoAccounts: true })).close()
    const { text, isListening } = await run(production(location.url))
    expect(isListening).toBe(false)
    expect(text()).toContain('the database of a demo')
    expect(text()).toContain('coach@demo.test')
    expect(text()).toContain('Create an empty database')
    await drop()
  })
})
