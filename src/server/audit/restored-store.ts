import { asc, eq, gt, and, desc } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import type { OpenDatabase } from '../db/open.ts'
import { noteHeadsAtMark, readRestoreMark, removeRestoreMark, withRestoreMark } from '../db/restore-mark.ts'
import { auditEntries, auditHeads } from '../db/schema/audit.ts'
import type { Media } from '../outside/media.ts'
import { readHeads, setHeadsAside, type Heads } from './heads.ts'
import { sealKeysOf } from './seals.ts'
import { appendAuditEntry, type Head } from './store.ts'

/**
 * What a restore must do in the audit log, done by whatever opens the database next if the restore was killed: an entry, and a comparison
 * with the heads stored outside, which are of a longer log. docs/decisions/0029
 */

/** Writes the restore into the log of the restored database, once, and removes the mark of its files. */
export async function noteRestore({ db, unmarkFiles }: Pick<OpenDatabase, 'db' | 'unmarkFiles'>, now: Date): Promise<void> {
  await noteRestored(db, now)
  await unmarkFiles()
}

/** Its part in the database. */
export async function noteRestored(db: Database, now: Date): Promise<void> {
  await withRestoreMark(db, async (tx, { backupAt, heads }) => {
    if (heads !== null) return
    const restored = await tx.select().from(auditHeads).where(gt(auditHeads.seq, 0)).orderBy(asc(auditHeads.stream))
    await noteHeadsAtMark(
      tx,
      restored.map(({ stream, seq, seal }) => [stream, seq, seal]),
    )
    await appendAuditEntry(tx, { event: 'operator-call', userId: null, about: `tool restore ${backupAt}` }, now)
  })
}

/** What the restored log lacks of the one before it. */
export interface AuditGap {
  /** `unknown`: the heads are of another log, or not sealed by a key of ours */
  entries: number | 'unknown'
  /** path of the heads of the log before, beside the pictures; null: there were none */
  keptAs: string | null
}

/**
 * Puts the heads of the log before aside, as evidence of what there was, and notes what the restored one lacks. Nothing if no restore is
 * unfinished, and none if the log lacks nothing. Rejects if the store does not reply: the next sweep tries again.
 */
export async function compareRestored(db: Database, media: Media, now: Date): Promise<AuditGap | null> {
  const mark = await readRestoreMark(db)
  if (!mark?.heads) return null
  const aside = await setHeadsAside(media, mark.begunAt)
  const stored = await readHeads(media, sealKeysOf(db), aside)
  // those stored are sealed, and may be an hour old; those of the database that was replaced are its newest
  const before = [...(typeof stored === 'string' ? [] : stored.heads), ...headsOf(mark.replaced ?? [])]
  const entries = stored === 'foreign' ? ('unknown' as const) : await countMissingEntries(db, before, headsOf(mark.heads))
  const keptAs = stored === 'absent' ? null : aside
  const lacking = entries === 0 ? null : { entries, keptAs }
  await withRestoreMark(db, async (tx) => {
    await removeRestoreMark(tx)
    if (lacking) await appendAuditEntry(tx, { event: 'entries-lacking', userId: null, about: `${entries} ${keptAs ?? NOT_KEPT}` }, now)
  })
  return lacking
}

const NOT_KEPT = '-'

const headsOf = (rows: readonly [number, number, string][]): Head[] => rows.map(([stream, seq, seal]) => ({ stream, seq, seal }))

async function countMissingEntries(db: Database, before: readonly Head[], restored: readonly Head[]): Promise<AuditGap['entries']> {
  const lacking = new Map<number, number>()
  for (const { stream, seq, seal } of before) {
    const last = restored.find((one) => one.stream === stream)?.seq ?? 0
    if (seq > last) lacking.set(stream, Math.max(lacking.get(stream) ?? 0, seq - last))
    else if (seq > 0) {
      const isIt = and(eq(auditEntries.stream, stream), eq(auditEntries.seq, seq))
      const [there] = await db.select({ seal: auditEntries.seal }).from(auditEntries).where(isIt)
      // one that is RETENTION_DAYS old may be gone
      if (there && there.seal !== seal) return 'unknown'
    }
  }
  return [...lacking.values()].reduce((sum, one) => sum + one, 0)
}

/** The restores whose log lacks entries, newest first. */
export async function listAuditGaps(db: Database, since: Date): Promise<(AuditGap & { at: Date })[]> {
  const rows = await db
    .select({ at: auditEntries.at, about: auditEntries.about })
    .from(auditEntries)
    .where(and(eq(auditEntries.event, 'entries-lacking'), gt(auditEntries.at, since)))
    .orderBy(desc(auditEntries.at))
  return rows.map(({ at, about }) => {
    const [entries = '', keptAs = ''] = about.split(' ')
    return { at, entries: entries === 'unknown' ? 'unknown' : Number(entries), keptAs: keptAs === NOT_KEPT ? null : keptAs }
  })
}

/** How many entries the database lacks of those up to the heads stored outside. */
export async function countCutOff(db: Database, { heads }: Heads): Promise<number> {
  const there = await db.select().from(auditHeads)
  const seqOf = (stream: number) => there.find((one) => one.stream === stream)?.seq ?? 0
  return heads.reduce((sum, { stream, seq }) => sum + Math.max(0, seq - seqOf(stream)), 0)
}
