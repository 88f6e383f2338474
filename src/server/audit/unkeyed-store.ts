import { createHash } from 'node:crypto'
import { asc, desc, eq, gt, lt, lte, sql } from 'drizzle-orm'
import { daysBefore } from '#contract/rules/dates.ts'
import type { Database } from '../db/database.ts'
import { auditLog } from '../db/schema/audit.ts'
import { appendAuditEntry } from './store.ts'
import { RETENTION_DAYS } from './trim-store.ts'
import { listAbout, PAGE, type BrokenEntry } from './verify-store.ts'

/**
 * The audit log of builds before the keyed one: a single chain, sealed by plain SHA-256. An entry of the keyed log records the seal of
 * its last entry ("adopts" it), so that the chain can no longer be changed unnoticed; after RETENTION_DAYS all of it has been deleted.
 */

type Row = typeof auditLog.$inferSelect

function sealOf({ id, at, event, userId, about, previous }: Omit<Row, 'seal'>): string {
  return createHash('sha256')
    .update(JSON.stringify([id, at.toISOString(), event, userId, about, previous]))
    .digest('base64url')
}

/**
 * Adopts the last entry. Idempotent. `again`: there are entries after an adopted one, as when an older build ran in between.
 */
export async function adoptUnkeyed(db: Database, now: Date): Promise<'nothing' | 'adopted' | 'again'> {
  const [last] = await db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1)
  if (!last) return 'nothing'
  const known = await lastAdopted(db)
  if (known && known.id >= last.id) return 'nothing'
  await appendAuditEntry(db, { event: 'adopted', userId: null, about: stampOf(last) }, now)
  return known ? 'again' : 'adopted'
}

const stampOf = ({ id, seal }: Pick<Row, 'id' | 'seal'>) => `${id}:${seal}`

async function lastAdopted(db: Database): Promise<Pick<Row, 'id' | 'seal'> | undefined> {
  const heads = (await listAbout(db, 'adopted')).map((about) => ({
    id: Number.parseInt(about, 10),
    seal: about.slice(about.indexOf(':') + 1),
  }))
  return heads.toSorted((a, b) => b.id - a.id)[0]
}

/** The first entry that does not follow from the one before, or is not the adopted one; undefined if the chain is intact. */
export async function findBrokenUnkeyed(db: Database): Promise<BrokenEntry | undefined> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`set transaction isolation level repeatable read, read only`)
    const adopted = await lastAdopted(tx)
    let last: Pick<Row, 'id' | 'seal'> | undefined
    for (;;) {
      const rows = await tx
        .select()
        .from(auditLog)
        .where(gt(auditLog.id, last?.id ?? 0))
        .orderBy(asc(auditLog.id))
        .limit(PAGE)
      for (const row of rows) {
        const isNext = last === undefined ? await isBeginning(tx, row) : row.id === last.id + 1 && row.previous === last.seal
        const isOther = row.id === adopted?.id && row.seal !== adopted.seal
        if (!isNext || isOther || row.seal !== sealOf(row)) return { stream: 'unkeyed', entry: row.id, why: 'changed' }
        last = row
      }
      if (rows.length < PAGE) break
    }
    if (!adopted || adopted.id <= (last?.id ?? 0) || (await isTrimmed(tx, adopted))) return undefined
    return { stream: 'unkeyed', entry: (last?.id ?? 0) + 1, why: 'cut off' }
  })
}

/** The first entry, or the first one left by trimming, which an entry of this log or the keyed one records. */
async function isBeginning(tx: Database, { id, previous }: Row): Promise<boolean> {
  if (id === 1) return previous === ''
  const before = { id: id - 1, seal: previous }
  const cuts = await tx.select({ about: auditLog.about }).from(auditLog).where(eq(auditLog.event, 'trimmed'))
  return cuts.some(({ about }) => about === stampOf(before)) || isTrimmed(tx, before)
}

const trimmedAt = (last: Pick<Row, 'id' | 'seal'>) => `unkeyed:${stampOf(last)}`

async function isTrimmed(tx: Database, last: Pick<Row, 'id' | 'seal'>): Promise<boolean> {
  return (await listAbout(tx, 'trimmed')).includes(trimmedAt(last))
}

/** Deletes entries older than RETENTION_DAYS and logs that in the keyed log. Once a day. */
export async function trimOldUnkeyed(db: Database, now: Date): Promise<void> {
  const [first] = await db.select({ at: auditLog.at }).from(auditLog).orderBy(asc(auditLog.id)).limit(1)
  if (!first || first.at >= daysBefore(now, RETENTION_DAYS + 1)) return
  await db.transaction(async (tx) => {
    const [last] = await tx
      .select()
      .from(auditLog)
      .where(lt(auditLog.at, daysBefore(now, RETENTION_DAYS)))
      .orderBy(desc(auditLog.id))
      .limit(1)
    if (!last) return
    await tx.delete(auditLog).where(lte(auditLog.id, last.id))
    await appendAuditEntry(tx, { event: 'trimmed', userId: null, about: trimmedAt(last) }, now)
  })
}
