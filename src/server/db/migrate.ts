import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import type { Database } from './open.ts'

const folder = new URL('./migrations/', import.meta.url)

/** One lock for all servers that start on the same database; any fixed number does. */
const LOCK = 7_061_874

interface Migration {
  name: string
  checksum: string
  statements: string[]
}

async function readMigrations(directory: URL): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).toSorted()
  return Promise.all(
    files.map(async (name) => {
      const text = await readFile(new URL(name, directory), 'utf8')
      const statements = text.split('--> statement-breakpoint').map((statement) => statement.trim())
      return { name, checksum: createHash('sha256').update(text).digest('hex'), statements }
    }),
  )
}

/**
 * Brings the database to this build's schema in one transaction. Refuses when a migration that already ran reads
 * otherwise now, or when the database has one that this build does not know (promises §3, 72).
 */
export async function migrate(db: Database, directory: URL = folder): Promise<void> {
  const migrations = await readMigrations(directory)
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCK}::bigint)`)
    await tx.execute(
      sql`create table if not exists schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
    )
    const applied = await tx.execute<{ name: string; checksum: string }>(sql`select name, checksum from schema_migrations order by name`)
    const known = new Map(migrations.map((migration) => [migration.name, migration]))
    for (const { name, checksum } of applied.rows) {
      const migration = known.get(name)
      if (!migration) throw new Error(`The database was made by a newer build: migration ${name} is unknown here.`)
      if (migration.checksum !== checksum) throw new Error(`Migration ${name} was changed after it ran: its checksum does not match.`)
    }
    const done = new Set(applied.rows.map((row) => row.name))
    for (const { name, checksum, statements } of migrations) {
      if (done.has(name)) continue
      for (const statement of statements) await tx.execute(sql.raw(statement))
      await tx.execute(sql`insert into schema_migrations (name, checksum) values (${name}, ${checksum})`)
    }
  })
}
