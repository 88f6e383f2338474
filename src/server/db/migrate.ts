import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { sql, TransactionRollbackError } from 'drizzle-orm'
import type { Database } from './database.ts'
import { errorCode } from '../error-code.ts'

const folder = new URL('./migrations/', import.meta.url)

/** The advisory lock that all servers starting on a database share, and a restore; any fixed number will do. */
export const MIGRATION_LOCK = 7_061_874

/** Short, because every query that needs the table queues behind a migration that waits for its lock. */
const LOCK_WAIT = '1s'
const TRIES = 5

interface Migration {
  name: string
  checksum: string
  statements: string[]
  /** the oldest build that works after this migration, by the number of its last one; null: only builds that have this one */
  worksFrom: string | null
}

const WORKS_FROM = /^-- still works with builds from: (\d{4})\s*$/m

async function readMigrations(directory: URL): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).toSorted()
  return Promise.all(
    files.map(async (name) => {
      const text = await readFile(new URL(name, directory), 'utf8')
      const statements = text.split('--> statement-breakpoint').map((statement) => statement.trim())
      const worksFrom = WORKS_FROM.exec(text.split('\n', 1)[0] ?? '')?.[1] ?? null
      return { name, checksum: createHash('sha256').update(text).digest('hex'), statements, worksFrom }
    }),
  )
}

/**
 * Brings the database to this build's schema in one transaction. Refuses if a migration was changed after it ran, or if the database
 * has one that this build does not know (INPUT-72), unless that one says that it works with this build. Waits for table locks a
 * second at a time.
 * @param db without time limits
 * @param onUpgrade belongs to the same transaction, after the last migration, if one ran where others had run before
 * @returns names of the migrations of a newer build that works with this one
 */
export async function migrate(
  db: Database,
  directory: URL = folder,
  onUpgrade?: (tx: Database, newest: string) => Promise<void>,
): Promise<string[]> {
  const migrations = await readMigrations(directory)
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction(async (tx) => {
        const { newer, wasEmpty, ran } = await run(tx, migrations)
        const newest = ran.at(-1)
        if (newest !== undefined && !wasEmpty) await onUpgrade?.(tx, newest)
        return newer
      })
    } catch (error) {
      if (!isLockTaken(error)) throw error
      if (tries === TRIES) throw new Error('A migration could not lock a table: another program holds it.', { cause: error })
      await wait(tries * 300)
    }
  }
}

export interface SchemaState {
  /** in the database, oldest first; none: it is empty, or not ours */
  applied: { name: string; checksum: string }[]
  /** names of this build's migrations that have not run there */
  pending: string[]
  /** names of those of a newer build that works with this one */
  newer: string[]
  /** why this build cannot work with it, whatever is pending */
  refusal: string | undefined
  /** whether the database has tables of other programs only */
  isForeign: boolean
}

/** Compares a database with this build's migrations, and changes nothing. */
export async function readSchemaState(db: Database): Promise<SchemaState> {
  const { rows } = await db.execute<{ ours: string | null; tables: number }>(
    sql`select to_regclass('schema_migrations')::text as ours, (select count(*)::int from pg_tables where schemaname not in ('pg_catalog', 'information_schema')) as tables`,
  )
  const isOurs = typeof rows[0]?.ours === 'string'
  const found = isOurs ? (await db.execute<AppliedMigration>(APPLIED_ANYWHERE)).rows : []
  const migrations = await readMigrations(folder)
  const done = new Set(found.map(({ name }) => name))
  const pending = migrations.map(({ name }) => name).filter((name) => !done.has(name))
  const applied = found.map(({ name, checksum }) => ({ name, checksum }))
  return { applied, pending, ...compare(found, migrations), isForeign: !isOurs && (rows[0]?.tables ?? 0) > 0 }
}

function compare(applied: readonly AppliedMigration[], migrations: readonly Migration[]): Pick<SchemaState, 'newer' | 'refusal'> {
  try {
    return { newer: newerOf(applied, migrations), refusal: undefined }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { newer: [], refusal: error.message }
  }
}

