import { sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { mailboxOf } from './mailbox.ts'

/** First key of the advisory lock on an address; any fixed number does. */
const ADDRESS_LOCK = 7_061_876

/**
 * Until this transaction ends, nobody else allocates to this address, creates its account or counts its mails: one comes first, and the
 * other sees what it did. There is one lock for each mailbox, since its mails are counted together. Before any instance.
 */
export async function lockAddress(tx: Database, emailNormal: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${ADDRESS_LOCK}::int, hashtext(${mailboxOf(emailNormal)}))`)
}

/** Locks addresses in one order, so that two transactions of the same ones cannot deadlock. */
export async function lockAddresses(tx: Database, emailsNormal: readonly string[]): Promise<void> {
  for (const emailNormal of emailsNormal.toSorted((one, other) => (mailboxOf(one) < mailboxOf(other) ? -1 : 1)))
    await lockAddress(tx, emailNormal)
}
