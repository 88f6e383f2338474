import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { TestServer } from './start-server.ts'

/** One hash over every row of every table: two alike mean that nothing changed in between. */
export async function hashOfAllRows({ deps }: TestServer): Promise<string> {
  const tables = await deps.db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' order by table_name`,
  )
  const hash = createHash('sha256')
  for (const { name } of tables.rows) {
    const { rows } = await deps.db.execute<{ row: string }>(sql`select t::text as row from ${sql.identifier(name)} t order by 1`)
    hash.update(`${name}\n${rows.map(({ row }) => row).join('\n')}\n`)
  }
  return hash.digest('hex')
}
