import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { inject } from 'vitest'
import type { DatabaseLocation } from '#server/db/open.ts'
import { MIGRATED } from './engines.ts'
import { poolTo } from './postgres.ts'

/** Databases for one test alone, on the PostgreSQL of this vitest run or embedded in the test's process. */

export type Engine = 'embedded' | 'postgres'

/** `describe.each(engines)('… (%s)', (database) => …)`: for behaviour that could differ between them. */
export const engines: Engine[] = inject('postgresUrl') === null ? ['embedded'] : ['embedded', 'postgres']

/** PostgreSQL, as in production, if its binaries are installed for this machine. */
export const defaultEngine: Engine = inject('postgresUrl') === null ? 'embedded' : 'postgres'

interface OwnDatabase {
  location: DatabaseLocation
  drop: () => Promise<void>
}

/** A database with all tables and no rows. */
export async function emptyDatabase(engine: Engine = defaultEngine): Promise<OwnDatabase> {
  if (engine === 'embedded') return { location: { memory: true, image: await migratedImage() }, drop: async () => {} }
  return newDatabase(`template ${MIGRATED}`)
}

/** A database without tables. */
export async function unmigratedDatabase(engine: Engine): Promise<OwnDatabase> {
  return engine === 'embedded' ? { location: { memory: true }, drop: async () => {} } : newDatabase()
}

async function newDatabase(options = ''): Promise<OwnDatabase> {
  const cluster = inject('postgresUrl')
  if (cluster === null) throw new Error('no PostgreSQL binaries are installed for this machine')
  const name = `test_${randomBytes(8).toString('hex')}`
  await onCluster(cluster, `create database ${name} ${options}`)
  return {
    location: { url: addressOf(cluster, name) },
    drop: () => onCluster(cluster, `drop database if exists ${name} with (force)`),
  }
}

function addressOf(cluster: string, name: string): string {
  const url = new URL(`/${name}`, cluster)
  const pooler = inject('poolerPort')
  if (pooler !== null) url.port = String(pooler)
  return url.href
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

/** The migrated embedded database, read once per worker. */
function migratedImage(): Promise<Blob> {
  image ??= readFile(inject('embeddedImage')).then((bytes) => new Blob([bytes]))
  return image
}
