import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { freePort } from './free-port.ts'
import { startPooler } from './pooler.ts'
import { makeCluster, poolTo, postgresBinaries, type Cluster } from './postgres.ts'

/**
 * Makes both database engines once for all server tests of a vitest run: an image of the migrated embedded database, and a
 * PostgreSQL in which every test server gets its own database.
 */

declare module 'vitest' {
  interface ProvidedContext {
    /** removed after the run */
    runFolder: string
    /** file with the image of a migrated embedded database */
    embeddedImage: string
    /** the cluster's default database; null if no binaries are installed for this machine */
    postgresUrl: string | null
    /** port of a transaction-mode pooler that test servers use instead; null unless POOLER is set */
    poolerPort: number | null
  }
}

/** The migrated database from which the database of each test is copied. */
export const MIGRATED = 'migrated'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-engines-'))
  await chmod(folder, 0o755)
  const image = join(folder, 'image.tar')
  const [cluster] = await Promise.all([startPostgres(folder), writeImage(image)])
  project.provide('runFolder', folder)
  project.provide('embeddedImage', image)
  project.provide('postgresUrl', cluster?.url ?? null)
  // POOLER=1 npm run test:server: everything through a pooler
  const pooler = cluster && process.env['POOLER'] ? await startPooler(cluster.port) : undefined
  project.provide('poolerPort', pooler?.port ?? null)
  return async () => {
    await pooler?.end()
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
  const installed = await postgresBinaries()
  if (installed === undefined) return undefined
  const cluster = await makeCluster(installed, folder, await freePort(), ['fsync=off'])
  await cluster.start()
  const pool = poolTo(cluster.url, 1)
  await pool.query(`create database ${MIGRATED}`)
  await pool.end()
  const { db, close } = await openDatabase({ url: cluster.url.replace(/\/postgres$/, `/${MIGRATED}`), connections: 1 }, () => {})
  await migrate(db)
  await close()
  return cluster
}
