import { sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'

/**
 * Throws when the database does not answer, or takes no writes: it refuses to lock rows then, be there any or not. A
 * connection that met such a database is dropped, so that the next one looks for another.
 */
export async function reachDatabase(db: Database): Promise<void> {
  await db.execute(sql`select 1 from schema_migrations where false for update`)
}
