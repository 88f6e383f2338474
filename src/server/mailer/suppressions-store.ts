import { eq } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Database } from '../db/database.ts'
import { blockedAddresses } from '../db/schema/blocks.ts'
import { mailSuppressions } from '../db/schema/mails.ts'
import { addressHash } from './unsubscribe-tokens.ts'

/** Addresses to which no invitation is sent. */

/** Whether the owner of an address has unsubscribed from invitations, or the operator has blocked it. */
export async function isSuppressed(db: Database, toNormal: string): Promise<boolean> {
  const hash = addressHash(toNormal)
  const found = await unionAll(
    db.select({ at: mailSuppressions.at }).from(mailSuppressions).where(eq(mailSuppressions.addressHash, hash)),
    db.select({ at: blockedAddresses.at }).from(blockedAddresses).where(eq(blockedAddresses.addressHash, hash)),
  )
  return found.length > 0
}

/** Stops invitations to the address of this hash. */
export async function unsubscribe(db: Database, hash: string, now: Date): Promise<void> {
  await db.insert(mailSuppressions).values({ addressHash: hash, at: now }).onConflictDoNothing()
}

/** Reverses `unsubscribe`. */
export async function resubscribe(db: Database, hash: string): Promise<void> {
  await db.delete(mailSuppressions).where(eq(mailSuppressions.addressHash, hash))
}
