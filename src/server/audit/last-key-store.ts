import { sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { sealKeysOf } from './seals.ts'

/** Whether the newest entry was sealed by another key than ours: entries of ours after it would look like tampering. False if there is no log. */
export async function isSealedByOthers(db: Database): Promise<boolean> {
  const { rows: found } = await db.execute<{ log: string | null }>(sql`select to_regclass('public.audit_entries')::text as log`)
  if (found[0]?.log == null) return false
  const { rows } = await db.execute<{ key: string }>(
    sql`select key from audit_heads join audit_entries using (stream, seq) order by id desc limit 1`,
  )
  const newest = rows[0]?.key
  return newest !== undefined && sealKeysOf(db).every(({ name }) => name !== newest)
}
