import { and, eq, isNull } from 'drizzle-orm'
import { normalEmail } from '#contract/rules/email.ts'
import { appendAuditEntry } from '../audit/store.ts'
import type { Database } from '../db/database.ts'
import { blockedAddresses } from '../db/schema/blocks.ts'
import { sessions } from '../db/schema/sign-in.ts'
import { users } from '../db/schema/users.ts'
import { lockAddress } from '../mailer/address-lock-store.ts'
import { addressHash } from '../mailer/unsubscribe-tokens.ts'

/** Addresses with which nobody signs in, and to which no invitation goes (ROLES-13). The codes that prove who owns one are still mailed. */

export async function isBlocked(db: Database, emailNormal: string): Promise<boolean> {
  const [found] = await db
    .select({ at: blockedAddresses.at })
    .from(blockedAddresses)
    .where(eq(blockedAddresses.addressHash, addressHash(emailNormal)))
  return found !== undefined
}

interface BlockOutcome {
  /** the account of the address; null if there is none */
  userId: string | null
  sessionsEnded: number
}

/** Blocks an address and ends the sessions of its account, both or neither. Idempotent. */
export async function blockAddress(db: Database, email: string, now: Date): Promise<BlockOutcome> {
  const emailNormal = normalEmail(email)
  return db.transaction(async (tx) => {
    // a sign-in comes before, and its session is ended, or after, and finds the block
    await lockAddress(tx, emailNormal)
    await tx
      .insert(blockedAddresses)
      .values({ addressHash: addressHash(emailNormal), at: now })
      .onConflictDoNothing()
    const [account] = await tx.select({ id: users.id }).from(users).where(eq(users.emailNormal, emailNormal)).for('update')
    const ended = account
      ? await tx
          .update(sessions)
          .set({ revokedAt: now })
          .where(and(eq(sessions.userId, account.id), isNull(sessions.revokedAt)))
          .returning({ id: sessions.id })
      : []
    const userId = account?.id ?? null
    await appendAuditEntry(tx, { event: 'address-blocked', userId, about: userId ?? 'an address without an account' }, now)
    return { userId, sessionsEnded: ended.length }
  })
}

/** Takes a block away. False if there was none. */
export async function unblockAddress(db: Database, email: string, now: Date): Promise<boolean> {
  const emailNormal = normalEmail(email)
  return db.transaction(async (tx) => {
    const removed = await tx
      .delete(blockedAddresses)
      .where(eq(blockedAddresses.addressHash, addressHash(emailNormal)))
      .returning({ at: blockedAddresses.at })
    if (removed.length === 0) return false
    const [account] = await tx.select({ id: users.id }).from(users).where(eq(users.emailNormal, emailNormal))
    const userId = account?.id ?? null
    await appendAuditEntry(tx, { event: 'address-unblocked', userId, about: userId ?? 'an address without an account' }, now)
    return true
  })
}
