import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { chmod, copyFile, cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { backupsForOperator } from '#contract/backups.operator.ts'
import { HOUR_MS } from '#contract/rules/dates.ts'
import { isDiskFull } from '#server/disk-full.ts'
import { LockHeld } from '#server/db/lock.ts'
import { readSchemaState, type SchemaState } from '#server/db/migrate.ts'
import { EMBEDDED_VERSION, type OpenDatabase } from '#server/db/open.ts'
import { KEPT } from '#server/db/unfinished-restore.ts'
import type { Env } from '#server/env.ts'
import { keysInSettings, type Keys } from '#server/keys.ts'
import { makeFolder, makingProblem, removeEmptyFolders } from '#server/make-folder.ts'
import { errorCode } from '#server/error-code.ts'
import { exists } from '#server/exists.ts'
import { freeBytes } from '#server/free-bytes.ts'
import { call, serverOf } from '../calls.ts'
import { EXIT, ExitError } from '../exit.ts'
import type { Tool } from '../tool.ts'
import { buildVersion, keysOf, noteAct, openInstallation, requireData, settingsOf } from './installation.ts'
import { describeFile, fingerprintsOf, FORMAT, writeManifest, type Manifest } from './manifest.ts'
import { untilSignal } from './stopping.ts'
import { boundToUs, endOf, findPrograms, requireNewEnough, withConnection, type Connection } from './pg-programs.ts'

/** `touchline backup`: the database and all that belongs to it, as of one moment, in a new folder. The server keeps running. */

export const DUMP = 'database.dump'
export const FILES = 'database.tar.gz'
export const KEYS = 'keys.json'
/** What DATA_DIR has besides the embedded database, where no setting names another place for it. */
export const IN_DATA_DIR = [KEYS, 'media', 'card-sandbox'] as const

const ROOM_MINIMUM = 64 * 1024 * 1024

export interface BackupOptions {
  /** folder in which the new folder is made; by default `backups` here */
  to?: string | undefined
  /** of the running server, if it must be asked; by default as the settings say */
  server?: string | undefined
  pgBin?: string | undefined
}

interface BackupResult {
  folder: string
  manifest: Manifest
}

/** Resolves to the folder of the backup. */
export const backup = (tool: Tool, options: BackupOptions): Promise<BackupResult> =>
  untilSignal(tool, (stopped) => make(tool, options, stopped))

async function make(tool: Tool, options: BackupOptions, stopped: AbortSignal): Promise<BackupResult> {
  const env = settingsOf(tool)
  const at = tool.now()
  const folder = join(resolve(options.to ?? 'backups'), `touchline-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`)
  const { part, newPlace } = await makePart(folder)
  await removeLeft(dirname(part))
  try {
    await requireRoom(part)
    const copyDatabase = env.databaseUrl === undefined ? copyEmbedded : copyPostgres
    const copied = await copyDatabase(tool, env, part, { ...options, stopped })
    await copyDataDir(env, part, stopped)
    const manifest = await manifestOf(env, part, copied, at)
    stopped.throwIfAborted()
    await writeManifest(part, manifest)
    await rename(part, folder)
    return { folder, manifest }
  } catch (error) {
    await rm(part, { recursive: true, force: true })
    if (newPlace !== undefined) await removeEmptyFolders(dirname(part), newPlace)
    throw isDiskFull(error) ? fullError(part, error) : error
  }
}

/** Makes the folder in which a backup is made, and those above it, of which `newPlace` is the topmost. */
async function makePart(folder: string): Promise<{ part: string; newPlace: string | undefined }> {
  if (await exists(folder)) throw takenError(folder)
  const part = `${folder}.part`
  const newPlace = await makeFolder(dirname(part), 0o700).catch((error: unknown) => {
    throw unusableError(part, error)
  })
  // of another backup in this second
  await mkdir(part, { mode: 0o700 }).catch(async (error: unknown) => {
    if (newPlace !== undefined) await removeEmptyFolders(dirname(part), newPlace)
    throw errorCode(error) === 'EEXIST' ? takenError(folder) : unusableError(part, error)
  })
  return { part, newPlace }
}

const takenError = (folder: string) => new ExitError(`${folder} exists already. Wait a second, or name another folder with --to.`)

function fullError(part: string, cause?: unknown): ExitError {
  const message = `The disk of ${dirname(part)} is full: make room, or name another folder with --to. Nothing was left there.`
  return new ExitError(message, EXIT.failed, { cause })
}

function unusableError(part: string, cause: unknown): ExitError {
  if (isDiskFull(cause)) return fullError(part, cause)
  const message = `No backup can be put into ${dirname(part)}: ${makingProblem(cause)}. Name another folder with --to.`
  return new ExitError(message, EXIT.failed, { cause })
}

async function manifestOf(env: Env, part: string, copied: CopyResult, at: Date): Promise<Manifest> {
  return {
    product: 'touchline',
    format: FORMAT,
    at: at.toISOString(),
    build: await buildVersion(),
    engine: env.databaseUrl === undefined ? 'embedded' : 'postgres',
    engineVersion: copied.engineVersion,
    migrations: copied.schema.applied,
    files: await describeAll(part),
    ...(copied.unpackedBytes === undefined ? {} : { unpackedBytes: copied.unpackedBytes }),
    keys: fingerprintsOf(copied.keys),
    elsewhere: elsewhere(env),
  }
}

// of the tool's own names only: the folder may have other things
const PART = /^touchline-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.part$/
const LEFT_AFTER_MS = HOUR_MS

/** Removes what killed backups left: parts to which nothing was added for an hour. */
async function removeLeft(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!PART.test(name)) continue
    const path = join(folder, name)
    if (Date.now() - (await lastWriteIn(path)) > LEFT_AFTER_MS) await rm(path, { recursive: true, force: true })
  }
}

