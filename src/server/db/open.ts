import { PGlite } from '@electric-sql/pglite'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import { fromPglite, type BackendProfile, type Db } from 'pg-boss'
import type { QueryResult } from 'pg'
import { unusable } from '../data-folder.ts'
import { makeFolder } from '../make-folder.ts'
import type { Database } from './database.ts'
import { holdLock } from './lock.ts'
import { databaseOn } from './postgres.ts'
import { markStatements, type ReplacedDatabase, type RestoreTimes } from './restore-mark.ts'
import { openReplica, type Replica } from './replica.ts'
import { trackTransactions } from './transactions.ts'
import { lockOf, markFiles, placesOf, settleRestore, unmarkFiles } from './unfinished-restore.ts'
import { addressesOf, awaitWritable, createPool, sessionLimits, timeLimitsOf, type Pooler } from './connect.ts'

export interface OpenDatabase {
  db: Database
  /** the same database without time limits, for work that may take minutes */
  withoutTimeouts: Database
  /**
   * An embedded database's files as they are between two statements, in a tar: what a crash would leave, from which it recovers.
   * null: a PostgreSQL, which pg_dump copies
   */
  copyFiles: (() => Promise<Blob>) | null
  /** removes the mark beside an embedded database's files that says it was restored */
  unmarkFiles: () => Promise<void>
  /** whether each transaction may get another session, by a pooler in between */
  isPooled: boolean
  /** null: there is none */
  replica: Replica | null
  /** whether it has replied to anybody in the last `within` milliseconds */
  hasReplied: (within: number) => boolean
  /** null: it has no connections */
  connections: () => Connections | null
  /** the same database for the job engine, which brings its own SQL */
  forJobs: { backend: BackendProfile; db: Db }
  close: () => Promise<void>
}

/** How many there are, now and at most, and how many calls wait for one. */
export interface Connections {
  open: number
  idle: number
  waiting: number
  maximum: number
}

/** Where the data is: in a local folder, in memory (tests), or in a PostgreSQL. */
export type DatabaseLocation = { folder: string } | { memory: true; image?: Blob } | { url: string; connections?: number }

export interface OpenOptions {
  /** how long a call may take; its statements get a little less. Default 15 */
  callSeconds?: number
  /** how long to wait for a PostgreSQL that is still starting. Default 30 */
  waitSeconds?: number
  /** whether each transaction may get another session; detected by default */
  pooler?: Pooler | undefined
  /** of a standby from which coaches' reads may come */
  replicaUrl?: string | undefined
  /** called with what the operator should know at start */
  announce?: (line: string) => void
}

/** The engine would allocate its 160 MB at once, of which a club needs little. */
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB']

/** Opens the database. An embedded one stays locked while this process runs. */
export async function openDatabase(
  location: DatabaseLocation,
  onError: (error: unknown) => void,
  options: OpenOptions = {},
): Promise<OpenDatabase> {
  if ('url' in location) return openPostgres(location.url, location.connections ?? 16, onError, options)
  if ('memory' in location)
    return openEmbedded(await PGlite.create({ startParams, ...(location.image ? { loadDataDir: location.image } : {}) }))
  await makeFolder(location.folder).catch((error: unknown) => {
    throw unusable(location.folder, error)
  })
  const release = holdLock(lockOf(location.folder))
  // the engine would make an empty database where there is none
  await settleRestore(location.folder)
  const { place } = placesOf(location.folder)
  const client = await PGlite.create(place, { startParams }).catch((error: unknown) => {
    release()
    throw isFileError(error) ? unusable(location.folder, fileError(error)) : error
  })
  return openEmbedded(client, { release, unmark: () => unmarkFiles(place) })
}

/** Major version of the PostgreSQL in the embedded engine: it opens files of that version only. Asking it would take seconds. */
export const EMBEDDED_VERSION = 18
/** The oldest major version of PostgreSQL that Touchline works with. */
export const POSTGRES_OLDEST = 15

/** The embedded engine's file system throws objects that are not Errors, with WASI's numbers. */
interface FileError {
  name: 'ErrnoError'
  errno: number
}
const DISK_FULL = 51

function isFileError(error: unknown): error is FileError {
  return typeof error === 'object' && error !== null && 'errno' in error && 'name' in error && error.name === 'ErrnoError'
}

