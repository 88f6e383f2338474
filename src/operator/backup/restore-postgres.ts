import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { NOTED_ERASED, noteErased } from '#server/db/erased-before-restore.ts'
import { POSTGRES_OLDEST } from '#server/db/open.ts'
import { holdLock, LockHeld } from '#server/db/lock.ts'
import { MIGRATION_LOCK } from '#server/db/migrate.ts'
import { markStatements, NOTE_REPLACED, REPLACED, type RestoreTimes } from '#server/db/restore-mark.ts'
import { bringIn, isRestoreUnfinished, lockOf, settleFiles, stagingOf } from '#server/db/unfinished-restore.ts'
import type { Env } from '#server/env.ts'
import { makeFolder } from '#server/make-folder.ts'
import { EXIT, ExitError } from '../exit.ts'
import { DUMP, KEYS, majorVersionOf } from './backup.ts'
import { keysOf, openWithoutKeys } from './installation.ts'
import type { Manifest } from './manifest.ts'
import { listFiles, stageFiles } from './staged-files.ts'
import { endOf, findPrograms, requireNewEnough, withConnection, type Connection, type PgProgram } from './pg-programs.ts'
import { sayReplaced, type RestoreInput } from './restore-options.ts'

// marks the messages of our own checks, to distinguish them from psql's
const MARK = 'touchline refuses: '

/** Refuses a database that is in use, or not empty. Inside the restoring transaction: nothing can come between check and restore. */
const guard = (replace: boolean) => `
set lock_timeout = '10s';
set statement_timeout = 0;
do $guard$
declare
  others int;
begin
  if not pg_try_advisory_xact_lock(${MIGRATION_LOCK}) then
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

/**
 * Drops what is ours; a schema of somebody else, as of a monitoring tool, stays. Without the right to make schema public anew, its tables
 * go one by one.
 */
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

/** Restores into an empty database, or in place of what is there, in one transaction. */
export async function restorePostgres(
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
    if (version < Math.max(POSTGRES_OLDEST, manifest.engineVersion))
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
  // psql ends at the first error, and the rest cannot be written
  into.stdin.on('error', () => {})
  const ended = endOf(into)
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
  const { code, said } = await ended
  if (code !== 0) throw new ExitError(`${reasonIn(said)} Nothing was changed.`)
  if (unread !== undefined) throw new ExitError(`${DUMP} cannot be read: ${unread}. Nothing was changed.`)
}

async function versionThere(env: Env, check: boolean): Promise<number> {
  const database = await openWithoutKeys(env)
  try {
    // what an earlier restore left staged is not ours
    if (!check) await settleFiles(database.db, env.dataDir)
    return await majorVersionOf(database)
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
  const ended = endOf(from)
  from.stdout.pipe(into, { end: false })
  // the reader is gone; psql may have given up before this program began
  void gaveUp.then(() => {
    // output that nobody reads would keep it from closing
    from.stdout.destroy()
    from.kill()
  })
  const { code, said } = await ended
  return code === 0 ? undefined : said.trim() || 'pg_restore was ended'
}

function reasonIn(said: string): string {
  const own = said.split('\n').find((line) => line.includes(MARK))
  if (own !== undefined) return own.slice(own.indexOf(MARK) + MARK.length)
  const first = said.split('\n').find((line) => /ERROR|FATAL|error:/.test(line)) ?? 'psql failed'
  const isFull = /No space left on device/.test(said)
  const text = first.replace(/^psql:.*?(ERROR|FATAL|error): +/, '')
  return isFull ? `The disk of the database is full (${text}): make room.` : `The database refused the backup: ${text}.`
}
