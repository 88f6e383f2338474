import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import type { Database } from './database.ts'
import { holdLock } from './lock.ts'
import { databaseOn } from './postgres.ts'
import { trackTransactions } from './transactions.ts'
import { addressesOf, awaitWritable, poolAt, sessionLimits, timeLimitsOf, type Pooler } from './connect.ts'

export interface OpenDatabase {
  db: Database
  /** the same without limits of time, for what may take minutes */
  unhurried: Database
  /** true while so many calls wait for a connection that another would only wait in vain */
  isOverloaded: () => boolean
  close: () => Promise<void>
}

/** Where the data is: a folder of our own, nowhere (tests), or a PostgreSQL. */
export type Place = { folder: string } | { memory: true; image?: Blob } | { url: string; connections?: number }

// what waits beyond this is answered 503 at once (INPUT-70)
const WAITING_MAXIMUM = 500

export interface OpenOptions {
  /** a call may take so long, and what it asks of PostgreSQL a little less; 15 unless told */
  callSeconds?: number
  /** of a PostgreSQL that is not there yet; 30 unless told */
  waitSeconds?: number
  /** whether each transaction may meet another session; found out unless told */
  pooler?: Pooler | undefined
  /** hears what an operator should know at the start */
  say?: (line: string) => void
}

/** Opens the database. The embedded one is locked for as long as this process lives. */
export async function openDatabase(place: Place, onError: (error: unknown) => void, options: OpenOptions = {}): Promise<OpenDatabase> {
  if ('url' in place) return openPostgres(place.url, place.connections ?? 16, onError, options)
  if ('memory' in place) return openEmbedded(await PGlite.create(place.image ? { loadDataDir: place.image } : {}), () => {})
  await mkdir(place.folder, { recursive: true })
  const release = holdLock(join(place.folder, 'lock.sqlite'))
  return openEmbedded(await PGlite.create(join(place.folder, 'postgres')), release)
}

function openEmbedded(client: PGlite, release: () => void): OpenDatabase {
  // the two drivers differ in their result types only beyond `rows`
  const db = trackTransactions(drizzlePglite(client))
  return {
    db,
    unhurried: db,
    isOverloaded: () => false,
    close: async () => {
      await client.close()
      release()
    },
  }
}

async function openPostgres(
  url: string,
  connections: number,
  onError: (error: unknown) => void,
  { callSeconds = 15, waitSeconds = 30, pooler, say = () => {} }: OpenOptions,
): Promise<OpenDatabase> {
  const limits = timeLimitsOf(callSeconds)
  const reaching = { addresses: addressesOf(url), limits, pooler }
  const found = await awaitWritable(reaching, waitSeconds, say)
  const isPooled = found.pooler === 'transaction'
  if (isPooled && pooler === undefined) {
    say('DATABASE_URL leads to a pooler (DATABASE_POOLER=transaction): statements go without names, limits of time with each transaction.')
  }
  const known = { ...reaching, pooler: found.pooler }
  const session = sessionLimits(limits)
  const pool = poolAt(found, known, { max: connections, query_timeout: limits.query, ...(isPooled ? {} : session) }, onError)
  const unhurried = poolAt(found, known, { max: 1, idleTimeoutMillis: 1000 }, onError)
  const perTransaction = Object.entries(session).map(([name, value]) => `set local ${name} = ${value}`)
  return {
    db: trackTransactions(databaseOn(pool, { hasNames: !isPooled, begin: ['begin', ...(isPooled ? perTransaction : [])].join('; ') })),
    unhurried: databaseOn(unhurried, { hasNames: false, begin: 'begin; set local statement_timeout = 0' }),
    isOverloaded: () => pool.waitingCount > WAITING_MAXIMUM,
    close: async () => {
      await Promise.all([pool.end(), unhurried.end()])
    },
  }
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
