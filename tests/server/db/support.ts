import { sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'

/**
 * Holds this many transactions open at once. Resolves with the ids of their database processes, once the pool has given
 * that many connections.
 */
export async function useAtOnce(db: Database, connections: number): Promise<number[]> {
  let open = 0
  let allOpen = () => {}
  const all = new Promise<void>((resolve) => {
    allOpen = resolve
  })
  const hold = () =>
    db.transaction(async (tx) => {
      const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      open += 1
      if (open === connections) allOpen()
      await all
      return rows.map(({ pid }) => pid)
    })
  return (await Promise.all(Array.from({ length: connections }, hold))).flat()
}