/** A dump of hours changes its file, and a copy of pictures the folders below: not the folder itself. */
async function lastWriteIn(folder: string): Promise<number> {
  // another backup may finish meanwhile: then it is no longer a part
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const found = await Promise.all(['', ...names].map((name) => stat(join(folder, name)).catch(() => undefined)))
  return Math.max(...found.map((one) => one?.mtimeMs ?? Date.now()))
}

interface CopyResult {
  schema: Pick<SchemaState, 'applied'>
  engineVersion: number
  keys: Keys
  unpackedBytes?: number
}

interface CopyOptions extends BackupOptions {
  stopped: AbortSignal
}

async function requireRoom(part: string): Promise<void> {
  if ((await freeBytes(part)) < ROOM_MINIMUM) throw fullError(part)
}

async function copyPostgres(tool: Tool, env: Env, part: string, { pgBin, stopped }: CopyOptions): Promise<CopyResult> {
  const { pg_dump } = await findPrograms(['pg_dump'], pgBin)
  const url = env.databaseUrl ?? ''
  const database = await openInstallation(env)
  try {
    const engineVersion = await majorVersionOf(database)
    requireNewEnough('pg_dump', pg_dump, engineVersion)
    const schema = await readSchemaState(database.db)
    if (schema.applied.length === 0)
      throw new ExitError('The database of DATABASE_URL has no tables of Touchline: there is nothing to back up.')
    stopped.throwIfAborted()
    await noteAct(tool, database, 'tool backup')
    const options = await withoutOthers(database)
    await withConnection(url, (connection) => dump(pg_dump.path, [...options, `--file=${join(part, DUMP)}`], connection, stopped))
    await chmod(join(part, DUMP), 0o600)
    // a migration does not wait for a dump, which would have the older or the newer tables
    const after = await readSchemaState(database.db)
    if (after.applied.length !== schema.applied.length)
      throw new ExitError('The database was upgraded during the backup. Make the backup again.')
    return { schema, engineVersion, keys: database.keys }
  } finally {
    await database.close()
  }
}

/** The major version of PostgreSQL that holds a database. */
export async function majorVersionOf({ db }: OpenDatabase): Promise<number> {
  const { rows } = await db.execute<{ version: string }>(sql`select current_setting('server_version_num') as version`)
  return Math.floor(Number(rows[0]?.version) / 10_000)
}

/**
 * Leaves out an operator's extensions, such as pg_stat_statements, which the server's role may be too weak to make in a restore. Only what
 * is named is dumped; every database has plpgsql, whose comment is its superuser's.
 */
const NO_EXTENSIONS = ['--extension=plpgsql', '--no-comments']

/**
 * Options that leave out the schemas and tables of others, such as a monitoring tool's, which the server's role may not read, and could not
 * make in a restore.
 */
