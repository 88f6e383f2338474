import { asc, eq, sql, TransactionRollbackError, type SQL } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { prepared } from '../db/prepared.ts'
import { auditEntries, auditHeads } from '../db/schema/audit.ts'
import { isTransaction } from '../db/transactions.ts'
import { seal, sealKeysOf } from './seals.ts'

/**
 * The append-only log of what happened to accounts and money. Each entry is sealed, by a key that the database does not have,
 * together with the seal of the entry before in its stream, so that a changed, added or removed entry is detected (PRIVACY-9).
 * There are many streams, so that writers do not wait for each other. Never codes, tokens, addresses or answers.
 * This file appends; verify-store.ts and trim-store.ts do what their names say. docs/decisions/0029
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

const { placeholder } = sql

export type Row = typeof auditEntries.$inferSelect

/** As many as there are rows of audit_heads: 0, 1, 2 … */
export const STREAMS = 64
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
  const first = sql`${placeholder('first')}::smallint`
  // sweeps read no others
  const after = freeIn(sql`${auditHeads.stream} >= ${first} and ${auditHeads.stream} < ${sql.raw(String(STREAMS))}`, 'after')
  const before = freeIn(sql`${auditHeads.stream} >= 0 and ${auditHeads.stream} < ${first}`, 'before')
  return db.select().from(after).unionAll(db.select().from(before)).limit(1)
})

export async function lockStream(tx: Database, stream: number): Promise<Head> {
  const [head] = await tx.select().from(auditHeads).where(eq(auditHeads.stream, stream)).for('update')
  if (!head) throw new Error(`the audit log has no stream ${stream}`)
  return head
}

/** Appends to a stream that is locked. */
export async function append(tx: Database, head: Head, entries: readonly AuditEntry[], now: Date): Promise<void> {
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

/** What an entry's seal covers. */
export function contentOf({ stream, seq, at, event, userId, about, key }: Omit<Row, 'id' | 'seal'>, previous: string): unknown[] {
  return [stream, seq, at.toISOString(), event, userId, about, key, previous]
}
