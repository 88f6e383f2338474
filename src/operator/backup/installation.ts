import { readFile, stat } from 'node:fs/promises'
import { isSealedByOthers } from '#server/audit/last-key-store.ts'
import { noteRestore } from '#server/audit/restored-store.ts'
import { bindSealKeys } from '#server/audit/seals.ts'
import { appendAuditEntry } from '#server/audit/store.ts'
import type { Database } from '#server/db/database.ts'
import { readSchemaState } from '#server/db/migrate.ts'
import { openDatabase, type OpenDatabase } from '#server/db/open.ts'
import { bringInRestored, placesOf } from '#server/db/unfinished-restore.ts'
import { readEnv, type Env } from '#server/env.ts'
import { keysInSettings, loadKeys, readStoredKeys, type Keys } from '#server/keys.ts'
import { errorCode } from '#server/error-code.ts'
import { warnOfErasedPeople } from '../erased-people.ts'
import { EXIT, ExitError, textOf } from '../exit.ts'
import type { Tool } from '../tool.ts'

/** What backup, restore and upgrade work on: the settings of the server, and its database without the server. */

/** @throws ExitError that names every setting that is missing or wrong */
export function settingsOf({ environment }: Tool): Env {
  try {
    return readEnv(environment)
  } catch (error) {
    throw new ExitError(`${textOf(error)}\nRun this command with the settings of the server, for example with --env-file .env.`, EXIT.usage)
  }
}

/** Opens the database. An embedded one is locked until it is closed. */
export async function openWithoutKeys(env: Env): Promise<OpenDatabase> {
  const location = env.databaseUrl === undefined ? { folder: env.dataDir } : { url: env.databaseUrl, connections: 2 }
  const database = await openDatabase(location, () => {}, { waitSeconds: 0, pooler: env.databasePooler }).catch((error: unknown) => {
    throw env.databaseUrl === undefined
      ? error
      : new ExitError(`${textOf(error)}.`.replace(/\.\.$/, '.'), EXIT.unreachable, { cause: error })
  })
  if (!database.isPooled) return database
  await database.close()
  // pg_dump and psql rely on their session
  throw new ExitError(
    'DATABASE_URL leads to a pooler: run this command with the address of the database itself, for example DATABASE_URL=… npx touchline backup.',
  )
}

/** Opens the installation with the keys of its audit log. */
export async function openInstallation(env: Env): Promise<OpenDatabase & { keys: Keys }> {
  const database = await openWithoutKeys(env)
  try {
    await bringInRestored(database.db, env.dataDir)
    const keys = await keysOf(env)
    for (const db of [database.db, database.withoutTimeouts]) bindSealKeys(db, keys.auditKeys)
    return { ...database, keys }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** The keys of the installation, which must exist: entries of the audit log sealed by others could not be verified. */
export async function keysOf(env: Env): Promise<Keys> {
  if (keysInSettings(env) === 'all') return loadKeys(env, null)
  // an embedded database without keys has never been started: they are made now
  if (env.databaseUrl === undefined || (await readStoredKeys(env.dataDir))) return loadKeys(env, env.dataDir)
  throw new ExitError(
    `The keys of this installation are neither in the settings nor in DATA_DIR (${env.dataDir}): run this command with those of the server.`,
    EXIT.usage,
  )
}

/** Writes into the audit log what the tool does with the database. An older schema may have another log: then nothing is written. */
export async function noteAct(tool: Tool, database: OpenDatabase, about: string): Promise<boolean> {
  const { db } = database
  const now = tool.now()
  const { applied, pending } = await readSchemaState(db)
  if (applied.length === 0 || pending.length > 0) return false
  // of one that was killed
  await noteRestore(database, now)
  await requireOurKey(db)
  await appendAuditEntry(db, { event: 'operator-call', userId: null, about }, now)
  await warnOfErasedPeople(tool, db)
  return true
}

/** @throws ExitError if the audit log is sealed by another key than ours */
export async function requireOurKey(db: Database): Promise<void> {
  if (!(await isSealedByOthers(db))) return
  throw new ExitError(
    'AUDIT_KEY is not the one that seals the audit log of this database (nor is that of keys.json in DATA_DIR): what is noted now would look ' +
      'like tampering. Run this command with the settings of the server. If that key is lost, start the server once with the new one.',
    EXIT.usage,
  )
}

/** @throws ExitError if no setting names a database and DATA_DIR has none; opening it would create one */
export async function requireData({ databaseUrl, dataDir }: Env, what: string): Promise<void> {
  if (databaseUrl !== undefined) return
  const absent = await Promise.all(Object.values(placesOf(dataDir)).map((place) => stat(place).then(() => false, isAbsent)))
  if (!absent.every(Boolean)) return
  throw new ExitError(
    `DATA_DIR (${dataDir}) has no data of Touchline: there is nothing to ${what}. Run this command with the settings of the server, for example with --env-file .env.`,
  )
}

/** Anything else, such as a folder of another user, is named by whoever opens it. */
const isAbsent = (error: unknown) => errorCode(error) === 'ENOENT'

export async function buildVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string } // our own file
  return version
}
