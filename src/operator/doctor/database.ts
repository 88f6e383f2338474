import { sql } from 'drizzle-orm'
import { access, constants, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { isDiskFull } from '#server/disk-full.ts'
import { errorCode } from '#server/error-code.ts'
import { freeBytes } from '#server/free-bytes.ts'
import { hasCause } from '#server/has-cause.ts'
import { isSticky } from '#server/data-folder.ts'
import { CLOCKS_DIFFER_MAXIMUM_MS, clockDifference } from '#server/db/clock-difference.ts'
import type { Database } from '#server/db/database.ts'
import { holdLock, LockHeld } from '#server/db/lock.ts'
import { readSchemaState } from '#server/db/migrate.ts'
import { openDatabase, POSTGRES_OLDEST } from '#server/db/open.ts'
import { checkWriting } from '#server/health/store.ts'
import { isRestoreUnfinished, isRestoreUnnoted, lockOf } from '#server/db/unfinished-restore.ts'
import { refuseDemo } from '#server/db/refuse-demo.ts'
import type { Variables } from '#server/env-variables.ts'
import { textOf } from '../exit.ts'
import { checkAudit } from './audit.ts'
import { error, ok, warning, type Finding } from './finding.ts'

const CLOCKS_DIFFER_MS = 5_000

/** Asks the PostgreSQL of DATABASE_URL, and leaves nothing there. */
export async function checkPostgres(set: Variables, url: string, now: () => Date): Promise<Finding[]> {
  const lines: string[] = []
  try {
    const database = await openDatabase({ url, connections: 1 }, () => {}, {
      waitSeconds: 0,
      pooler: set.DATABASE_POOLER,
      announce: (line) => lines.push(line),
    })
    try {
      const found = await ask(database.withoutTimeouts, set, now)
      return [...lines.map((line) => ok('DATABASE_POOLER', line)), ...found]
    } finally {
      await database.close()
    }
  } catch (problem) {
    return [error('DATABASE_URL', `${textOf(problem).replace(/^DATABASE_URL: /, '')}.`.replace(/\.\.$/, '.'))]
  }
}

interface Facts extends Record<string, unknown> {
  version: string
  fsync: string
  commit: string
  mayCreate: boolean
  connections: number
}

async function ask(db: Database, set: Variables, now: () => Date): Promise<Finding[]> {
  const { rows } = await db.execute<Facts>(sql`select
    current_setting('server_version_num') as version,
    current_setting('fsync') as fsync,
    current_setting('synchronous_commit') as commit,
    has_schema_privilege('public', 'create')
      and (has_database_privilege(current_database(), 'create') or to_regnamespace('jobs') is not null) as "mayCreate",
    least(
      current_setting('max_connections')::int,
      (select nullif(datconnlimit, -1) from pg_database where datname = current_database()),
      (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user)
    ) as connections`)
  const [facts] = rows
  if (!facts) throw new Error('it does not reply')
  const version = Math.floor(Number(facts.version) / 10_000)
  if (version < POSTGRES_OLDEST)
    return [error('DATABASE_URL', `It is PostgreSQL ${version}: Touchline needs ${POSTGRES_OLDEST} or newer. Upgrade it.`)]
  const found = [await findRoom(db, version)]
  if (!facts.mayCreate)
    found.push(
      error(
        'DATABASE_URL',
        'Its user may not make tables: let the user own the database, or `grant create on database … to …` and `grant create on schema public to …`.',
      ),
    )
  if (facts.fsync === 'off' || facts.commit === 'off')
    found.push(
      warning(
        'DATABASE_URL',
        `fsync is ${facts.fsync} and synchronous_commit ${facts.commit} there: a power cut would lose acknowledged answers. Switch both on.`,
      ),
    )
  if (facts.connections < set.DATABASE_CONNECTIONS + 5)
    found.push(
      warning(
        'DATABASE_CONNECTIONS',
        `${set.DATABASE_CONNECTIONS} connections for each server process, and the database lets in ${facts.connections} in all: lower it, or raise max_connections, or the connection limit of the user or the database.`,
      ),
    )
  found.push(clock(await clockDifference(db, now)))
  return [...found, ...(await checkSchema(db, set, now()))]
}

async function findRoom(db: Database, version: number): Promise<Finding> {
  try {
    await checkWriting(db)
  } catch (problem) {
    if (isDiskFull(problem)) return error('DATABASE_URL', `The disk of PostgreSQL ${version} is full: make room there.`)
    throw problem
  }
  return ok('DATABASE_URL', `PostgreSQL ${version} takes writes.`)
}

function clock(difference: number): Finding {
  const seconds = Math.round(Math.abs(difference) / 1000)
  const message = `The clocks of this machine and of the database differ by ${seconds} s`
  if (Math.abs(difference) > CLOCKS_DIFFER_MAXIMUM_MS)
    return error(
      'CLOCK',
      `${message}: sessions and codes would end early or late. Set both with a time service (chrony, systemd-timesyncd).`,
    )
  return Math.abs(difference) > CLOCKS_DIFFER_MS
    ? warning('CLOCK', `${message}. Set both with a time service.`)
    : ok('CLOCK', `${message}.`)
}

async function checkSchema(db: Database, set: Variables, now: Date): Promise<Finding[]> {
  const { applied, pending, newer, refusal, isForeign } = await readSchemaState(db)
  if (isForeign) return [error('DATABASE_URL', 'The database has tables of another program, and none of ours: use a database of its own.')]
  const found: Finding[] = []
  if (refusal !== undefined) found.push(error('DATABASE_URL', `${refusal} Start that build, or restore a backup made before the upgrade.`))
  else if (pending.length > 0)
    found.push(
      applied.length === 0
        ? ok('DATABASE_URL', 'The database is empty: the first start makes its tables.')
        : warning('DATABASE_URL', `${pending.length} migrations have not run: ${pending.join(', ')}. Run \`npx touchline upgrade\`.`),
    )
  else {
    const message =
      newer.length > 0
        ? `A newer build has upgraded its tables, and this one still works with them (${newer.join(', ')}).`
        : `Its tables are those of this build (${applied.at(-1)?.name}).`
    found.push(ok('DATABASE_URL', message), ...(await checkAudit(db, set, now)))
  }
  if (set.TOUCHLINE_MODE === 'production' && applied.length > 0)
    found.push(
      ...(await refuseDemo(db).then(
        () => [],
        (problem: unknown) => [error('DATABASE_URL', textOf(problem))],
      )),
    )
  return found
}

const ROOM_MINIMUM = 512 * 1024 * 1024

interface FolderUse {
  isNeeded: boolean
  /** whether the database is in it */
  isEmbedded: boolean
}

/** The folder that has what no setting names another place for. */
export async function checkFolder(path: string, { isNeeded, isEmbedded }: FolderUse): Promise<Finding[]> {
  if (!isNeeded) return [ok('DATA_DIR', 'Nothing is stored on this machine.')]
  const folder = await stat(path).catch(() => undefined)
  if (folder && !folder.isDirectory()) return [error('DATA_DIR', `${path} is a file: choose a folder.`)]
  if (folder && isSticky(folder.mode))
    return [error('DATA_DIR', `${path} is shared with other users: choose a folder of its own inside it.`)]
  const place = folder ? path : await nearest(path)
  try {
    await access(place, constants.W_OK | constants.X_OK)
    return [folder ? await stateOf(path, isEmbedded) : ok('DATA_DIR', `${path} will be made at the first start.`), await roomOf(place)]
  } catch (problem) {
    const isReadOnly = hasCause(problem, (one) => errorCode(one) === 'EROFS')
    const advice = isReadOnly ? 'its disk is read-only: mount it for writing' : 'give it to the user that runs the server'
    return [error('DATA_DIR', `${place} cannot be written: ${advice}, or choose another folder.`)]
  }
}

async function nearest(path: string): Promise<string> {
  for (let place = resolve(path); ; place = dirname(place)) {
    if (
      place === dirname(place) ||
      (await stat(place).then(
        (found) => found.isDirectory(),
        () => false,
      ))
    )
      return place
  }
}

async function stateOf(path: string, isEmbedded: boolean): Promise<Finding> {
  try {
    holdLock(lockOf(path))()
    if (await isRestoreUnfinished(path))
      return warning(
        'DATA_DIR',
        `A restore into ${path} was killed: the next start settles it, to all of before or all of the backup. To have the backup, repeat it first.`,
      )
    if (isEmbedded && (await isRestoreUnnoted(path)))
      return warning(
        'DATA_DIR',
        `A restore into ${path} was killed before it was in the audit log: start a server, which finishes it, or repeat it.`,
      )
    return ok('DATA_DIR', `${path} can be used.`)
  } catch (problem) {
    if (problem instanceof LockHeld) return ok('DATA_DIR', `A server or a command is using ${path}.`)
    return error('DATA_DIR', textOf(problem).replace(/^DATA_DIR: /, ''))
  }
}

async function roomOf(place: string): Promise<Finding> {
  const left = await freeBytes(place)
  const megabytes = Math.floor(left / 1024 / 1024)
  if (left < ROOM_MINIMUM) return error('DISK', `The disk of ${place} has ${megabytes} MB left: make room.`)
  return ok('DISK', `The disk of ${place} has ${megabytes} MB left.`)
}
