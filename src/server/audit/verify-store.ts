import { and, asc, between, desc, eq, gt, gte, sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { auditEntries, auditHeads } from '../db/schema/audit.ts'
import { isSealed, sealKeysOf, type SealKeys } from './seals.ts'
import { contentOf, STREAMS, type Head, type Row } from './store.ts'

/** Verifies that no entry of the audit log was changed, added or removed. docs/decisions/0029 */

/** Entries that are read at once. */
export const PAGE = 5000

/** The entry that fails verification: by its stream and seq, or in `unkeyed` by its id. */
export interface BrokenEntry {
  stream: number | 'unkeyed'
  entry: number
  why: 'changed' | 'unknown key' | 'missing' | 'cut off' | 'not its head' | 'outside'
}

/** A stream that is intact up to this entry. */
type Verdict = { isIntact: true; head: Head } | { isIntact: false; broken: BrokenEntry }

/**
 * Verifies that a stream is intact and still has the entry that was its last at an earlier check (`anchor`). Entries before that are
 * read again only with `fromStart`.
 */
export async function verifyStream(db: Database, stream: number, anchor: Head | undefined, fromStart: boolean): Promise<Verdict> {
  return db.transaction(async (tx) => {
    // one snapshot: entries appended or trimmed in the meantime are not seen
    await tx.execute(sql`set transaction isolation level repeatable read, read only`)
    const [head] = await tx.select().from(auditHeads).where(eq(auditHeads.stream, stream))
    const chain: Chain = { tx, stream, anchor, keys: sealKeysOf(tx) }
    const isAnchorThere = anchor !== undefined && anchor.seq > 0 && (await rowsFrom(chain, anchor.seq, 1))[0]?.seq === anchor.seq
    const verdict = await verifyFrom(chain, isAnchorThere && !fromStart ? anchor.seq : 1)
    if (!verdict.isIntact) return verdict
    const { head: last } = verdict
    if (anchor && last.seq < anchor.seq) return broken(stream, last.seq + 1, 'cut off')
    if (head?.seq !== last.seq || head.seal !== last.seal) return broken(stream, last.seq + 1, 'not its head')
    return verdict
  })
}

/** The streams whose last entry and head are unchanged since an earlier check. */
export async function listUnchanged(db: Database, anchors: readonly Head[]): Promise<Set<number>> {
  const last = db
    .select({ seq: auditEntries.seq, seal: auditEntries.seal })
    .from(auditEntries)
    .where(eq(auditEntries.stream, auditHeads.stream))
    .orderBy(desc(auditEntries.seq))
    .limit(1)
    .as('last')
  const rows = await db
    .select({ head: auditHeads, last: { seq: last.seq, seal: last.seal } })
    .from(auditHeads)
    .leftJoinLateral(last, sql`true`)
  const quiet = rows.filter(({ head, last }) => {
    const anchor = anchors.find(({ stream }) => stream === head.stream)
    const isSame = (one: { seq: number; seal: string }) => one.seq === anchor?.seq && one.seal === anchor.seal
    return isSame(head) && isSame(last ?? { seq: 0, seal: '' })
  })
  return new Set(quiet.map(({ head }) => head.stream))
}

interface Chain {
  tx: Database
  stream: number
  anchor: Head | undefined
  keys: SealKeys
}

function rowsFrom({ tx, stream }: Chain, seq: number, limit: number): Promise<Row[]> {
  return tx
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.stream, stream), gte(auditEntries.seq, seq)))
    .orderBy(asc(auditEntries.seq))
    .limit(limit)
}

async function verifyFrom(chain: Chain, start: number): Promise<Verdict> {
  const { stream, anchor, keys } = chain
  let last: Head = { stream, seq: 0, seal: '' }
  for (;;) {
    const rows = await rowsFrom(chain, Math.max(start, last.seq + 1), PAGE)
    for (const row of rows) {
      const isKnown = row.seq === anchor?.seq
      if (isKnown && row.seal !== anchor.seal) return broken(stream, row.seq, 'changed')
      // its seal is stored outside the database, so the entry before need not exist any more
      const isStart = isKnown && row.seq === start
      if (!isStart) {
        const previous = await sealBefore(chain, last, row.seq)
        if (previous === undefined) return broken(stream, row.seq, 'missing')
        if (!keys.some(({ name }) => name === row.key)) return broken(stream, row.seq, 'unknown key')
        if (!isSealed(keys, row.key, 'entry', contentOf(row, previous), row.seal)) return broken(stream, row.seq, 'changed')
      }
      last = row
    }
    if (rows.length < PAGE) return { isIntact: true, head: { stream, seq: last.seq, seal: last.seal } }
  }
}

function broken(stream: number, entry: number, why: BrokenEntry['why']): Verdict {
  return { isIntact: false, broken: { stream, entry, why } }
}

/** The seal of the entry before this one, read or trimmed; undefined if it is missing. */
async function sealBefore(chain: Chain, last: Head, seq: number): Promise<string | undefined> {
  if (seq === last.seq + 1) return last.seal
  return last.seq === 0 ? sealAtCut(chain, seq - 1) : undefined
}

/** Seal of the last trimmed entry, from the entry that records the trimming. */
async function sealAtCut({ tx, stream }: Chain, seq: number): Promise<string | undefined> {
  const cuts = await tx
    .select({ about: auditEntries.about })
    .from(auditEntries)
    // among those read after this one
    .where(and(eq(auditEntries.event, 'trimmed'), eq(auditEntries.stream, stream), gt(auditEntries.seq, seq)))
  const start = `${seq}:`
  return cuts.find(({ about }) => about.startsWith(start))?.about.slice(start.length)
}

/** An entry or head in a stream that is never written or read; undefined if there is none. */
export async function findOutside(db: Database): Promise<BrokenEntry | undefined> {
  const { rows } = await db.execute<{ stream: number; entry: number }>(sql`
    select stream, seq::int as entry from ${auditEntries} where stream < 0 or stream >= ${STREAMS}
    union all
    select stream, 0 from ${auditHeads} where stream < 0 or stream >= ${STREAMS}
    union all
    select first.stream, first.seq::int from generate_series(0, ${STREAMS - 1}) as one(stream)
      cross join lateral (select stream, seq from ${auditEntries} where stream = one.stream and seq < 1 limit 1) first
    order by 1, 2 limit 1`)
  return rows[0] && { ...rows[0], why: 'outside' }
}

/** Whether the log has never had an entry. */
export async function isEmpty(db: Database): Promise<boolean> {
  const begun = await db.select({ stream: auditHeads.stream }).from(auditHeads).where(gt(auditHeads.seq, 0)).limit(1)
  const entry = await db.select({ stream: auditEntries.stream }).from(auditEntries).limit(1)
  return begun.length === 0 && entry.length === 0
}

/** What the entries of a kind are about, among those that `verifyStream` reads. */
export async function listAbout(db: Database, event: 'adopted' | 'trimmed'): Promise<string[]> {
  const isRead = and(between(auditEntries.stream, 0, STREAMS - 1), gt(auditEntries.seq, 0))
  const rows = await db
    .select({ about: auditEntries.about })
    .from(auditEntries)
    .where(and(eq(auditEntries.event, event), isRead))
  return rows.map(({ about }) => about)
}
