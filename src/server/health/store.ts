import { sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'

/** Throws when the database does not answer. */
export async function reachDatabase(db: Database): Promise<void> {
  await db.execute(sql`select 1`)
}
