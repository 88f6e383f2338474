import { createHash } from 'node:crypto'
import { asc, desc, eq, gt, lt, lte, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { auditLog } from '../db/schema.ts'

/**
 * What happened to accounts and money, append-only: each entry is sealed with the seal of the one before, so that one
 * that was changed, added or taken away shows (promises G9). Never codes, tokens, addresses or answers.
 */

export type AuditEvent =
  | 'signed-in'
  | 'sign-in-failed'
  | 'refresh-reused'
  | 'new-device'
  | 'session-ended'
  | 'role-refused'
  | 'purchased'
  | 'allocated'
  | 'reclaimed'
  | 'refunded'
  | 'account-close-failed'
  | 'account-closed'
  | 'account-reopened'
  | 'account-erased'
  | 'trimmed'

export interface AuditEntry {
  event: AuditEvent
  /** null: nobody's account */
  userId: string | null
  /** id of the session, sign-in, order or instance it was about, or the name of the call */
  about: string
}

type Row = typeof auditLog.$inferSelect

/** One lock for all who write an entry; any fixed number does. */
const LOCK = 7_061_875
const KEPT_DAYS = 400
const DAY = 86_400_000
const PAGE = 5000

function sealOf({ id, at, event, userId, about, previous }: Omit<Row, 'seal'>): string {
  return createHash('sha256')
    .update(JSON.stringify([id, at.toISOString(), event, userId, about, previous]))
    .digest('base64url')
}

/** Appends an entry. The last statement of its transaction: until that ends, every other entry waits. */
export async function note(db: Database, entry: AuditEntry, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCK}::bigint)`)
    const [last] = await tx.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1)
    const row = { ...entry, id: (last?.id ?? 0) + 1, at: now, previous: last?.seal ?? '' }
    await tx.insert(auditLog).values({ ...row, seal: sealOf(row) })
  })
}

/** Id of the first entry that does not follow from the one before; undefined: the chain is whole. */
export async function findBrokenEntry(db: Database): Promise<number | undefined> {
  let before: Pick<Row, 'id' | 'seal'> | undefined
  for (;;) {
    const rows: Row[] = await db
      .select()
      .from(auditLog)
      .where(gt(auditLog.id, before?.id ?? 0))
      .orderBy(asc(auditLog.id))
      .limit(PAGE)
    for (const row of rows) {
      const isFirst = before === undefined
      const isNext = before !== undefined && row.id === before.id + 1 && row.previous === before.seal
      if (row.seal !== sealOf(row) || !(isNext || (isFirst && (await isBeginning(db, row))))) return row.id
      before = row
    }
    if (rows.length < PAGE) return undefined
  }
}

/** The first entry of all, or the first that trimming left: a later entry says where it cut. */
async function isBeginning(db: Database, { id, previous }: Row): Promise<boolean> {
  if (id === 1) return previous === ''
  const cuts = await db.select({ about: auditLog.about }).from(auditLog).where(eq(auditLog.event, 'trimmed'))
  return cuts.some(({ about }) => about === cutAt(id - 1, previous))
}

const cutAt = (id: number, seal: string) => `${id}:${seal}`

/** Entries of more than 400 days go, and an entry says so. */
export async function forgetOldEntries(db: Database, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const then = new Date(now.getTime() - KEPT_DAYS * DAY)
    const [last] = await tx.select().from(auditLog).where(lt(auditLog.at, then)).orderBy(desc(auditLog.id)).limit(1)
    if (!last) return
    await note(tx, { event: 'trimmed', userId: null, about: cutAt(last.id, last.seal) }, now)
    await tx.delete(auditLog).where(lte(auditLog.id, last.id))
  })
}
