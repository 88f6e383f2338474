import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate } from '#server/db/migrate.ts'
import { makeCluster, postgresBinaries, type Cluster } from './postgres.ts'

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

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-engines-'))
  await chmod(folder, 0o755)
  const image = join(folder, 'image.tar')
  const [cluster] = await Promise.all([startPostgres(folder), writeImage(image)])
  project.provide('embeddedImage', image)
  project.provide('postgresUrl', cluster?.url ?? null)
  return async () => {
    await cluster?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function writeImage(path: string): Promise<void> {
  const client = await PGlite.create()
  await migrate(drizzle(client))
  const dump = await client.dumpDataDir('none')
  await writeFile(path, Buffer.from(await dump.arrayBuffer()))
  await client.close()
}

async function startPostgres(folder: string): Promise<Cluster | undefined> {
  const installed = postgresBinaries()
  if (installed === undefined) return undefined
  const cluster = await makeCluster(installed, folder, await freePort(), ['fsync=off'])
  await cluster.start()
  return cluster
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
