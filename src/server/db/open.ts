import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { Pool } from 'pg'
import { holdLock } from './lock.ts'
import * as schema from './schema.ts'

interface Rows<Row> {
  rows: Row[]
}
interface Result extends PgQueryResultHKT {
  readonly type: Rows<this['row']>
}

/** The same queries on either engine; a transaction is one of these as well. */
export type Database = PgDatabase<Result, typeof schema>

export interface OpenDatabase {
  db: Database
  /** true while so many calls wait for a connection that another would only wait in vain */
  isOverloaded: () => boolean
  close: () => Promise<void>
}

/** Where the data is: a folder of our own, nowhere (tests), or a PostgreSQL. */
export type Place = { folder: string } | { memory: true; image?: Blob } | { url: string; connections?: number }

// what waits beyond this is answered 503 at once (promises §3, 70)
const WAITING_MAXIMUM = 500

/** Opens the database. The embedded one is locked for as long as this process lives. */
export async function openDatabase(place: Place, onError: (error: unknown) => void): Promise<OpenDatabase> {
  if ('url' in place) return openPostgres(place.url, place.connections ?? 16, onError)
  if ('memory' in place) return openEmbedded(await PGlite.create(place.image ? { loadDataDir: place.image } : {}), () => {})
  await mkdir(place.folder, { recursive: true })
  const release = holdLock(join(place.folder, 'lock.sqlite'))
  return openEmbedded(await PGlite.create(join(place.folder, 'postgres')), release)
}

function openEmbedded(client: PGlite, release: () => void): OpenDatabase {
  return {
    // the two drivers differ in their result types only beyond `rows`
    db: drizzlePglite(client, { schema }),
    isOverloaded: () => false,
    close: async () => {
      await client.close()
      release()
    },
  }
}

function openPostgres(url: string, connections: number, onError: (error: unknown) => void): OpenDatabase {
  const pool = new Pool({ connectionString: url, max: connections, connectionTimeoutMillis: 5000, keepAlive: true })
  // an idle connection that breaks would otherwise end the process
  pool.on('error', onError)
  return {
    db: drizzlePg(pool, { schema }),
    isOverloaded: () => pool.waitingCount > WAITING_MAXIMUM,
    close: () => pool.end(),
  }
}

const DOWN = /^(08|57P0|53300|ECONNREFUSED|ECONNRESET|ENOTFOUND|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOENT)/
const DOWN_TEXT =
  /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error|connection ended/i

/** Whether an error says that the database cannot be reached, rather than that a query was wrong. */
export function isDatabaseDown(error: unknown): boolean {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth += 1) {
    if ('code' in one && typeof one.code === 'string' && DOWN.test(one.code)) return true
    if (DOWN_TEXT.test(one.message)) return true
    if (one instanceof AggregateError && one.errors.some(isDatabaseDown)) return true
  }
  return false
}

/** SQLSTATE of a unique violation, with the constraint that spoke. */
export function violatedConstraint(error: unknown): string | undefined {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth += 1) {
    if ('code' in one && one.code === '23505' && 'constraint' in one && typeof one.constraint === 'string') return one.constraint
  }
  return undefined
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text can be an id at all; the database would answer another with an error instead of nothing. */
export function isId(text: string): boolean {
  return ID.test(text)
}
