import { eq } from 'drizzle-orm'
import type { AccountState } from '#contract/auth.ts'
import type { Database } from '../db/database.ts'
import { users } from '../db/schema/users.ts'

/** Asked of the database that is written, never of a standby: an account that is new must not seem to be missing. */
export async function stateOfAccount(db: Database, id: string): Promise<AccountState> {
  const [user] = await db.select({ erasedAt: users.erasedAt, deactivatedAt: users.deactivatedAt }).from(users).where(eq(users.id, id))
  if (!user) return 'missing'
  if (user.erasedAt) return 'erased'
  return user.deactivatedAt ? 'closed' : 'kept'
}
