import { inArray } from 'drizzle-orm'
import type { Database } from './database.ts'
import { users } from './schema/users.ts'

/** The accounts of every demo, created by `src/sandbox/demo-accounts`. OPERATE-7 */
export const DEMO_EMAILS = ['player@demo.test', 'player.half@demo.test', 'player.done@demo.test', 'coach@demo.test'] as const

/** Throws if the database has these accounts: it would also have tokens and assessments that nobody paid for. */
export async function refuseDemo(db: Database): Promise<void> {
  const found = await db.select({ email: users.email }).from(users).where(inArray(users.emailNormal, DEMO_EMAILS))
  if (found.length === 0) return
  const names = found.map(({ email }) => email).join(', ')
  throw new Error(
    `DATABASE_URL is the database of a demo: it has the accounts ${names}, their invented players, and tokens that nobody paid for. ` +
      'Create an empty database for production and set DATABASE_URL to it.',
  )
}
