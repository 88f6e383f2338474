import { inArray } from 'drizzle-orm'
import type { Database } from './database.ts'
import { users } from './schema/users.ts'

/** The accounts of every demo, which `src/sandbox/demo-accounts` makes. OPERATE-7 */
export const DEMO_EMAILS = ['player@demo.test', 'player.half@demo.test', 'player.done@demo.test', 'coach@demo.test'] as const

/** Throws if the database has these accounts: it would hold tokens and assessments that nobody paid for. */
export async function refuseDemo(db: Database): Promise<void> {
  const found = await db.select({ email: users.email }).from(users).where(inArray(users.emailNormal, DEMO_EMAILS))
  if (found.length === 0) return
  const names = found.map(({ email }) => email).join(', ')
  throw new Error(
    `DATABASE_URL is the database of a demo: it has the accounts ${names}, their invented players, and tokens that nobody paid for. ` +
      'Make an empty database for production and name it in DATABASE_URL.',
  )
}