async function withoutOthers({ db }: OpenDatabase): Promise<string[]> {
  const { rows } = await db.execute<{ option: string }>(sql`
    select '--exclude-schema="' || replace(nspname, '"', '""') || '"' as option from pg_namespace
      where nspname !~ '^pg_' and nspname not in ('information_schema', 'public') and not pg_has_role(nspowner, 'USAGE')
    union all
    select '--exclude-table=public."' || replace(relname, '"', '""') || '"' from pg_class
      where relnamespace = to_regnamespace('public') and relkind in ('r', 'p', 'v', 'm', 'S', 'f') and not pg_has_role(relowner, 'USAGE')`)
  return rows.map(({ option }) => option)
}

async function dump(
  program: string,
  options: readonly string[],
  { address, environment }: Connection,
  stopped: AbortSignal,
): Promise<void> {
  const args = ['--format=custom', '--no-owner', '--no-privileges', ...NO_EXTENSIONS, ...options, `--dbname=${address}`]
  const child = spawn(...(await boundToUs(program, args)), {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  // otherwise it would continue alone, for hours if it waits for a lock
  const end = () => void child.kill()
  stopped.addEventListener('abort', end)
  if (stopped.aborted) end()
  const { code, said } = await endOf(child)
  stopped.removeEventListener('abort', end)
  if (code !== 0) throw new ExitError(`pg_dump failed, and nothing was left: ${said.trim()}`)
}

async function copyEmbedded(tool: Tool, env: Env, part: string, { server, stopped }: CopyOptions): Promise<CopyResult> {
  const file = join(part, FILES)
  await requireData(env, 'back up')
  try {
    const database = await openInstallation(env)
    try {
      const schema = await readSchemaState(database.db)
      if (schema.applied.length === 0)
        throw new ExitError(`DATA_DIR (${env.dataDir}) has a database without tables: there is nothing to back up.`)
      stopped.throwIfAborted()
      await noteAct(tool, database, 'tool backup')
      const copy = await database.copyFiles?.()
      if (!copy) throw new Error('an embedded database can be copied')
      await pipeline(copy.stream(), createGzip({ level: 1 }), createWriteStream(file, { mode: 0o600 }), { signal: stopped })
      return { schema, engineVersion: await majorVersionOf(database), keys: database.keys, unpackedBytes: copy.size }
    } finally {
      await database.close()
    }
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error
  }
  stopped.throwIfAborted()
  // only the process that has it open can copy it
  const running = await serverOf(tool, server)
  const made = await call(running, backupsForOperator.create, {})
  if (!(await exists(made.file)))
    throw new ExitError(
      `The server at ${running.address} put its copy at ${made.file}, which is not on this machine. Run this command there.`,
    )
  try {
    stopped.throwIfAborted()
    await copyFile(made.file, file)
  } finally {
    await rm(made.file)
  }
  const keys = await keysOf(env)
  return { schema: { applied: made.migrations }, engineVersion: EMBEDDED_VERSION, keys, unpackedBytes: made.unpackedBytes }
}

async function copyDataDir({ dataDir }: Env, part: string, stopped: AbortSignal): Promise<void> {
  for (const name of IN_DATA_DIR) {
    const from = join(dataDir, name)
    if (!(await exists(from))) continue
    // heads of the audit log would be older than the log they vouch for
    const isKept = (path: string) => {
      stopped.throwIfAborted()
      return relative(dataDir, path) !== KEPT && !path.endsWith('.part')
    }
    await cp(from, join(part, name), { recursive: true, filter: isKept, preserveTimestamps: true })
  }
}

async function describeAll(part: string): Promise<Manifest['files']> {
  const entries = await readdir(part, { recursive: true, withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => relative(part, join(parentPath, name)))
  return Promise.all(names.toSorted().map((name) => describeFile(part, name.replaceAll('\\', '/'))))
}

/** What must be kept as well. */
function elsewhere(env: Env): string[] {
  const { s3, mode, databaseUrl } = env
  return [
    ...(s3
      ? [
          `Pictures are in the bucket ${s3.bucket}${s3.endpoint === undefined ? '' : ` at ${s3.endpoint}`}: keep a copy of it (versioning, or rclone).`,
        ]
      : []),
    ...(mode === 'production' || databaseUrl !== undefined
      ? [
          keysInSettings(env) !== 'none'
            ? 'The settings with their keys (.env) are not in the backup: keep a copy of them, or sessions end and the audit log cannot be verified.'
            : 'The settings (.env) are not in the backup: keep a copy of them.',
        ]
      : []),
  ]
}
