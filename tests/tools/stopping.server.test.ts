import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { beginCall } from '#tests/support/begin-call.ts'
import { copyDemoFolder } from '#tests/support/demo-folder.ts'
import { freePort } from '#tests/support/free-port.ts'
import { waitFor } from '#tests/support/wait-for.ts'

// a test may build the portal and start a database on a busy machine
const TIMEOUT_MS = 240_000

/** Starts `npm …` in its own session, as a supervisor does. */
async function npm(args: string[], settings: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-npm-'))
  await copyDemoFolder(folder)
  // these come from the npm script that runs this test
  const { npm_lifecycle_event: _, PUBLIC_URL: __, ...inherited } = process.env
  const env = { ...inherited, DATA_DIR: folder, LOG_LEVEL: 'silent', ...settings }
  const child = spawn('npm', args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)))
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    for (const pid of await membersOf(child)) process.kill(pid, 'SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  return { child, exited, text: () => text }
}

/** The processes of its session, npm included. */
async function membersOf({ pid = 0 }: ChildProcess): Promise<number[]> {
  const members: number[] = []
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '')
    const [state, , , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (Number(session) === pid && state !== 'Z') members.push(Number(entry))
  }
  return members
}

const isUp = (url: string) =>
  fetch(url)
    .then(({ ok }) => ok)
    .catch(() => false)

describe.runIf(process.platform === 'linux')('SIGTERM', () => {
  test(
    'to `npm start` ends npm and the server',
    async () => {
      const port = String(await freePort())
      const { child, exited } = await npm(['start'], { PORT: port })
      await waitFor(() => isUp(`http://127.0.0.1:${port}/api/health`), TIMEOUT_MS / 2)
      expect((await membersOf(child)).length).toBeGreaterThan(1)
      child.kill('SIGTERM')
      await exited
      await waitFor(async () => (await membersOf(child)).length === 0, TIMEOUT_MS / 2)
      await expect(fetch(`http://127.0.0.1:${port}/api/health`)).rejects.toThrow('fetch failed')
    },
    TIMEOUT_MS,
  )

  test.each([['start'], ['dev']])(
    'to the whole group of `npm run %s`, even repeated, interrupts no running call',
    async (script) => {
      const port = String(await freePort())
      const { child, exited } = await npm(['run', script], { PORT: port, PORTAL_PORT: String(await freePort()) })
      await waitFor(() => isUp(`http://127.0.0.1:${port}/api/health`), TIMEOUT_MS / 2)
      const finish = await beginCall(Number(port))
      const signalAll = (signal: NodeJS.Signals) => process.kill(-(child.pid ?? 0), signal)
      signalAll('SIGTERM')
      // a supervisor signals the shell and npm too, and may signal the server again after they have ended
      await exited
      await waitFor(async () => !(await isUp(`http://127.0.0.1:${port}/api/health`)), TIMEOUT_MS / 2)
      signalAll('SIGTERM')
      signalAll('SIGINT')
      expect(await finish()).toMatch(/^HTTP\/1\.1 404 /)
      await waitFor(async () => (await membersOf(child)).length === 0, TIMEOUT_MS / 2)
    },
    TIMEOUT_MS,
  )

  test(
    'to `npm run dev`, with both ports chosen, ends all its processes',
    async () => {
      const port = String(await freePort())
      const portal = String(await freePort())
      const { child, exited } = await npm(['run', 'dev'], { PORT: port, PORTAL_PORT: portal })
      // vite passes this call to the server
      await waitFor(() => isUp(`http://localhost:${portal}/api/health`), TIMEOUT_MS / 2)
      child.kill('SIGTERM')
      await exited
      await waitFor(async () => (await membersOf(child)).length === 0, TIMEOUT_MS / 2)
    },
    TIMEOUT_MS,
  )
})

describe('a port that is taken', () => {
  test.each([['PORT'], ['PORTAL_PORT']])(
    'in %s stops `npm run dev` with one sentence, before it starts anything',
    async (setting) => {
      const other = createServer().listen(0, 'localhost')
      await once(other, 'listening')
      const taken = String((other.address() as { port: number }).port)
      const ports = { PORT: String(await freePort()), PORTAL_PORT: String(await freePort()), [setting]: taken }
      const { child, exited, text } = await npm(['run', 'dev'], ports)
      expect((await exited)[0]).toBe(1)
      expect(text()).toContain(`${setting}: ${taken} is in use`)
      expect(text()).not.toMatch(/\n +at /)
      if (process.platform === 'linux') expect(await membersOf(child)).toEqual([])
      other.close()
    },
    TIMEOUT_MS,
  )

  test(
    'in PORT stops `npm start` with one sentence',
    async () => {
      const other = createServer().listen(0, '127.0.0.1')
      await once(other, 'listening')
      const taken = String((other.address() as { port: number }).port)
      const { exited, text } = await npm(['start'], { PORT: taken })
      expect((await exited)[0]).toBe(1)
      expect(text()).toContain(`PORT: ${taken} on 127.0.0.1 is in use`)
      expect(text()).not.toMatch(/\n +at /)
      other.close()
    },
    TIMEOUT_MS,
  )
})
