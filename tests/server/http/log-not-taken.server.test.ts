import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, open, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { emptyDatabase, engines } from '#tests/support/databases.ts'
import { freePort } from '#tests/support/free-port.ts'
import { canMount, smallDisk } from '#tests/support/small-disk.ts'
import { waitFor } from '#tests/support/wait-for.ts'

/** The program in a process of its own, which logs to a file, or to a pipe that nobody reads yet. */
async function program(log: number | 'pipe') {
  const { location, drop } = await emptyDatabase('postgres')
  if (!('url' in location)) throw new Error('no address')
  const folder = await mkdtemp(join(tmpdir(), 'touchline-log-'))
  const port = String(await freePort())
  const address = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, ['src/server/main.ts'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: port,
      PUBLIC_URL: address,
      DATA_DIR: folder,
      DATABASE_URL: location.url,
      LOG_LEVEL: 'info',
    },
    stdio: ['ignore', log, 'inherit'],
  })
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
    await drop()
    await rm(folder, { recursive: true, force: true })
  })
  const lives = () => fetch(`${address}/livez`, { signal: AbortSignal.timeout(2000) }).then(({ status }) => status)
  await waitFor(() => lives().catch(() => false), 40_000)
  /** two lines each, of which one has 2,000 characters */
  const call = async (count: number) => {
    for (let left = count; left > 0; left -= 50)
      await Promise.all(Array.from({ length: 50 }, () => fetch(`${address}/api${'/x'.repeat(1000)}`)))
  }
  const stop = async () => {
    child.kill('SIGTERM')
    return Promise.race([exited, new Promise((resolve) => setTimeout(resolve, 10_000, ['it hangs']))])
  }
  return { stdout: child.stdout, lives, call, stop }
}

interface Line {
  msg: string
  lines?: number
}

/** How many lines there are of calls, and how many the log says are missing. */
function countLines(log: string) {
  // a line that was cut would be no JSON, or not be counted
  const lines = log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)
  const ofCalls = lines.filter(({ msg }) => msg === 'incoming request' || msg === 'request completed').length
  return { ofCalls, missing: lines.flatMap((line) => line.lines ?? []).reduce((sum, more) => sum + more, 0) }
}

describe.runIf(engines.includes('postgres'))('the server goes on, and ends with 0', () => {
  test.runIf(existsSync('/dev/full'))(
    'while its log takes nothing',
    async () => {
      const file = await open('/dev/full', 'w')
      onTestFinished(() => file.close())
      const { lives, call, stop } = await program(file.fd)
      await call(100)
      expect(await lives()).toBe(200)
      expect(await stop()).toEqual([0, null])
    },
    60_000,
  )

  test.runIf(canMount())(
    'while the disk of its log is full, and says afterwards how many lines are missing',
    async () => {
      const disk = smallDisk('size=32m')
      const path = join(disk, 'log')
      const file = await open(path, 'a')
      onTestFinished(() => file.close())
      const { lives, call, stop } = await program(file.fd)
      const fill = async () => {
        const { bavail, bsize } = await statfs(disk)
        await writeFile(join(disk, 'filler'), Buffer.alloc(bavail * bsize))
      }
      await fill()
      await call(3000)
      expect(await lives()).toBe(200)
      await rm(join(disk, 'filler'))
      await waitFor(async () => (await readFile(path, 'utf8')).includes('lines are missing here'))
      await call(50)
      await waitFor(async () => {
        const { ofCalls, missing } = countLines(await readFile(path, 'utf8'))
        return missing > 0 && ofCalls + missing === 2 * 3050
      })
      await fill()
      await call(100)
      expect(await stop()).toEqual([0, null])
    },
    120_000,
  )

  test('while nobody reads its log, of which a reader gets every line or their number', async () => {
    const { stdout, lives, call, stop } = await program('pipe')
    await call(3000)
    expect(await lives()).toBe(200)
    if (!stdout) throw new Error('no pipe')
    const reading = textOf(stdout)
    await call(50)
    expect(await stop()).toEqual([0, null])
    const { ofCalls, missing } = countLines(await reading)
    expect(missing).toBeGreaterThan(0)
    expect(ofCalls + missing).toBe(2 * 3050)
  }, 120_000)

  test('though nobody ever reads its log', async () => {
    const { lives, call, stop } = await program('pipe')
    await call(1000)
    expect(await lives()).toBe(200)
    expect(await stop()).toEqual([0, null])
  }, 60_000)

  test('though the reader of its log has gone', async () => {
    const { stdout, lives, call, stop } = await program('pipe')
    stdout?.destroy()
    await call(100)
    expect(await lives()).toBe(200)
    expect(await stop()).toEqual([0, null])
  }, 60_000)
})
