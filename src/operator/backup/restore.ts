import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openAsBlob } from 'node:fs'
import { mkdir, readdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { compareRestored, noteRestore } from '#server/audit/restored-store.ts'
import { noteUpgrade } from '#server/audit/upgraded.ts'
import { openDataFolder, makePrivate } from '#server/data-folder.ts'
import { isDiskFull } from '#server/disk-full.ts'
import { NOTED_ERASED, noteErased, NOTHING_ERASED } from '#server/db/erased-before-restore.ts'
import { holdLock, LockHeld } from '#server/db/lock.ts'
import { findUnknown, LOCK, migrate } from '#server/db/migrate.ts'
import { EMBEDDED_VERSION, unpackFiles, type OpenDatabase } from '#server/db/open.ts'
import { markStatements, NOTE_REPLACED, REPLACED, type ReplacedDatabase, type RestoreTimes } from '#server/db/restore-mark.ts'
import {
  bringIn,
  isRestoreUnfinished,
  lockOf,
  placesOf,
  settleFiles,
  settleRestore,
  stagingOf,
  takePlace,
} from '#server/db/unfinished-restore.ts'
import type { Env } from '#server/env.ts'
import { makeFolder } from '#server/make-folder.ts'
import { MediaError } from '#server/outside/media.ts'
import { s3Media } from '#server/outside/media-s3.ts'
import { exists } from '#server/exists.ts'
import { EXIT, ExitError, textOf } from '../exit.ts'
import type { Tool } from '../tool.ts'
import { DUMP, FILES, IN_DATA_DIR, KEYS, versionOf } from './backup.ts'
import { readErased } from './erased-since.ts'
import { keysOf, openInstallation, openWithoutKeys, settingsOf } from './installation.ts'
import { warnOfErasedPeople } from '../erased-people.ts'
import { describeAuditGap } from '../audit-gap.ts'
import { differentKeys, readBackup, type Manifest } from './manifest.ts'
import { listFiles, stageFiles } from './staged-files.ts'
import { findPrograms, requireNewEnough, withConnection, type Connection, type PgProgram } from './pg-programs.ts'

/** `touchline restore`: puts a backup into an empty database, all or nothing, and brings it to this build's schema. */

interface RestoreOptions {
  /** deletes what is there */
  replace: boolean
  /** verifies the backup and whether it fits, and changes nothing */
  check: boolean
  pgBin?: string | undefined
}

interface RestoreInput extends RestoreOptions {
  restored: RestoreTimes
}

/** Resolves to when the backup was made, and whether it was restored. */
export async function restore(tool: Tool, folder: string, options: RestoreOptions): Promise<{ at: string; isRestored: boolean }> {
  const env = settingsOf(tool)
  const manifest = await readBackup(folder)
  const unknown = await findUnknown(manifest.migrations)
  if (unknown.length > 0)
    throw new ExitError(
      `${folder} was made by a newer release of Touchline: ${unknown.join(', ')} is unknown here. Restore it with that release.`,
    )
  requireEngine(manifest, env, folder)
  await refuseOtherData(env, manifest, options)
  const restored = { backupAt: manifest.at, begunAt: tool.now().toISOString() }
  if (manifest.engine === 'postgres') await restorePostgres(env, manifest, folder, { ...options, restored })
  else await restoreEmbedded(env, manifest, folder, { ...options, restored })
  if (options.check) return { at: manifest.at, isRestored: false }
  await finish(tool, env, manifest).catch(sayReplaced)
  return { at: manifest.at, isRestored: true }
}

function requireEngine({ engine }: Manifest, { databaseUrl }: Env, folder: string): void {
  if (engine === 'postgres' && databaseUrl === undefined)
    throw new ExitError(`${folder} comes from PostgreSQL: set DATABASE_URL to an empty database to restore it into.`)
  if (engine === 'embedded' && databaseUrl !== undefined)
    throw new ExitError(`${folder} comes from an embedded database: unset DATABASE_URL, and set DATA_DIR to the folder to restore it into.`)
}

/** What is in DATA_DIR belongs to somebody, too. */
async function refuseOtherData({ dataDir }: Env, { files }: Manifest, { replace }: RestoreOptions): Promise<void> {
  if (replace) return
  for (const name of IN_DATA_DIR) {
    const isInBackup = files.some((file) => file.name.split('/')[0] === name)
    if (isInBackup && (await exists(join(dataDir, name))))
      throw new ExitError(`DATA_DIR (${dataDir}) has ${name} already: name an empty folder, or use --replace to delete what is there.`)
  }
}

// marks the messages of our own checks, to distinguish them from psql's
const MARK = 'touchline refuses: '
const OLDEST = 15

/** Inside the restoring transaction, so that nothing can come between check and restore. */
const guard = (replace: boolean) => `
set lock_timeout = '10s';
set statement_timeout = 0;
do $guard$
declare
  others int;
begin
  if not pg_try_advisory_xact_lock(${LOCK}) then
    raise exception '${MARK}Another restore or upgrade is under way in this database. Wait for it.';
  end if;
  for look in 1..30 loop
    perform pg_stat_clear_snapshot();
    select count(*) into others from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend';
    exit when others = 0;
    -- one that was closed just now, as ours was, may still be ending
    perform pg_sleep(0.1);
  end loop;
  if others > 0 then
    raise exception '${MARK}This database is in use (connections open: %). Stop the servers and what else uses it.', others;
  end if;
  if ${!replace} and exists (select from pg_tables where schemaname not in ('pg_catalog', 'information_schema')) then
    raise exception '${MARK}The database of DATABASE_URL is not empty. Name an empty one, or use --replace to delete what is there.';
  end if;
end
$guard$;`

/** What is ours; a schema of somebody else, as of a monitoring tool, stays. Without the right to make schema public anew, its tables go one by one. */
const EMPTY = `
do $empty$
declare
  one text;
begin
  for one in select nspname from pg_namespace
    where nspname !~ '^pg_' and nspname not in ('information_schema', 'public') and pg_has_role(nspowner, 'USAGE') loop
    execute format('drop schema %I cascade', one);
  end loop;
  if (select pg_has_role(nspowner, 'USAGE') from pg_namespace where nspname = 'public') then
    drop schema public cascade;
  else
    for one in select oid::regclass from pg_class
      where relnamespace = to_regnamespace('public') and relkind in ('r', 'p') and not relispartition and pg_has_role(relowner, 'USAGE') loop
      execute format('drop table if exists %s cascade', one);
    end loop;
  end if;
end
$empty$;
create schema if not exists public;`

async function restorePostgres(
  env: Env,
  manifest: Manifest,
  folder: string,
  { replace, check, pgBin, restored }: RestoreInput,
): Promise<void> {
  const { pg_restore, psql } = await findPrograms(['pg_restore', 'psql'], pgBin)
  requireNewEnough('pg_restore', pg_restore, manifest.engineVersion)
  // where no setting has them, they are in the backup, too
  if (!manifest.files.some(({ name }) => name === KEYS)) await keysOf(env)
  const release = check ? undefined : await lockFiles(env, folder)
  try {
    const version = await versionThere(env, check)
    if (version < Math.max(OLDEST, manifest.engineVersion))
      throw new ExitError(
        `The database of DATABASE_URL is PostgreSQL ${version}, and the backup is of ${manifest.engineVersion}: restore into ${manifest.engineVersion} or newer.`,
      )
    const staging = stagingOf(env.dataDir, restored)
    const isStaged = !check && (await stageFiles(folder, staging))
    await withConnection(env.databaseUrl ?? '', (connection) =>
      restoreInto(connection, folder, { pg_restore, psql, replace, check, restored }),
    ).catch(async (error: unknown) => {
      await rm(staging, { recursive: true, force: true })
      throw error
    })
    if (isStaged) await bringIn(env.dataDir, staging).catch(sayReplaced)
  } finally {
    release?.()
  }
}

/** One restore at a time has files in DATA_DIR; in production none has, and there may be no such folder. */
async function lockFiles({ dataDir }: Env, folder: string): Promise<(() => void) | undefined> {
  if ((await listFiles(folder)).length === 0 && !(await isRestoreUnfinished(dataDir))) return undefined
  await makeFolder(dataDir, 0o700)
  try {
    return holdLock(lockOf(dataDir))
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error
    throw new ExitError(`Another restore or command is using DATA_DIR (${dataDir}). Wait for it. Nothing was changed.`, EXIT.failed, {
      cause: error,
    })
  }
}

interface LoadOptions {
  pg_restore: PgProgram
  psql: PgProgram
  replace: boolean
  check: boolean
  restored: RestoreTimes
}

async function restoreInto(
  { address, environment }: Connection,
  folder: string,
  { pg_restore, psql, replace, check, restored }: LoadOptions,
): Promise<void> {
  const into = spawn(psql.path, ['--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1', '--file=-', `--dbname=${address}`], {
    env: { ...process.env, ...environment, PGCLIENTENCODING: 'UTF8' },
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let said = ''
  into.stderr.on('data', (chunk) => (said += String(chunk)))
  // psql ends at the first error, and the rest cannot be written
  into.stdin.on('error', () => {})
  const ended = once(into, 'close') as Promise<[number | null]>
  into.stdin.write(`begin;${guard(replace)}${NOTE_REPLACED}${noteErased(restored.begunAt)}${replace ? EMPTY : ''}\n`)
  // a check makes the tables and their indexes, and leaves them empty
  const sections = check ? ['--section=pre-data', '--section=post-data'] : []
  const unread = await loadDump(pg_restore.path, [...sections, join(folder, DUMP)], into.stdin, ended)
  // the database discards whatever is not committed
  into.stdin.end(
    unread === undefined && !check
      ? `\n${markStatements(restored, { replaced: REPLACED, erased: NOTED_ERASED })}\ncommit;\n`
      : '\nrollback;\n',
  )
  const [code] = await ended
  if (code !== 0) throw new ExitError(`${reasonIn(said)} Nothing was changed.`)
  if (unread !== undefined) throw new ExitError(`${DUMP} cannot be read: ${unread}. Nothing was changed.`)
}

async function versionThere(env: Env, check: boolean): Promise<number> {
  const database = await openWithoutKeys(env)
  try {
    // what an earlier restore left staged is not ours
    if (!check) await settleFiles(database.db, env.dataDir)
    return await versionOf(database)
  } finally {
    await database.close()
  }
}

/** Resolves to what pg_restore says if it could not read the whole dump. */
async function loadDump(
  program: string,
  what: readonly string[],
  into: NodeJS.WritableStream,
  gaveUp: Promise<unknown>,
): Promise<string | undefined> {
  const from = spawn(program, ['--no-owner', '--no-privileges', '--file=-', ...what], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  from.stderr.on('data', (chunk) => (said += String(chunk)))
  const ended = once(from, 'close') as Promise<[number | null]>
  from.stdout.pipe(into, { end: false })
  // the reader is gone; psql may have given up before this program began
  void gaveUp.then(() => {
    // output that nobody reads would keep it from closing
    from.stdout.destroy()
    from.kill()
  })
  return (await ended)[0] === 0 ? undefined : said.trim() || 'pg_restore was ended'
}

function reasonIn(said: string): string {
  const own = said.split('\n').find((line) => line.includes(MARK))
  if (own !== undefined) return own.slice(own.indexOf(MARK) + MARK.length)
  const first = said.split('\n').find((line) => /ERROR|FATAL|error:/.test(line)) ?? 'psql failed'
  const isFull = /No space left on device/.test(said)
  const text = first.replace(/^psql:.*?(ERROR|FATAL|error): +/, '')
  return isFull ? `The disk of the database is full (${text}): make room.` : `The database refused the backup: ${text}.`
}

const ROOM = 1.3

async function restoreEmbedded(env: Env, manifest: Manifest, folder: string, { replace, check, restored }: RestoreInput): Promise<void> {
  const { dataDir } = env
  if (EMBEDDED_VERSION !== manifest.engineVersion)
    throw new ExitError(
      `The backup comes from an embedded PostgreSQL ${manifest.engineVersion}, and this build has ${EMBEDDED_VERSION}: restore it with the release that made it.`,
    )
  await openDataFolder(dataDir)
  const erased = check || !replace ? NOTHING_ERASED : await readErased(env, restored.begunAt)
  const release = holdLock(lockOf(dataDir))
  try {
    await settleRestore(dataDir)
    const { place, part, before } = placesOf(dataDir)
    if (!replace && (await readdir(place).catch(() => [])).length > 0)
      throw new ExitError(`DATA_DIR (${dataDir}) has a database already: name an empty folder, or use --replace to delete what is there.`)
    await requireRoom(dataDir, manifest.unpackedBytes ?? 0)
    if (check) return
    try {
      await rm(before, { recursive: true, force: true })
      // first of all, since it says that nothing is in its place yet
      await mkdir(part, { mode: 0o700 })
      await stageFiles(folder, stagingOf(dataDir, restored))
      await unpack(join(folder, FILES), part, restored, { erased }).catch((error: unknown) => {
        throw new ExitError(unpackProblem(dataDir, error), EXIT.failed, { cause: error })
      })
      await takePlace(dataDir)
    } finally {
      await settleRestore(dataDir)
    }
    await makePrivate(dataDir)
  } finally {
    release()
  }
}

async function unpack(path: string, into: string, restored: RestoreTimes, before: ReplacedDatabase): Promise<void> {
  const chunks: Buffer[] = []
  const zipped = (await openAsBlob(path)).stream()
  await pipeline(zipped, createGunzip(), async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) chunks.push(chunk)
  })
  await unpackFiles(new Blob(chunks), into, restored, before)
}

async function requireRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const [needed, left] = [bytes * ROOM, bavail * bsize].map((one) => Math.ceil(one / 1024 / 1024))
  if (bavail * bsize < bytes * ROOM)
    throw new ExitError(`The disk of ${folder} has ${left} MB left, and the backup needs ${needed} MB: make room. Nothing was changed.`)
}

function unpackProblem(dataDir: string, error: unknown): string {
  return isDiskFull(error)
    ? `The disk of ${dataDir} is full: make room. Nothing was changed.`
    : `${FILES} cannot be unpacked into ${dataDir}: ${textOf(error)}. Nothing was changed.`
}

/** Migrates what was restored to this build's schema and writes that into its audit log, as a start of the server would. */
async function finish(tool: Tool, env: Env, manifest: Manifest): Promise<void> {
  const database = await openInstallation(env)
  try {
    await migrate(database.withoutTimeouts, undefined, noteUpgrade('tool', tool.now))
    await noteRestore(database, tool.now())
    if (env.s3) await compareLog(tool, database, env.s3)
    for (const sentence of differentKeys(manifest.keys, database.keys)) tool.warn(sentence)
    for (const sentence of manifest.elsewhere) tool.warn(sentence)
    await warnOfErasedPeople(tool, database.db)
  } finally {
    await database.close()
  }
}

/** "Nothing was changed" is what a failed command means otherwise. */
function sayReplaced(error: unknown): never {
  const exit = error instanceof ExitError ? error.exit : EXIT.failed
  const next =
    'The database is now that of the backup. The next start, or the next command that opens it, will finish the restore and name who must be erased again.'
  throw new ExitError(`${textOf(error)} ${next}`, exit, { cause: error })
}

/** Without a bucket the first sweep of the server compares. */
async function compareLog(tool: Tool, { db }: OpenDatabase, s3: NonNullable<Env['s3']>): Promise<void> {
  try {
    const lacking = await compareRestored(db, s3Media(s3), tool.now())
    if (lacking) tool.warn(`${describeAuditGap(lacking)} It is in the audit log now, and doctor names it.`)
  } catch (error) {
    if (!(error instanceof MediaError)) throw error
    tool.warn(`The bucket ${s3.bucket} does not answer: the server will compare the audit log within an hour.`)
  }
}
