import { sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'

/** Holds so many connections of a database in open transactions; resolves to a function that ends them. */
export async function holdConnections(db: Database, count: number): Promise<() => Promise<void>> {
  const end = Promise.withResolvers<void>()
  const held = Array.from({ length: count }, () => Promise.withResolvers<void>())
  const holding = held.map(({ resolve, reject }) =>
    db
      .transaction(async (tx) => {
        await tx.execute(sql`select 1`)
        resolve()
        await end.promise
      })
      .catch(reject),
  )
  await Promise.all(held.map(({ promise }) => promise))
  return async () => {
    end.resolve()
    await Promise.all(holding)
  }
}
