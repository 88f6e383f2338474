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
   * The standby, if it works and has everything up to `written`; undefined: read from the primary.
   * @param written position after the account's last write (`users.written`); null: it has written nothing since there is a replica
   */
  databaseFor: (written: string | null) => Database | undefined
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

interface WalPosition extends Record<string, unknown> {
  /** of the cluster, which a standby has from its primary */
  system: string
  position: string
}

const positionOf = (timeline: string, place: string) =>
  sql.raw(`lower(${timeline}) || lpad(to_hex(pg_wal_lsn_diff(${place}, '0/0')::bigint), 16, '0')`)
const onPrimary = (place: string) => positionOf(`substr(pg_walfile_name(${place}), 1, 8)`, place)
const SYSTEM = sql.raw('(select system_identifier::text from pg_control_system())')

/** The position up to which everything is on the primary's disk. */
export async function readPrimary(primary: Database): Promise<WalPosition> {
  const { rows } = await primary.execute<WalPosition>(
    sql`select ${SYSTEM} as system, ${onPrimary('pg_current_wal_flush_lsn()')} as position`,
  )
  if (!rows[0]) throw new Error('the primary does not say where it is')
  return rows[0]
}

/** The position up to which a standby shows everything; null: not a standby. */
export async function readStandby(standby: Database): Promise<WalPosition | null> {
  const { rows } = await standby.execute<{ system: string; position: string | null }>(sql`select ${SYSTEM} as system,
    case when pg_is_in_recovery() then ${positionOf(
      // the last checkpoint's: after a failover the standby is used from its next one
      `lpad(to_hex((select timeline_id from pg_control_checkpoint())), 8, '0')`,
      'pg_last_wal_replay_lsn()',
    )} end as position`)
  const [found] = rows
  return typeof found?.position === 'string' ? { system: found.system, position: found.position } : null
}

/**
 * Polls a standby's position every second. It never loses a position it has reached, unless it is restarted, which breaks a connection; so its
 * last reply holds until then.
 * @param pollConnection the primary, on a connection that no call uses, so that it never waits behind one
 */
export function openReplica(
  options: StandbyOptions,
  primary: Database,
  pollConnection: Database,
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
    if (!there) throw new Error('it is no standby: it takes writes itself')
    if (there.system !== here.system) throw new Error('it is a standby of another database')
    past.push({ at, position: here.position })
    const reached = past.findLast(({ position }) => position <= there.position)
    if (reached) {
      caughtUpAt = reached.at
      past = past.filter((one) => one.at >= reached.at)
    }
    past = past.filter((one) => at - one.at < 2 * BEHIND_SECONDS_MAXIMUM * 1000)
    if (losses === before) shown = there.position
  }

  let closed = false
  let timer: NodeJS.Timeout | undefined
  const keepPolling = async () => {
    await poll().catch(lose)
    if (closed) return
    timer = setTimeout(() => {
      polling = keepPolling()
    }, CHECK_MS).unref()
  }
  let polling = keepPolling()

  const problem = () => {
    if (shown === undefined) return why
    return behind() <= BEHIND_SECONDS_MAXIMUM ? undefined : new Error(`it is more than ${BEHIND_SECONDS_MAXIMUM} seconds behind`)
  }

  return {
    databaseFor: (written) => {
      if (shown === undefined || problem() !== undefined) return undefined
      return written === null || written <= shown ? standby.db : undefined
    },
    noteWrite: async (userId) => {
      // not the flushed position: behind it a commit may still be under way to the disk
      await primary
        .update(users)
        .set({ written: sql`${onPrimary('pg_current_wal_insert_lsn()')}` })
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
