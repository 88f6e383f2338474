import { and, asc, between, desc, eq, gt, gte, lt, lte, sql, TransactionRollbackError, type SQL } from 'drizzle-orm'
import { daysBefore } from '#contract/rules/dates.ts'
import type { Database } from '../db/database.ts'
import { prepared } from '../db/prepared.ts'
import { auditEntries, auditHeads } from '../db/schema/audit.ts'
import { isTransaction } from '../db/transactions.ts'
import { isSealed, seal, sealKeysOf, type SealKeys } from './seals.ts'

/**
 * The append-only log of what happened to accounts and money. Each entry is sealed, by a key that the database does not have,
 * together with the seal of the entry before in its stream, so that a changed, added or removed entry is detected (PRIVACY-9).
 * There are many streams, so that writers do not wait for each other. Never codes, tokens, addresses or answers.
 * docs/decisions/0029
 */

type AuditEvent =
  | 'signed-in'
  | 'sign-in-failed'
  | 'refresh-reused'
  | 'new-device'
  | 'session-ended'
  | 'role-refused'
  | 'operator-call'
  | 'purchased'
  | 'allocated'
  | 'reclaimed'
  | 'refunded'
  | 'result-seen'
  | 'account-made'
  | 'account-close-failed'
  | 'account-closed'
  | 'account-reopened'
  | 'account-erased'
  | 'address-blocked'
  | 'address-unblocked'
  | 'adopted'
  | 'trimmed'
  | 'entries-lacking'

/** What happened, to whose account, about what: ids and names of calls, never a person's data. */
export interface AuditEntry {
  event: AuditEvent
  /** whose action or account it is; null: no account's */
  userId: string | null
  /** id of the session, sign-in, order or instance it was about, or the name of the call */
  about: string
}

/** The last entry of a stream; seq 0 and no seal if it has none. */
export interface Head {
  stream: number
  seq: number
  seal: string
}

type Row = typeof auditEntries.$inferSelect

/** As many as there are rows of audit_heads: 0, 1, 2 … */
export const STREAMS = 64
/** Older entries are trimmed by the sweep. */
export const RETENTION_DAYS = 400
/** Entries that are read at once. */
export const PAGE = 5000
/** rows of one statement: PostgreSQL takes 65,535 parameters */
const BATCH = 1000

/** Appends an entry. Call it last in a transaction, which locks one of the streams until its end. */
export async function appendAuditEntry(db: Database, entry: AuditEntry, now: Date): Promise<void> {
  await appendAuditEntries(db, [entry], now)
}

/** Appends entries to one stream, all or none. */
export async function appendAuditEntries(db: Database, entries: readonly AuditEntry[], now: Date): Promise<void> {
  if (entries.length === 0) return
  const write = async (tx: Database) => append(tx, await lockFreeStream(tx), entries, now)
  // a savepoint would cost two round trips, in which nobody else can write to the stream
  await (isTransaction(db) ? write(db) : db.transaction(write))
}

/** Takes as long as `appendAuditEntry` but writes nothing, so that timing does not reveal whether there is an account (LOGIN-19). */
export async function imitateAuditEntry(db: Database, entry: AuditEntry, now: Date): Promise<void> {
  const noting = db.transaction(async (tx) => {
    await append(tx, await lockFreeStream(tx), [entry], now)
    tx.rollback()
  })
  await noting.catch((error: unknown) => {
    if (!(error instanceof TransactionRollbackError)) throw error
  })
}

/**
 * Locks any stream that nobody is writing to. So writers neither wait for each other nor deadlock, in whatever order and however
 * often they write: a transaction that has locked one finds at least that one.
 */
async function lockFreeStream(tx: Database): Promise<Head> {
  const first = Math.floor(Math.random() * STREAMS)
  const [free] = await freeStream(tx).execute({ first })
  // more concurrent writers than streams
  return free ?? lockStream(tx, first)
}

const freeStream = prepared('free_audit_stream', (db) => {
  // in the order of the index, so that no other row is read: there are many old versions of each
  const freeIn = (streams: SQL, name: string) =>
    db.select().from(auditHeads).where(streams).orderBy(asc(auditHeads.stream)).limit(1).for('update', { skipLocked: true }).as(name)
  const first = sql`${sql.placeholder('first')}::smallint`
  // sweeps read no others
  const after = freeIn(sql`${auditHeads.stream} >= ${first} and ${auditHeads.stream} < ${sql.raw(String(STREAMS))}`, 'after')
  const before = freeIn(sql`${auditHeads.stream} >= 0 and ${auditHeads.stream} < ${first}`, 'before')
  return db.select().from(after).unionAll(db.select().from(before)).limit(1)
})

