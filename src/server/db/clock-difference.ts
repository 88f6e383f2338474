import { sql } from 'drizzle-orm'
import { MINUTE_MS } from '#contract/rules/dates.ts'
import type { Database } from './database.ts'

/** Beyond this, sessions and codes end early or late, and accounts are erased at the wrong time. */
export const CLOCKS_DIFFER_MAXIMUM_MS = MINUTE_MS

/** How many milliseconds the database's clock is ahead of this machine's, as if read half way to the reply. */
export async function clockDifference(db: Database, now: () => Date): Promise<number> {
  const before = now().getTime()
  const { rows } = await db.execute<{ at: number }>(sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as at`)
  const [read] = rows
  if (!read) throw new Error('the database does not say what time it is')
  return read.at - (before + now().getTime()) / 2
}
