import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, copyFile, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '#tests/support/free-port.ts'
import { ownCluster } from '#tests/support/own-cluster.ts'
import { statementIn } from '#tests/support/postgres.ts'
import { pgBin, PROGRAMS } from './backups.ts'
import { keySettings, newFolder } from './support.ts'

const FOLDER = resolve('tests/operator/own-authority')
const AUTHORITY = join(FOLDER, 'certificate.pem')

/** A store that is empty, with a certificate that only `AUTHORITY` vouches for. */
async function storeWithOwnCertificate(reply = 'NoSuchBucket'): Promise<string> {
  const [key, cert] = [await readFile(join(FOLDER, 'key.pem')), await readFile(AUTHORITY)]
  const server = createServer({ key, cert }, (_request, response) => {
    response.writeHead(404, { 'content-type': 'application/xml' }).end(`<Error><Code>${reply}</Code></Error>`)
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `https://localhost:${(server.address() as AddressInfo).port}`
}

const settingsWith = async (authority: string, store: string) => ({
  NODE_EXTRA_CA_CERTS: authority,
  S3_ENDPOINT: store,
  S3_REGION: 'eu',
  S3_BUCKET: 'pictures',
  S3_ACCESS_KEY_ID: 'a',
  S3_SECRET_ACCESS_KEY: 'b',
  DATA_DIR: join(await newFolder(), 'data'),
  PORT: String(await freePort()),
})

async function doctor(authority: string) {
  return tool(['doctor'], await settingsWith(authority, await storeWithOwnCertificate()))
}

async function fileOf(settings: Record<string, string>): Promise<string> {
  const file = join(await newFolder(), '.env')
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
  await writeFile(file, lines.join('\n'))
  return file
}

/** Runs a command of the tool in a process of its own, with the settings of a file and no others. */
async function tool(args: readonly string[], settings: Record<string, string>) {
  const file = await fileOf(settings)
  const child = spawn(process.execPath, ['--', resolve('src/operator/touchline.mjs'), '--env-file', file, ...args], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, said }
}

/** OPERATE-16 */
test('an authority that the settings file names is trusted, as by the server', async () => {
  const { said } = await doctor(AUTHORITY)
  expect(said).toContain('NoSuchBucket')
  expect(said).not.toContain('certificate')
}, 60_000)

/** Node itself reads the variable from its environment only. */
test('the server trusts an authority that only its settings file names', async () => {
  const settings = await settingsWith(AUTHORITY, await storeWithOwnCertificate('NoSuchKey'))
  const child = spawn(process.execPath, ['--env-file', await fileOf(settings), 'src/server/main.ts'], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await once(child, 'close')
  })
  await once(child.stdout, 'data')
  const store = async () => {
    const response = await fetch(`http://127.0.0.1:${settings.PORT}/readyz`).catch(() => undefined)
    return ((await response?.json()) as { parts: { store: string } } | undefined)?.parts.store
  }
  await expect.poll(store, { timeout: 30_000 }).toMatch(/ok|failing/)
  expect(await store()).toBe('ok')
}, 90_000)

test('a certificate that nobody vouches for names the setting that does', async () => {
  expect((await doctor('')).said).toContain('add its authority through NODE_EXTRA_CA_CERTS')
}, 60_000)

test('an authority that is not there is named', async () => {
  expect(await doctor('/nowhere.pem')).toEqual({
    code: 2,
    said: expect.stringMatching(/^NODE_EXTRA_CA_CERTS: \/nowhere.pem cannot be read/),
  })
}, 60_000)

test.runIf(PROGRAMS)(
  'PostgreSQL’s programs trust the same authorities as the server',
  async () => {
    const folder = await newFolder()
    // who runs PostgreSQL where tests run as root may enter it
    await chmod(folder, 0o755)
    for (const name of ['certificate.pem', 'key.pem']) {
      await copyFile(join(FOLDER, name), join(folder, name))
      await chmod(join(folder, name), 0o600)
      if (process.getuid?.() === 0) await chown(join(folder, name), 65_534, 65_534)
    }
    const own = await ownCluster(
      ['fsync=off', 'ssl=on', `ssl_cert_file=${join(folder, 'certificate.pem')}`, `ssl_key_file=${join(folder, 'key.pem')}`],
      PROGRAMS,
    )
    onTestFinished(own.remove)
    await own.cluster.start()
    for (const name of ['first', 'second']) await statementIn(own.cluster.url, `create database ${name}`)
    const settings = (name: string) => ({
      ...keySettings(),
      NODE_EXTRA_CA_CERTS: AUTHORITY,
      DATABASE_URL: `postgres://postgres@localhost:${own.cluster.port}/${name}?sslmode=verify-full`,
      DATA_DIR: join(folder, 'data'),
    })
    const first = settings('first')
    expect(await tool(['upgrade', '--no-backup'], first)).toMatchObject({ code: 0 })
    const backup = await tool(['backup', '--to', await newFolder(), ...pgBin], first)
    expect(backup).toMatchObject({ code: 0 })
    const made = /^\/\S*touchline-\S+$/m.exec(backup.said)?.[0] ?? ''
    expect(await tool(['restore', made, ...pgBin], { ...first, DATABASE_URL: settings('second').DATABASE_URL })).toMatchObject({ code: 0 })
  },
  120_000,
)
