import { readdir } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { NOTED_ERASED, noteErased, NOTHING_ERASED, unknownErased } from '#server/db/erased-before-restore.ts'
import { placesOf } from '#server/db/unfinished-restore.ts'
import type { Env } from '#server/env.ts'
import { openWithoutKeys } from './installation.ts'

/** Whom the embedded database that is there has erased, as an expression for the one that replaces it. PRIVACY-13 */
export async function readErased(env: Env, begunAt: string): Promise<string> {
  try {
    if ((await readdir(placesOf(env.dataDir).place).catch(() => [])).length === 0) return NOTHING_ERASED
    const database = await openWithoutKeys(env)
    try {
      return await database.db.transaction(async (tx) => {
        await tx.execute(sql.raw(noteErased(begunAt)))
        const { rows } = await tx.execute<{ erased: string }>(sql.raw(`select quote_literal(${NOTED_ERASED}) || '::jsonb' as erased`))
        return rows[0]?.erased ?? unknownErased(begunAt)
      })
    } finally {
      await database.close()
    }
  } catch {
    // damaged, which may be why a backup is restored, or in use, which the restore says
    return unknownErased(begunAt)
  }
}
