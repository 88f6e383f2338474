import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { migrate } from '#server/db/migrate.ts'
import type { Database, Place } from '#server/db/open.ts'
import { MIGRATED } from './postgres-for-all.ts'
import { poolTo } from './postgres.ts'

/** Databases that nobody else has, on the PostgreSQL of this vitest run or embedded in the test's own process. */

export type Engine = 'embedded' | 'postgres'

/** `describe.each(engines)('… (%s)', (database) => …)`: for what could differ between them. */
export const engines: Engine[] = inject('postgresUrl') === null ? ['embedded'] : ['embedded', 'postgres']

/** That of production, where its binaries are installed for this machine. */
export const usualEngine: Engine = inject('postgresUrl') === null ? 'embedded' : 'postgres'

export interface OwnDatabase {
  place: Place
  drop: () => Promise<void>
}

/** All tables, no row. */
export async function emptyDatabase(engine: Engine = usualEngine): Promise<OwnDatabase> {
  if (engine === 'embedded') return { place: { memory: true, image: await migratedImage() }, drop: async () => {} }
  return newDatabase(`template ${MIGRATED}`)
}

/** Not even a table. */
export async function unmigratedDatabase(engine: Engine): Promise<OwnDatabase> {
  return engine === 'embedded' ? { place: { memory: true }, drop: async () => {} } : newDatabase()
}

async function newDatabase(options = ''): Promise<OwnDatabase> {
  const cluster = inject('postgresUrl')
  if (cluster === null) throw new Error('no PostgreSQL binaries are installed for this machine')
  const name = `test_${randomBytes(8).toString('hex')}`
  await onCluster(cluster, `create database ${name} ${options}`)
  return {
    place: { url: cluster.replace(/\/postgres$/, `/${name}`) },
    drop: () => onCluster(cluster, `drop database if exists ${name} with (force)`),
  }
}

async function onCluster(url: string, statement: string): Promise<void> {
  const pool = poolTo(url, 1)
  try {
    await pool.query(statement)
  } finally {
    await pool.end()
  }
}

let image: Promise<Blob> | undefined

/** The embedded database as its migrations leave it: made by the first test of a run that asks for one. */
function migratedImage(): Promise<Blob> {
  const path = join(inject('enginesFolder'), 'image.tar')
  image ??= readFile(path)
    .catch(() => writeImage(path))
    .then((bytes) => new Blob([bytes]))
  return image
}

async function writeImage(path: string): Promise<Buffer<ArrayBuffer>> {
  const client = await PGlite.create()
  await migrate(drizzle(client) as unknown as Database) // as in db/open.ts
  const dump = await client.dumpDataDir('none')
  await client.close()
  const bytes = Buffer.from(await dump.arrayBuffer())
  // another worker may make it at the same moment: each reads a whole one
  const unfinished = `${path}.${process.pid}`
  await writeFile(unfinished, bytes)
  await rename(unfinished, path)
  return bytes
}
