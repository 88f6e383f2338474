import { sql } from 'drizzle-orm'
import type { TestServer } from './start-server.ts'

// counts calls, refused or not
const COUNTING = 'rate_limits'

/** A hash of all rows of each table, to compare before and after. */
export async function hashOfAllRows({ deps }: TestServer, except: readonly string[] = []): Promise<Record<string, string>> {
  const tables = await deps.db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' order by table_name`,
  )
  const hashes = tables.rows
    .filter(({ name }) => name !== COUNTING && !except.includes(name))
    .map(
      ({ name }) =>
        sql`select ${name}::text as name, md5(coalesce(string_agg(t::text, E'\n' order by t::text), '')) as hash from ${sql.identifier(name)} t`,
    )
  const { rows } = await deps.db.execute<{ name: string; hash: string }>(sql.join(hashes, sql` union all `))
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]))
}
