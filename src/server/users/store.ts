import { eq } from 'drizzle-orm'
import { isId, type Database } from '../db/open.ts'
import { users } from '../db/schema.ts'

export type User = typeof users.$inferSelect
export type UserChange = Partial<typeof users.$inferInsert>

export async function findUser(db: Database, id: string): Promise<User | undefined> {
  if (!isId(id)) return undefined
  const [user] = await db.select().from(users).where(eq(users.id, id))
  return user
}

/** Writes what is given, leaves the rest. */
export async function changeUser(db: Database, id: string, change: UserChange): Promise<User | undefined> {
  if (Object.keys(change).length === 0) return findUser(db, id)
  const [user] = await db.update(users).set(change).where(eq(users.id, id)).returning()
  return user
}
