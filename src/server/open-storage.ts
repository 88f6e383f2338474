import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noteRestore } from './audit/restored-store.ts'
import { bindSealKeys } from './audit/seals.ts'
import { noteUpgrade } from './audit/upgraded.ts'
import { makePrivate, openDataFolder } from './data-folder.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase, type DatabaseLocation, type OpenDatabase } from './db/open.ts'
import { refuseDemo } from './db/refuse-demo.ts'
import { seedAssessments } from './db/seed.ts'
import { bringInRestored } from './db/unfinished-restore.ts'
import type { Env } from './env.ts'
import { reasonOf } from './http/log.ts'
import { makeLogPartitions } from './instances/answer-log-store.ts'
import { hasAllKeys, loadKeys, type Keys } from './keys.ts'
import type { Clock } from './outside/clock.ts'

/** What a server opens before anything else. */
interface Storage {
  /** DATA_DIR, or one that is removed at the end */
  folder: string
  database: OpenDatabase
  keys: Keys
}

interface StorageOptions {
  clock: Clock
  /** what to close, last one first */
  closing: (() => unknown)[]
  /** by default as the settings say */
  location: DatabaseLocation | undefined
  onConnectionLost: (error: unknown) => void
}

/** Opens the folder, the database and the keys, and brings the database up to this build. */
export async function openStorage(env: Env, { clock, closing, location, onConnectionLost }: StorageOptions): Promise<Storage> {
  const isPermanent = location === undefined
  const folder = isPermanent ? env.dataDir : await mkdtemp(join(tmpdir(), 'touchline-'))
  if (!isPermanent) closing.push(() => rm(folder, { recursive: true, force: true }))
  const hasFolder = isPermanent && needsFolder(env)
  if (hasFolder) await openDataFolder(folder)

  // there is no logger yet
  const announce = (line: string) => env.logLevel !== 'silent' && console.warn(line)
  const database = await openDatabase(location ?? databaseLocationOf(env), onConnectionLost, {
    callSeconds: env.callTimeoutSeconds,
    pooler: env.databasePooler,
    replicaUrl: env.replicaUrl,
    announce,
  })
  closing.push(database.close)
  if (hasFolder) {
    await bringInRestored(database.db, folder)
    await makePrivate(folder)
  }
  const keys = await loadKeys(env, isPermanent ? folder : null)
  for (const db of [database.db, database.withoutTimeouts]) bindSealKeys(db, keys.auditKeys)
  await bringUpToDate(database, env, { clock, announce })
  return { folder, database, keys }
}

interface UpdateParts {
  clock: Clock
  announce: (line: string) => void
}

async function bringUpToDate(database: OpenDatabase, env: Env, { clock, announce }: UpdateParts): Promise<void> {
  const noted = noteUpgrade('server', () => clock.now())
  const newer = await migrate(database.withoutTimeouts, undefined, noted)
  if (newer.length > 0) announce(`The database was upgraded by a newer build; this one still works with it: ${newer.join(', ')}.`)
  // without them saves work, too: the next sweep makes them
  await makeLogPartitions(database.db).catch((error: unknown) => announce(`No new part of the answer log: ${reasonOf(error)}`))
  // of one that was killed
  await noteRestore(database, clock.now())
  if (env.mode === 'production') await refuseDemo(database.db)
  await seedAssessments(database.db, env)
}

/** Whether anything is stored on this machine: nothing in production, once everything is configured. */
function needsFolder(env: Env): boolean {
  const parts = [env.databaseUrl, env.smtpUrl, env.stripeSecretKey, env.s3]
  return !hasAllKeys(env) || parts.includes(undefined)
}

function databaseLocationOf(env: Env): DatabaseLocation {
  return env.databaseUrl === undefined ? { folder: env.dataDir } : { url: env.databaseUrl, connections: env.databaseConnections }
}
