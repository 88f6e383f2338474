import { sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { erasedStatements, NOTHING_ERASED } from './erased-before-restore.ts'
import { MIGRATION_LOCK } from './migrate.ts'

/**
 * A table restored together with the database, which stays until the restore is in the audit log and the log was compared with the heads
 * stored outside: so whatever opens the database next finishes what a killed restore left undone.
 */

/** ISO 8601, UTC */
export interface RestoreTimes {
  backupAt: string
  begunAt: string
}

type Heads = [stream: number, seq: number, seal: string][]

interface RestoreMark extends RestoreTimes {
  /** last entries of the streams in the database that was replaced; null: there was none, or it is unknown */
  replaced: Heads | null
  /** the same as they came with the backup; null: the restore is not in the audit log yet */
  heads: Heads | null
}

/** What the audit log of a database has before it is deleted, for the rest of the transaction that restores another one. */
export const NOTE_REPLACED = `
do $replaced$
begin
  if to_regclass('public.audit_heads') is not null then
    perform set_config('touchline.replaced', (select jsonb_agg(jsonb_build_array(stream, seq, seal))::text from public.audit_heads where seq > 0), true);
  end if;
end
$replaced$;`

/** Expressions of what the database before had. */
export interface ReplacedDatabase {
  /** in the form of NOTE_REPLACED */
  replaced?: string
  /** as `noteErased` has it */
  erased?: string
}

/** Statements that mark a database as restored. */
export function markStatements(
  { backupAt, begunAt }: RestoreTimes,
  { replaced = 'null::jsonb', erased = NOTHING_ERASED }: ReplacedDatabase = {},
): string {
  const [backup, begun] = [backupAt, begunAt].map((at) => new Date(at).toISOString())
  return `drop table if exists public.unfinished_restore;
create table public.unfinished_restore (backup_at text not null, begun_at text not null, replaced jsonb, heads jsonb);
insert into public.unfinished_restore (backup_at, begun_at, replaced) select '${backup}', '${begun}', ${replaced};${erasedStatements(erased)}`
}

export const REPLACED = `nullif(current_setting('touchline.replaced', true), '')::jsonb`

/** null: no restore is unfinished. */
export async function readRestoreMark(db: Database): Promise<RestoreMark | null> {
  const { rows: found } = await db.execute<{ mark: string | null }>(sql`select to_regclass('public.unfinished_restore')::text as mark`)
  if (found[0]?.mark == null) return null
  const { rows } = await db.execute<RestoreMark & Record<string, unknown>>(
    sql`select backup_at as "backupAt", begun_at as "begunAt", replaced, heads from public.unfinished_restore`,
  )
  return rows[0] ?? null
}

/** Does something with the mark, in one process at a time; nothing if the mark is gone. */
export async function withRestoreMark(db: Database, work: (tx: Database, mark: RestoreMark) => Promise<void>): Promise<void> {
  if (!(await readRestoreMark(db))) return
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`)
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
