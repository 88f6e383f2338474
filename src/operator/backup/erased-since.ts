import { readdir } from 'node:fs/promises'
import { and, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { users } from '#server/db/schema/users.ts'
import { placesOf } from '#server/db/unfinished-restore.ts'
import type { Env } from '#server/env.ts'
import { openWithoutKeys } from './installation.ts'

/** A backup still has people who were erased after it: only the database that it replaces knows who they are. PRIVACY-13 */

/** The accounts erased in the existing database; `unknown` if it cannot be read. */
export async function readErased(env: Env): Promise<string[] | 'unknown'> {
  try {
    if (env.databaseUrl === undefined && (await readdir(placesOf(env.dataDir).place).catch(() => [])).length === 0) return []
    const database = await openWithoutKeys(env)
    try {
      const { rows } = await database.db.execute<{ there: boolean }>(`select to_regclass('public.users') is not null as there`)
      if (!rows[0]?.there) return []
      const erased = await database.db.select({ id: users.id }).from(users).where(isNotNull(users.erasedAt))
      return erased.map(({ id }) => id)
    } finally {
      await database.close()
    }
  } catch {
    // damaged, which may be why a backup is restored, or in use, which the restore says
    return 'unknown'
  }
}

/** What to tell the operator about them after a restore; undefined: nobody is back. */
export async function describeBack(db: Database, erased: string[] | 'unknown'): Promise<string | undefined> {
  if (erased === 'unknown')
    return 'Whom the replaced database had erased could not be read from it: whoever was erased after the backup is in it again. Erase them again.'
  if (erased.length === 0) return undefined
  const isBack = and(inArray(users.id, erased), isNull(users.erasedAt))
  const back = await db.select({ id: users.id }).from(users).where(isBack)
  if (back.length === 0) return undefined
  const ids = back.map(({ id }) => id).toSorted()
  return `Erased after the backup, and in it again (people: ${ids.length}). Once the server runs, erase them: ${ids.map((id) => `touchline erase ${id} --yes`).join('; ')}`
}