function fileError({ errno }: FileError): Error {
  return errno === DISK_FULL
    ? Object.assign(new Error('No space left on device'), { code: 'ENOSPC' })
    : new Error(`the file system refused it (${errno})`)
}

/** Unpacks the tar of `copyFiles` into a new folder, opens it once, so that it recovers, and marks it as restored. */
export async function unpackFiles(copy: Blob, folder: string, restored: RestoreTimes, before?: ReplacedDatabase): Promise<void> {
  const client = await PGlite.create({ dataDir: folder, loadDataDir: copy, startParams }).catch((error: unknown) => {
    throw isFileError(error) ? fileError(error) : error
  })
  try {
    await client.query('select count(*) from schema_migrations')
    await client.exec(markStatements(restored, before))
  } finally {
    await client.close()
  }
  await markFiles(folder)
}

interface Files {
  release: () => void
  unmark: () => Promise<void>
}

/** @param files undefined: it is in memory */
function openEmbedded(client: PGlite, files?: Files): OpenDatabase {
  // the two drivers differ in their result types only beyond `rows`
  const db = trackTransactions(drizzlePglite(client))
  return {
    db,
    withoutTimeouts: db,
    copyFiles: () => client.dumpDataDir('none'),
    unmarkFiles: async () => files?.unmark(),
    isPooled: false,
    replica: null,
    hasReplied: () => false,
    connections: () => null,
    forJobs: { backend: 'pglite', db: fromPglite(client) },
    close: async () => {
      await client.close()
      files?.release()
    },
  }
}

async function openPostgres(
  url: string,
  connections: number,
  onError: (error: unknown) => void,
  { callSeconds = 15, waitSeconds = 30, pooler, replicaUrl, announce = () => {} }: OpenOptions,
): Promise<OpenDatabase> {
  const limits = timeLimitsOf(callSeconds)
  const connectOptions = { addresses: addressesOf(url), limits, pooler }
  const host = await awaitWritable(connectOptions, waitSeconds, announce)
  const isPooled = host.pooler === 'transaction'
  if (isPooled && pooler === undefined) {
    announce('DATABASE_URL leads to a pooler (DATABASE_POOLER=transaction): no named statements, and time limits are set per transaction.')
  }
  const detected = { ...connectOptions, pooler: host.pooler }
  const session = sessionLimits(limits)
  const pool = createPool(host, detected, { max: connections, query_timeout: limits.query, ...(isPooled ? {} : session) }, onError)
  let repliedAt = Number.NEGATIVE_INFINITY
  pool.on('release', (error: unknown) => {
    if (!error) repliedAt = performance.now()
  })
  const unlimitedPool = createPool(host, detected, { max: 1, idleTimeoutMillis: 1000 }, onError)
  // for the polls of the replica, which must not wait behind calls
  const pollingPool = createPool(host, detected, { max: 1, query_timeout: limits.query, ...(isPooled ? {} : session) }, onError)
  const pollConnection = databaseOn(pollingPool, { hasNames: false, begin: 'begin' })
  const perTransaction = Object.entries(session).map(([name, value]) => `set local ${name} = ${value}`)
  const db = trackTransactions(databaseOn(pool, { hasNames: !isPooled, begin: ['begin', ...(isPooled ? perTransaction : [])].join('; ') }))
  const standby = { url: replicaUrl ?? '', connections, callSeconds, pooler: host.pooler }
  const replica = replicaUrl === undefined ? null : openReplica(standby, db, pollConnection, announce)
  return {
    db,
    withoutTimeouts: trackTransactions(databaseOn(unlimitedPool, { hasNames: false, begin: 'begin; set local statement_timeout = 0' })),
    copyFiles: null,
    unmarkFiles: async () => {},
    isPooled,
    replica,
    hasReplied: (within) => performance.now() - repliedAt < within,
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, maximum: connections }),
    forJobs: { backend: 'postgres', db: { executeSql: async (text, values) => ({ rows: rowsOf(await pool.query(text, values)) }) } },
    close: async () => {
      await replica?.close()
      await Promise.all([pool.end(), unlimitedPool.end(), pollingPool.end()])
    },
  }
}

/** A text of several statements has several results, which the driver's type leaves out. */
function rowsOf(result: QueryResult | QueryResult[]): unknown[] {
  return [result].flat().flatMap(({ rows }) => rows as unknown[])
}
