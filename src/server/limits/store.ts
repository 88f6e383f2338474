import { createHmac } from 'node:crypto'
import { lt, sql } from 'drizzle-orm'
import { RateLimiterDrizzle, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '../db/database.ts'
import { rateLimits } from '../db/schema/limits.ts'
import type { Keys } from '../keys.ts'
import { countInBlocks } from './blocks.ts'

/** Counts events in windows of time, by rate-limiter-flexible. limits.ts says what is counted and what the maximum is. */

interface Counter {
  /** false: over the limit */
  take: (key: string) => Promise<boolean>
  isOver: (key: string) => Promise<boolean>
}

interface CounterRule {
  name: string
  /** allowed in one window */
  maximum: number
  /** seconds */
  window: number
  /** how many events are counted by one statement */
  block: number
}

export function counterOf({ db, keys }: { db: Database; keys: Keys }, { name, maximum, window, block }: CounterRule): Counter {
  const limiter = new RateLimiterDrizzle({
    storeClient: db,
    schema: rateLimits,
    keyPrefix: name,
    points: maximum,
    duration: window,
    // a key that is over its limit costs the database nothing more
    inMemoryBlockOnConsumed: maximum + 1,
    // a sweep deletes them
    clearExpiredByTimeout: false,
    // if the database takes no writes, like a standby, reads must still work
    insuranceLimiter: new RateLimiterMemory({ keyPrefix: name, points: maximum, duration: window }),
  })
  // network addresses are personal data, and there are few enough to reverse a hash without a key
  const hidden = (key: string) => createHmac('sha256', keys.refreshKey).update(`limit:${name}:${key}`).digest('base64url')
  const consume = async (key: string, count: number): Promise<boolean> => {
    try {
      await limiter.consume(hidden(key), count)
      return true
    } catch (error) {
      if (error instanceof RateLimiterRes) return false
      throw error
    }
  }
  const take = block === 1 ? (key: string) => consume(key, 1) : countInBlocks(block, consume)
  return { take, isOver: async (key) => ((await limiter.get(hidden(key)))?.consumedPoints ?? 0) >= maximum }
}

/**
 * How many keys have a count over the maximum in a window that has not ended, by the limit's name. A row expires one window after its first
 * event, which is later than the end of its window.
 */
export async function countOver(
  db: Database,
  limits: readonly { name: string; maximum: number; window: number }[],
  now: Date,
): Promise<ReadonlyMap<string, number>> {
  const maxima = sql.join(
    limits.map(({ name, maximum, window }) => sql`(${name}::text, ${maximum}::int, ${window}::int)`),
    sql`, `,
  )
  const { rows } = await db.execute<{ name: string; callers: number }>(sql`
    select l.name, count(*)::int as callers
    from (values ${maxima}) as l (name, maximum, "window")
    join rate_limits on split_part(key, ':', 1) = l.name and points > l.maximum
    where floor(extract(epoch from expire) / l."window") * l."window" > ${now.getTime()}::bigint / 1000.0
    group by l.name`)
  return new Map(rows.map(({ name, callers }) => [name, callers]))
}

/** Deletes the counts of windows that have ended. */
export async function deleteExpiredLimits(db: Database, now: Date): Promise<void> {
  await db.delete(rateLimits).where(lt(rateLimits.expire, now))
}
