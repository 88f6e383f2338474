import { eq } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { users } from '#server/db/schema/users.ts'

/** Marks an account as closed at that time, without a code and without the mail to its owner. */
export async function markClosed(db: Database, userId: string, now: Date): Promise<void> {
  await db.update(users).set({ deactivatedAt: now }).where(eq(users.id, userId))
}