/** Migrations of a list that this build does not have, or has with a different text. */
export async function findUnknown(applied: readonly { name: string; checksum: string }[]): Promise<string[]> {
  const known = new Map((await readMigrations(folder)).map(({ name, checksum }) => [name, checksum]))
  return applied.filter(({ name, checksum }) => known.get(name) !== checksum).map(({ name }) => name)
}

/** Runs the pending migrations and rolls them back, to see whether they would succeed. */
export async function rehearse(db: Database): Promise<void> {
  const migrations = await readMigrations(folder)
  try {
    await db.transaction(async (tx) => {
      await run(tx, migrations)
      tx.rollback()
    })
  } catch (error) {
    if (!(error instanceof TransactionRollbackError)) throw error
  }
}

interface MigrationRun {
  newer: string[]
  /** whether none had run before */
  wasEmpty: boolean
  /** names of those that ran */
  ran: string[]
}

async function run(tx: Database, migrations: Migration[]): Promise<MigrationRun> {
  // other servers that are starting wait here, however long it takes
  await tx.execute(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`)
  await tx.execute(sql.raw(`set local lock_timeout = '${LOCK_WAIT}'`))
  const applied = await readApplied(tx)
  const newer = newerOf(applied, migrations)
  const done = new Set(applied.map((row) => row.name))
  const pending = migrations.filter(({ name }) => !done.has(name))
  for (const { name, checksum, statements, worksFrom } of pending) {
    for (const statement of statements) await tx.execute(sql.raw(statement))
    await tx.execute(sql`insert into schema_migrations (name, checksum, works_from) values (${name}, ${checksum}, ${worksFrom})`)
  }
  return { newer, wasEmpty: applied.length === 0, ran: pending.map(({ name }) => name) }
}

interface AppliedMigration extends Record<string, unknown> {
  name: string
  checksum: string
  worksFrom: string | null
}

/** Names of the migrations of a newer build that works with this one; throws for any other that this build does not know. */
function newerOf(applied: readonly AppliedMigration[], migrations: readonly Migration[]): string[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  const newest = migrations.at(-1)?.name ?? ''
  const newer: string[] = []
  for (const { name, checksum, worksFrom } of applied) {
    const migration = known.get(name)
    if (migration && migration.checksum !== checksum)
      throw new Error(`Migration ${name} was changed after it ran: its checksum does not match.`)
    if (migration) continue
    if (name < newest || worksFrom === null || worksFrom > newest.slice(0, worksFrom.length))
      throw new Error(`The database was made by a newer build: migration ${name} is unknown here.`)
    newer.push(name)
  }
  return newer
}

/**
 * Returns a check that throws once the schema is no longer one that this build works with: a newer build has upgraded it, or an
 * older backup was restored.
 */
export function schemaCheck(db: Database): () => Promise<void> {
  let reading: Promise<Migration[]> | undefined
  return async () => {
    const migrations = await (reading ??= readMigrations(folder))
    const { rows } = await db.execute<AppliedMigration>(APPLIED)
    newerOf(rows, migrations)
    const done = new Set(rows.map(({ name }) => name))
    const missing = migrations.find(({ name }) => !done.has(name))
    if (missing) throw new Error(`Migration ${missing.name} has not run.`)
  }
}

const APPLIED = sql`select name, checksum, works_from as "worksFrom" from schema_migrations order by name`

/** The same, for a database that may lack the column `works_from`. */
const APPLIED_ANYWHERE = sql`select name, checksum, to_jsonb(one) ->> 'works_from' as "worksFrom" from schema_migrations one order by name`

async function readApplied(tx: Database) {
  await tx.execute(
    sql`create table if not exists schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now(), works_from text)`,
  )
  // checked first: an alter table blocks all access until the commit, even if it changes nothing
  const { rows: columns } = await tx.execute(
    sql`select from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'works_from'`,
  )
  if (columns.length === 0) await tx.execute(sql`alter table schema_migrations add column works_from text`)
  const { rows } = await tx.execute<AppliedMigration>(APPLIED)
  return rows
}

function isLockTaken(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return errorCode(cause) === '55P03'
}
