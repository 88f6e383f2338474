import { sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'

/**
 * Throws if the database does not reply or accepts no writes: a read-only one refuses to lock rows, even if there are none. The
 * connection is dropped then, so that the next one looks for another host.
 */
export async function checkDatabase(db: Database): Promise<void> {
  await db.execute(sql`select 1 from schema_migrations where false for update`)
}
