import { eq, sql } from 'drizzle-orm'
import { createPool, sessionLimits, timeLimitsOf, type Pooler } from './connect.ts'
import type { Database } from './database.ts'
import { isConnectionSpent } from './failures.ts'
import { databaseOn } from './postgres.ts'
import { users } from './schema/users.ts'
import { trackTransactions } from './transactions.ts'

/**
 * A standby of the database (READ_DATABASE_URL). Coaches' reads come from it where that makes no difference, except that other people's
 * changes of the last seconds may be missing. docs/decisions/0061
 *
 * A position is how far a database's write-ahead log goes: timeline and place in it, as 24 hexadecimal digits, so that of two positions of
 * one system the later is the greater text. A standby that did not follow a failover is on an older timeline, so before everything after it.
 */
export interface Replica {
  /**
   * The standby, if it works and has everything up to `logPosition`; undefined: read from the primary.
   * @param logPosition position after the account's last write (`users.logPosition`); null: it has written nothing since there is a replica
   */
  databaseFor: (logPosition: string | null) => Database | undefined
  /** Notes that an account has written, for all processes. Call it after the commit and before the reply. */
  noteWrite: (userId: string) => Promise<void>
  /** Reports a read from it that failed. If its connection broke, it is not used until it has been checked again. */
  failed: (error: unknown) => void
  /** Seconds by which it may be behind. Infinity: unknown */
  behind: () => number
  /** @throws an Error that says why reads do not come from it */
  check: () => Promise<void>
}

const CHECK_MS = 1000
/** How late a coach may see other people's changes. */
const BEHIND_SECONDS_MAXIMUM = 5
// share of a call's time, so that enough is left for the primary
const SHARE = 1 / 4

interface StandbyOptions {
  url: string
  connections: number
  callSeconds: number
  /** whether the primary, and so the standby, is behind a pooler */
  pooler: Pooler
}

export interface Standby {
  db: Database
  close: () => Promise<void>
}

/** Connects to a standby, at the first statement. */
export function openStandby({ url, connections, callSeconds, pooler }: StandbyOptions, onError: (error: unknown) => void): Standby {
  const limits = timeLimitsOf(callSeconds * SHARE)
  const isPooled = pooler === 'transaction'
  const settings = { max: connections, query_timeout: limits.query, ...(isPooled ? {} : sessionLimits(limits)) }
  const pool = createPool({ address: url, pooler }, { addresses: [url], limits, pooler }, settings, onError)
  return { db: trackTransactions(databaseOn(pool, { hasNames: !isPooled, begin: 'begin' })), close: () => pool.end() }
}

interface Place extends Record<string, unknown> {
  /** of the cluster, which a standby has from its primary */
  system: string
  /** oid of the database, which a standby has from its primary, too */
  database: string
  name: string
}

interface WalPosition extends Place {
  position: string
}

const positionOf = (timeline: string, place: string) =>
  sql.raw(`lower(${timeline}) || lpad(to_hex(pg_wal_lsn_diff(${place}, '0/0')::bigint), 16, '0')`)
const onPrimary = (place: string) => positionOf(`substr(pg_walfile_name(${place}), 1, 8)`, place)
const PLACE = sql.raw(`(select system_identifier::text from pg_control_system()) as system,
    (select oid::text from pg_database where datname = current_database()) as database, current_database()::text as name`)

/** The position up to which everything is on the primary's disk. */
export async function readPrimary(primary: Database): Promise<WalPosition> {
  const { rows } = await primary.execute<WalPosition>(sql`select ${PLACE}, ${onPrimary('pg_current_wal_flush_lsn()')} as position`)
  if (!rows[0]) throw new Error('the primary does not say where it is')
  return rows[0]
}

/** `position`: up to which a standby shows everything; null: not a standby */
export async function readStandby(standby: Database): Promise<Place & { position: string | null }> {
  const { rows } = await standby.execute<Place & { position: string | null }>(sql`select ${PLACE},
    case when pg_is_in_recovery() then ${positionOf(
      // the last checkpoint's: after a failover the standby is used from its next one
      `lpad(to_hex((select timeline_id from pg_control_checkpoint())), 8, '0')`,
      'pg_last_wal_replay_lsn()',
    )} end as position`)
  if (!rows[0]) throw new Error('it does not say where it is')
  return rows[0]
}