async function lockStream(tx: Database, stream: number): Promise<Head> {
  const [head] = await tx.select().from(auditHeads).where(eq(auditHeads.stream, stream)).for('update')
  if (!head) throw new Error(`the audit log has no stream ${stream}`)
  return head
}

async function append(tx: Database, head: Head, entries: readonly AuditEntry[], now: Date): Promise<void> {
  const [key] = sealKeysOf(tx)
  const { stream } = head
  const last = { ...head }
  const rows = entries.map((entry) => {
    const row = { ...entry, stream, seq: last.seq + 1, at: now, key: key.name }
    Object.assign(last, { seq: row.seq, seal: seal(key, 'entry', contentOf(row, last.seal)) })
    return { ...row, seal: last.seal }
  })
  const [only] = rows
  if (only && rows.length === 1) return void (await appendOne(tx).execute(only))
  for (let from = 0; from < rows.length; from += BATCH) await tx.insert(auditEntries).values(rows.slice(from, from + BATCH))
  await tx.update(auditHeads).set({ seq: last.seq, seal: last.seal }).where(eq(auditHeads.stream, stream))
}

const { placeholder } = sql

/** Nearly all writes have one entry: it and its head are one statement. */
const appendOne = prepared('append_audit_entry', (db) => {
  const head = db.$with('head').as(
    db
      .update(auditHeads)
      .set({ seq: sql`${placeholder('seq')}::bigint`, seal: sql`${placeholder('seal')}` })
      .where(eq(auditHeads.stream, placeholder('stream')))
      .returning({ stream: auditHeads.stream }),
  )
  return db
    .with(head)
    .insert(auditEntries)
    .values({
      stream: placeholder('stream'),
      seq: placeholder('seq'),
      at: placeholder('at'),
      event: placeholder('event'),
      userId: placeholder('userId'),
      about: placeholder('about'),
      key: placeholder('key'),
      seal: placeholder('seal'),
    })
})

function contentOf({ stream, seq, at, event, userId, about, key }: Omit<Row, 'id' | 'seal'>, previous: string): unknown[] {
  return [stream, seq, at.toISOString(), event, userId, about, key, previous]
}

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
        const previous = row.seq === last.seq + 1 ? last.seal : last.seq === 0 ? await sealAtCut(chain, row.seq - 1) : undefined
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

/** Whether the log has never had an entry. */
export async function isEmpty(db: Database): Promise<boolean> {
  const begun = await db.select({ stream: auditHeads.stream }).from(auditHeads).where(gt(auditHeads.seq, 0)).limit(1)
  const entry = await db.select({ stream: auditEntries.stream }).from(auditEntries).limit(1)
  return begun.length === 0 && entry.length === 0
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

/** What the entries of a kind are about, among those that `verifyStream` reads. */
export async function listAbout(db: Database, event: 'adopted' | 'trimmed'): Promise<string[]> {
  const isRead = and(between(auditEntries.stream, 0, STREAMS - 1), gt(auditEntries.seq, 0))
  const rows = await db
    .select({ about: auditEntries.about })
    .from(auditEntries)
    .where(and(eq(auditEntries.event, event), isRead))
  return rows.map(({ about }) => about)
}

/** Deletes entries older than 400 days and logs that. Once a day, since each time adds an entry. */
export async function trimOldEntries(db: Database, now: Date): Promise<void> {
  const oldest = sql`(select ${auditEntries.at} from ${auditEntries} where ${auditEntries.stream} = ${auditHeads.stream} order by ${auditEntries.seq} limit 1)`
  const due = await db
    .select({ stream: auditHeads.stream })
    .from(auditHeads)
    .where(sql`${oldest} < ${daysBefore(now, RETENTION_DAYS + 1).toISOString()}::timestamptz`)
    .orderBy(asc(auditHeads.stream))
  for (const { stream } of due) await trim(db, stream, daysBefore(now, RETENTION_DAYS), now)
}

async function trim(db: Database, stream: number, then: Date, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const head = await lockStream(tx, stream)
    const ofStream = eq(auditEntries.stream, stream)
    const [young] = await tx
      .select({ seq: auditEntries.seq })
      .from(auditEntries)
      .where(and(ofStream, gte(auditEntries.at, then)))
      .orderBy(asc(auditEntries.seq))
      .limit(1)
    // one that a clock that was behind has dated too early goes with those before it
    const isOld = and(ofStream, young ? lt(auditEntries.seq, young.seq) : undefined)
    const [last] = await tx.select().from(auditEntries).where(isOld).orderBy(desc(auditEntries.seq)).limit(1)
    if (!last) return
    await append(tx, head, [{ event: 'trimmed', userId: null, about: `${last.seq}:${last.seal}` }], now)
    await tx.delete(auditEntries).where(and(eq(auditEntries.stream, stream), lte(auditEntries.seq, last.seq)))
  })
}
