/** Time of `npm start` on a built clone until /api/health replies: with an empty data folder, and with a used one. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { setTimeout as delay } from 'node:timers/promises'
import type { Measured } from './figures.ts'
import { freePort } from './sites.ts'
import { spread } from './statistics.ts'
import { cache } from './yardsticks.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const TIMEOUT_MS = 60_000
// files that are not in git, which a clone has after its first start
const MADE = ['dist', '.cache/cities.stamp', 'public/media/cities']

/** A clone that is not edited, so that its build stays newer than its sources. */
async function builtClone(): Promise<string> {
  const clone = join(cache, 'clone')
  await rm(clone, { recursive: true, force: true })
  await promisify(execFile)('git', ['clone', '--quiet', '--local', root, clone])
  await symlink(join(root, 'node_modules'), join(clone, 'node_modules'))
  for (const made of MADE) if (existsSync(join(root, made))) await cp(join(root, made), join(clone, made), { recursive: true })
  return clone
}

async function startOnce(clone: string, dataDir: string): Promise<number> {
  const port = await freePort()
  const started = performance.now()
  // its own process group, so that npm, its shell and the server end together
  const npm = spawn('npm', ['start'], {
    cwd: clone,
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir },
  })
  const ended = once(npm, 'exit')
  try {
    while (performance.now() - started < TIMEOUT_MS) {
      const isUp = await fetch(`http://127.0.0.1:${port}/api/health`).then(
        (reply) => reply.ok,
        () => false,
      )
      if (isUp) return (performance.now() - started) / 1000
      if (npm.exitCode !== null) throw new Error(`npm start ended with ${npm.exitCode}`)
      await delay(10)
    }
    throw new Error('npm start did not answer')
  } finally {
    if (npm.pid !== undefined) process.kill(-npm.pid, 'SIGTERM')
    await ended
    await untilFree(port)
  }
}

/** Waits for the server, which ends after npm, because the next start would find its lock. */
async function untilFree(port: number): Promise<void> {
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/api/health`).then(
      () => true,
      () => false,
    )
  while (await isUp()) await delay(50)
  await delay(500)
}

async function inFolder(run: (folder: string) => Promise<unknown>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-start-'))
  try {
    await run(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export async function measureStarting(runs: number): Promise<Measured[]> {
  const clone = await builtClone()
  // the first start makes any missing files and is not measured
  await inFolder((folder) => startOnce(clone, folder))
  const first: number[] = []
  const later: number[] = []
  for (let run = 0; run < runs; run += 1) {
    await inFolder(async (folder) => {
      first.push(await startOnce(clone, folder))
      later.push(await startOnce(clone, folder))
    })
  }
  const row = (key: string, seconds: number[]): Measured => {
    const value = spread(seconds)
    return { key, value, ours: `${value.median.toFixed(2)} s`, detail: seconds }
  }
  return [row('start-first', first), row('start-later', later)]
}
