import type { Database } from '../db/database.ts'
import { readSchemaState } from '../db/migrate.ts'

/** The migrations that have run, oldest first. */
export async function listMigrations(db: Database): Promise<{ name: string; checksum: string }[]> {
  return (await readSchemaState(db)).applied
}
