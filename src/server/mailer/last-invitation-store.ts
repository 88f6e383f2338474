import { and, eq, gt, notExists, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Database } from '../db/database.ts'
import { mails } from '../db/schema/mails.ts'

/** The row of the team shows the state of the last invitation (MAIL-11). */
export function isLastInvitation(tx: Database, { instanceId, createdAt }: { instanceId: string; createdAt: Date }): SQL {
  const later = alias(mails, 'later')
  const isLater = and(eq(later.instanceId, instanceId), eq(later.kind, 'invitation'), gt(later.createdAt, createdAt))
  return notExists(tx.select({ id: later.id }).from(later).where(isLater))
}
