import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Database } from './database.ts'

const folder = new URL('./migrations/', import.meta.url)

/** One lock for all servers that start on the same database; any fixed number does. */
const LOCK = 7_061_874

/** A lock that a migration waits for holds up everybody who comes after it. */
const LOCK_WAIT = '1s'
const TRIES = 5

interface Migration {
  name: string
  checksum: string
  statements: string[]
  /** number of the oldest migration whose build still works once this one ran; null: only builds that have this one */
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
 * Brings the database to this build's schema in one transaction. Refuses when a migration that already ran reads
 * otherwise now, or when the database has one that this build does not know (INPUT-72), unless that one says
 * that it works with this build. Waits for a lock a second at a time, and for nothing else.
 * @param db one without limits of time
 * @returns names of the migrations of a newer build, with which this one works
 */
export async function migrate(db: Database, directory: URL = folder): Promise<string[]> {
  const migrations = await readMigrations(directory)
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction((tx) => run(tx, migrations))
    } catch (error) {
      if (!isLockTaken(error)) throw error
      if (tries === TRIES) throw new Error('A migration met a table that something else keeps locked.', { cause: error })
      await wait(tries * 300)
    }
  }
}

async function run(tx: Database, migrations: Migration[]): Promise<string[]> {
  // the other servers that start now wait here, however long it takes
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCK}::bigint)`)
  await tx.execute(sql.raw(`set local lock_timeout = '${LOCK_WAIT}'`))
  const applied = await readApplied(tx)
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
  const done = new Set(applied.map((row) => row.name))
  for (const { name, checksum, statements, worksFrom } of migrations) {
    if (done.has(name)) continue
    for (const statement of statements) await tx.execute(sql.raw(statement))
    await tx.execute(sql`insert into schema_migrations (name, checksum, works_from) values (${name}, ${checksum}, ${worksFrom})`)
  }
  return newer
}

async function readApplied(tx: Database) {
  await tx.execute(
    sql`create table if not exists schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now(), works_from text)`,
  )
  // asked first: to alter a table, even to no effect, keeps everybody from it until the end
  const { rows: columns } = await tx.execute(
    sql`select from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'works_from'`,
  )
  if (columns.length === 0) await tx.execute(sql`alter table schema_migrations add column works_from text`)
  const { rows } = await tx.execute<{ name: string; checksum: string; worksFrom: string | null }>(
    sql`select name, checksum, works_from as "worksFrom" from schema_migrations order by name`,
  )
  return rows
}

function isLockTaken(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === '55P03'
}