/** It is never read from. The message says why, and what to do. */
export class NotItsStandby extends Error {}

/** The position of a standby. @throws NotItsStandby if it is none of this primary, or another of its databases */
export function standbyPosition(there: Awaited<ReturnType<typeof readStandby>>, here: Place): string {
  if (there.position === null) throw new NotItsStandby('it takes writes itself, so it is no standby: name a standby of DATABASE_URL')
  if (there.system !== here.system) throw new NotItsStandby('it is a standby of another server: name a standby of DATABASE_URL')
  if (there.database !== here.database)
    throw new NotItsStandby(
      `it is a standby of the right server, but of another database: ${there.name}, where DATABASE_URL has ${here.name}. Correct the name after the last /`,
    )
  return there.position
}

/**
 * Polls a standby's position every second. It never loses a position it has reached, unless it is restarted, which breaks a connection; so its
 * last reply holds until then.
 * @param pollConnection the primary, on a connection that no call uses, so that it never waits behind one
 * @param announce called at the start if it is not a standby of this database
 */
export function openReplica(
  options: StandbyOptions,
  primary: Database,
  pollConnection: Database,
  announce: (line: string) => void,
): Replica & { close: () => Promise<void> } {
  /** up to where it shows everything; undefined: not to be used */
  let shown: string | undefined
  let why: unknown = new Error('it has not been asked yet')
  /** when it had last caught up with the primary: performance.now() */
  let caughtUpAt = Number.NEGATIVE_INFINITY
  /** where the primary was, oldest first */
  let past: { at: number; position: string }[] = []
  /** how often its connection was lost: earlier replies no longer count */
  let losses = 0
  const lose = (error: unknown) => {
    losses += 1
    shown = undefined
    why = error
  }
  const standby = openStandby(options, lose)
  const behind = () => (performance.now() - caughtUpAt) / 1000

  async function poll(): Promise<void> {
    const at = performance.now()
    const before = losses
    const [here, there] = await Promise.all([readPrimary(pollConnection), readStandby(standby.db)])
    const position = standbyPosition(there, here)
    past.push({ at, position: here.position })
    const reached = past.findLast((one) => one.position <= position)
    if (reached) {
      caughtUpAt = reached.at
      past = past.filter((one) => one.at >= reached.at)
    }
    past = past.filter((one) => at - one.at < 2 * BEHIND_SECONDS_MAXIMUM * 1000)
    if (losses === before) shown = position
  }

  let closed = false
  let timer: NodeJS.Timeout | undefined
  const keepPolling = async (isFirst = false) => {
    await poll().catch((error: unknown) => {
      lose(error)
      if (isFirst && error instanceof NotItsStandby) announce(`READ_DATABASE_URL is never read from: ${error.message}.`)
    })
    if (closed) return
    timer = setTimeout(() => {
      polling = keepPolling()
    }, CHECK_MS).unref()
  }
  let polling = keepPolling(true)

  const problem = () => {
    if (shown === undefined) return why
    return behind() <= BEHIND_SECONDS_MAXIMUM ? undefined : new Error(`it is more than ${BEHIND_SECONDS_MAXIMUM} seconds behind`)
  }

  return {
    databaseFor: (logPosition) => {
      if (shown === undefined || problem() !== undefined) return undefined
      return logPosition === null || logPosition <= shown ? standby.db : undefined
    },
    noteWrite: async (userId) => {
      // not the flushed position: behind it a commit may still be under way to the disk
      await primary
        .update(users)
        .set({ logPosition: sql`${onPrimary('pg_current_wal_insert_lsn()')}` })
        .where(eq(users.id, userId))
    },
    failed: (error) => {
      if (isConnectionSpent(error)) lose(error)
    },
    behind,
    check: async () => {
      const error = problem()
      if (error !== undefined) throw error
    },
    close: async () => {
      closed = true
      clearTimeout(timer)
      await polling
      await standby.close()
    },
  }
}
