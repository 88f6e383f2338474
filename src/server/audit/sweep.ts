import { HOUR_MS, MINUTE_MS } from '#contract/rules/dates.ts'
import type { Deps } from '../deps.ts'
import { readHeads, writeHeads, type Heads } from './heads.ts'
import { compareRestored } from './restored-store.ts'
import { sealKeysOf } from './seals.ts'
import { STREAMS, type Head } from './store.ts'
import { trimOldEntries } from './trim-store.ts'
import { findOutside, isEmpty, listUnchanged, verifyStream, type BrokenEntry } from './verify-store.ts'
import { adoptUnkeyed, findBrokenUnkeyed, trimOldUnkeyed } from './unkeyed-store.ts'

// a retry, or a sweep that the operator repeats, finds this done
const DONE_WITHIN_MS = 50 * MINUTE_MS
// hours in which all streams are verified from their start again, a share of them in each sweep
const ROUND = 24

type Parts = Pick<Deps, 'db' | 'clock' | 'log' | 'media'>

/** Reports tampering with the log; if it is intact, stores its heads outside the database and deletes old entries. */
export async function sweepAudit(parts: Parts): Promise<void> {
  const { db, clock, log, media } = parts
  const now = clock.now()
  const keys = sealKeysOf(db)
  const lacking = await compareRestored(db, media, now)
  if (lacking) log.warn(lacking, 'the restored audit log lacks entries that were there before')
  const known = await readHeads(media, keys)
  if (known === 'foreign') {
    log.error('the heads of the audit log (audit/heads.json beside the pictures) were not sealed by AUDIT_KEY')
    return
  }
  if (known !== 'absent' && isRecent(known, now)) return
  await adopt(parts)
  const { heads, broken } = await verify(parts, known === 'absent' ? undefined : known)
  for (const one of broken) log.error(one, 'the audit log is not intact')
  // a broken log is evidence: neither it nor its heads are changed
  if (broken.length > 0) {
    if (known !== 'absent') await writeHeads(media, keys, { ...known, broken: broken.map(({ stream }) => stream) })
    return
  }
  if (known === 'absent' && heads.some(({ seq }) => seq > 0))
    log.warn('no heads of the audit log are stored outside the database: it is accepted as it is')
  log.info({ heads: await writeHeads(media, keys, { at: now, heads, broken: [] }) }, 'the audit log is intact')
  await trimOldEntries(db, now)
  await trimOldUnkeyed(db, now)
}

function isRecent({ at }: Heads, now: Date): boolean {
  return at <= now && now.getTime() - at.getTime() < DONE_WITHIN_MS
}

/**
 * Stores outside the database that a new log is empty, so that entries removed from then on are detected. If that fails, the first
 * sweep accepts the log as it is, with a warning.
 */
export async function storeFirstHeads({ db, clock, log, media }: Parts): Promise<void> {
  try {
    const keys = sealKeysOf(db)
    if (!(await isEmpty(db)) || (await readHeads(media, keys)) !== 'absent') return
    const heads = Array.from({ length: STREAMS }, (_, stream) => ({ stream, seq: 0, seal: '' }))
    await writeHeads(media, keys, { at: clock.now(), heads, broken: [] })
  } catch (error) {
    log.warn({ err: error }, 'could not store the heads of the new audit log outside the database')
  }
}

/** Adopts entries written by builds before the keyed log. */
export async function adopt({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>): Promise<void> {
  if ((await adoptUnkeyed(db, clock.now())) === 'again') log.warn('unkeyed audit entries were written after the adopted ones')
}

async function verify({ db, clock }: Parts, known: Heads | undefined): Promise<{ heads: Head[]; broken: BrokenEntry[] }> {
  const turn = Math.floor(clock.now().getTime() / HOUR_MS) % ROUND
  const quiet = await listUnchanged(db, known?.heads ?? [])
  const heads: Head[] = []
  const broken: BrokenEntry[] = []
  for (let stream = 0; stream < STREAMS; stream += 1) {
    const anchor = known?.heads.find((one) => one.stream === stream)
    const isWhole = stream % ROUND === turn || known?.broken.includes(stream) === true
    const verdict =
      anchor && quiet.has(stream) && !isWhole ? { isIntact: true as const, head: anchor } : await verifyStream(db, stream, anchor, isWhole)
    if (verdict.isIntact) heads.push(verdict.head)
    else broken.push(verdict.broken)
  }
  const outside = await findOutside(db)
  if (outside) broken.push(outside)
  const unkeyed = known === undefined || turn === 0 || known.broken.includes('unkeyed') ? await findBrokenUnkeyed(db) : undefined
  if (unkeyed) broken.push(unkeyed)
  return { heads, broken }
}
