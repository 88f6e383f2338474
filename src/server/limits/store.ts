import { createHmac } from 'node:crypto'
import { lt } from 'drizzle-orm'
import { RateLimiterDrizzle, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '../db/database.ts'
import { rateLimits } from '../db/schema/limits.ts'
import type { Keys } from '../keys.ts'
import { spendInBlocks } from './blocks.ts'

/** Counts of what was done in a window, by rate-limiter-flexible. limits.ts says what is counted, and how much of it is too much. */

export interface Counter {
  /** false: it was one too many */
  take: (key: string) => Promise<boolean>
  isOver: (key: string) => Promise<boolean>
}

export interface Counted {
  name: string
  /** so many in a window */
  points: number
  /** seconds */
  window: number
  /** fetched from the database so many at a time */
  block: number
}

export function counterOf({ db, keys }: { db: Database; keys: Keys }, { name, points, window, block }: Counted): Counter {
  const limiter = new RateLimiterDrizzle({
    storeClient: db,
    schema: rateLimits,
    keyPrefix: name,
    points,
    duration: window,
    // whoever is over it costs the database nothing more
    inMemoryBlockOnConsumed: points + 1,
    // start.ts sweeps
    clearExpiredByTimeout: false,
    // a database that takes no writes, as a standby, can still be read
    insuranceLimiter: new RateLimiterMemory({ keyPrefix: name, points, duration: window }),
  })
  // a network address is somebody's, and there are too few of them for a hash without a key
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
  const take = block === 1 ? (key: string) => consume(key, 1) : spendInBlocks(block, (key) => consume(key, block))
  return { take, isOver: async (key) => ((await limiter.get(hidden(key)))?.consumedPoints ?? 0) >= points }
}

/** Windows that are over. */
export async function forgetOldLimits(db: Database, now: Date): Promise<void> {
  await db.delete(rateLimits).where(lt(rateLimits.expire, now))
}
