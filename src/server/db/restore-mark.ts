import { sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { LOCK } from './migrate.ts'

/**
 * A table that is restored with the database, in the same moment, and stays until the restore is in the audit log and the log was compared
 * with the heads stored outside: so whoever opens the database next does what a killed restore has left.
 */

/** ISO 8601, UTC */
export interface Restored {
  backupAt: string
  begunAt: string
}

interface RestoreMark extends Restored {
  /** last entries of the streams as they came with the backup: stream, seq, seal; null: it is not in the audit log yet */
  heads: [number, number, string][] | null
}

/** Statements that mark a database as restored, for a transaction of its own kind: that of psql, or of the embedded engine. */
export function markStatements({ backupAt, begunAt }: Restored): string {
  const [backup, begun] = [backupAt, begunAt].map((at) => new Date(at).toISOString())
  return `drop table if exists public.unfinished_restore;
create table public.unfinished_restore (backup_at text not null, begun_at text not null, heads jsonb);
insert into public.unfinished_restore (backup_at, begun_at) values ('${backup}', '${begun}');`
}

/** null: no restore is unfinished. */
export async function readRestoreMark(db: Database): Promise<RestoreMark | null> {
  const { rows: found } = await db.execute<{ mark: string | null }>(sql`select to_regclass('public.unfinished_restore')::text as mark`)
  if (found[0]?.mark == null) return null
  const { rows } = await db.execute<RestoreMark & Record<string, unknown>>(
    sql`select backup_at as "backupAt", begun_at as "begunAt", heads from public.unfinished_restore`,
  )
  return rows[0] ?? null
}

/** Does something with the mark, of all processes one at a time; nothing if there is none any more. */
export async function withRestoreMark(db: Database, work: (tx: Database, mark: RestoreMark) => Promise<void>): Promise<void> {
  if (!(await readRestoreMark(db))) return
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCK}::bigint)`)
    const mark = await readRestoreMark(tx)
    if (mark) await work(tx, mark)
  })
}

export async function noteHeadsAtMark(tx: Database, heads: RestoreMark['heads']): Promise<void> {
  await tx.execute(sql`update public.unfinished_restore set heads = ${JSON.stringify(heads)}::jsonb`)
}

export async function removeRestoreMark(tx: Database): Promise<void> {
  await tx.execute(sql`drop table public.unfinished_restore`)
}
