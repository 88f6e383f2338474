import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Credentials } from '#contract/auth.ts'
import type { Instance, SaveReply } from '#contract/instances.ts'
import { seedInstance } from '#sandbox/demo-accounts/seed-instance.ts'
import { openDatabase } from '#server/db/open.ts'
import { productionSettings } from '#tests/server/production-settings.ts'
import { beginCall } from '#tests/support/begin-call.ts'
import { ownCluster, type OwnCluster } from '#tests/support/own-cluster.ts'
import { ask, claimsOf } from '#tests/support/person.ts'
import { build, canRun, filesOf, run, sizeOf, type Container } from './containers.ts'

/** The image of the Dockerfile in production mode, with a real PostgreSQL and a mail server. OPERATE-15 */

const SIZE_MAXIMUM = 250e6

let own: OwnCluster
let mailServer: SMTPServer
const mails: string[] = []

beforeAll(async () => {
  if (!canRun) throw new Error('no Docker engine runs here; as root, `apt-get install buildah podman runc mmdebstrap` serves instead')
  await build()
  own = await ownCluster()
  await own.cluster.start()
  mailServer = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: (stream, _session, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        mails.push(Buffer.concat(parts).toString())
        done()
      })
    },
  })
  mailServer.listen(0, '127.0.0.1')
  await once(mailServer.server, 'listening')
})
afterAll(async () => {
  await own.remove()
  await new Promise<void>((resolve) => mailServer.close(resolve))
})

async function started(): Promise<Container> {
  const { port } = mailServer.server.address() as AddressInfo
  const container = await run({
    ...productionSettings,
    DATABASE_URL: own.cluster.url,
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    TRUST_PROXY: 'none',
    DRAIN_SECONDS: '0',
  })
  onTestFinished(() => void container.remove())
  return container
}

test('is at most 250 MB', async () => {
  const size = await sizeOf()
  console.log(`the image has ${(size / 1e6).toFixed(0)} MB`)
  expect(size).toBeLessThanOrEqual(SIZE_MAXIMUM)
})

test('holds no shell, package manager, build tool or package of the browser', async () => {
  const files = await filesOf()
  expect(files).toContain('touchline/src/server/main.ts')
  expect(files).toContain('touchline/dist/index.html')
  const unwanted =
    /bin\/(sh|bash|dash|apt|dpkg|npm|npx|corepack)$|node_modules\/(npm|vite|typescript|vitest|playwright|react|node)\/|\.env$|\.git\//
  expect(files.filter((path) => unwanted.test(path))).toEqual([])
})

test('as a user without rights, with nothing writable, it serves a sign-in and a save', async () => {
  const container = await started()
  console.log(`accepted calls ${(container.startedIn / 1000).toFixed(1)} s after its start`)
  expect(await container.isHealthy()).toBe(true)
  expect(await container.exec('node', '-p', 'process.getuid()')).not.toBe('0')
  const write = `try { fs.writeFileSync('/touchline/x', '') } catch (error) { console.log(error.code) }`
  expect(await container.exec('node', '-e', write)).toBe('EROFS')

  const email = 'sam@club.test'
  const begun = await ask<{ session: string }>(container, 'POST', 'user/auth/initiate', { body: { email, userTypeCode: 'player' } })
  expect(begun.status).toBe(200)
  await expect.poll(() => mails.length).toBe(1)
  const otp = /\b\d{8}\b/.exec(mails[0] ?? '')?.[0]
  const verified = await ask<Credentials>(container, 'POST', 'user/auth/verify-otp', { body: { session: begun.body.session, email, otp } })
  expect(verified.status).toBe(200)
  const { accessToken: bearer } = verified.body

  const database = await openDatabase({ url: own.cluster.url, connections: 1 }, () => {})
  const userId = String(claimsOf(bearer)['sub'])
  const instanceId = await seedInstance(database.db, { userId, email, shareAnswered: 0 }, new Date())
  await database.close()
  const body = { instanceId, responses: [{ sectionName: 'Section2', id: 's2-q01', answer: 'A' }] }
  const saved = await ask<SaveReply>(container, 'POST', 'assessment/assessment-instance/responses', { bearer, body })
  expect(saved.status).toBe(200)
  const read = await ask<Instance>(container, 'GET', `assessment/assessment-instance/${instanceId}`, { bearer })
  expect(read.body.responses).toMatchObject([{ id: 's2-q01', answer: 'A' }])
})

test('as the first process of its container, it finishes running calls on SIGTERM and ends with 0', async () => {
  const container = await started()
  const main = `console.log(fs.readFileSync('/proc/1/cmdline', 'utf8').split('\\0').join(' ').trim())`
  expect(await container.exec('node', '-e', main)).toMatch(/^node .*src\/server\/main\.ts$/)
  const finish = await beginCall(container.port)
  await container.signal('SIGTERM')
  await expect
    .poll(() =>
      fetch(container.address).then(
        () => 'open',
        () => 'closed',
      ),
    )
    .toBe('closed')
  expect(await finish()).toMatch(/^HTTP\/1\.1 404 /)
  expect(await container.exited()).toBe(0)
})

test('without its settings it ends and names them', async () => {
  await expect(run({ TOUCHLINE_MODE: 'production' })).rejects.toThrow('DATABASE_URL is missing')
})
