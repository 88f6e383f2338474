import { sql } from 'drizzle-orm'
import type { Database } from '#server/db/open.ts'

/** Holds so many transactions open at the same moment; resolves when the pool really has so many connections to give. */
export async function useAtOnce(db: Database, connections: number): Promise<void> {
  let open = 0
  let allOpen = () => {}
  const all = new Promise<void>((resolve) => {
    allOpen = resolve
  })
  const hold = () =>
    db.transaction(async (tx) => {
      await tx.execute(sql`select 1`)
      open += 1
      if (open === connections) allOpen()
      await all
    })
  await Promise.all(Array.from({ length: connections }, hold))
}
