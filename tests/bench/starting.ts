/** `npm start` on a built clone until /api/health answers: with nothing in its data folder, and once it has been there. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Measured } from './figures.ts'
import { freePort } from './sites.ts'
import { spread } from './statistics.ts'
import { pause } from './browser.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const PATIENCE_MS = 60_000

async function startOnce(dataDir: string): Promise<number> {
  const port = await freePort()
  const started = performance.now()
  // a process group of its own: npm, its shell and the server end together
  const npm = spawn('npm', ['start'], {
    cwd: root,
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir },
  })
  const ended = once(npm, 'exit')
  try {
    while (performance.now() - started < PATIENCE_MS) {
      const isUp = await fetch(`http://127.0.0.1:${port}/api/health`).then(
        (reply) => reply.ok,
        () => false,
      )
      if (isUp) return (performance.now() - started) / 1000
      if (npm.exitCode !== null) throw new Error(`npm start ended with ${npm.exitCode}`)
      await pause(10)
    }
    throw new Error('npm start did not answer')
  } finally {
    if (npm.pid !== undefined) process.kill(-npm.pid, 'SIGTERM')
    await ended
    await untilFree(port)
  }
}

/** npm is gone before the server is: the next start would meet its lock. */
async function untilFree(port: number): Promise<void> {
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/api/health`).then(
      () => true,
      () => false,
    )
  while (await isUp()) await pause(50)
  await pause(500)
}

export async function measureStarting(runs: number): Promise<Measured[]> {
  const first: number[] = []
  const later: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const folder = await mkdtemp(join(tmpdir(), 'touchline-start-'))
    try {
      first.push(await startOnce(folder))
      later.push(await startOnce(folder))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  const row = (key: string, seconds: number[]): Measured => {
    const value = spread(seconds)
    return { key, value, ours: `${value.median.toFixed(2)} s`, detail: seconds }
  }
  return [row('start-first', first), row('start-later', later)]
}
