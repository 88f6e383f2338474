import { lt } from 'drizzle-orm'
import { RateLimiterDrizzle, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '../db/open.ts'
import { rateLimits } from '../db/schema.ts'
import type { Env } from '../env.ts'
import type { Clock } from '../outside/clock.ts'

/** How often anybody may do what. Counted in the database, so that all processes count together and a restart forgets nothing. */

const HOUR = 3600

interface Rule {
  /** seconds */
  window: number
  maximum: number | ((env: Env) => number)
}

/** Every limit there is, but for mails to an address, which are counted by what was sent (mails/store.ts). What its key names stands beside it. */
export const LIMITS = {
  /** sign-ins begun, per network address */
  startsPerAddress: { window: HOUR, maximum: ({ limits }) => limits.startsPerHourPerAddress },
  /** codes tried, per network address */
  verifiesPerAddress: { window: HOUR, maximum: ({ limits }) => limits.verifiesPerHourPerAddress },
  /** refreshes, per network address */
  refreshesPerAddress: { window: HOUR, maximum: ({ limits }) => limits.refreshesPerHourPerAddress },
  /** whether an address has an account, per coach */
  searches: { window: HOUR, maximum: 30 },
  /** addresses to upload a picture to, per person */
  uploads: { window: HOUR, maximum: 60 },
} as const satisfies Record<string, Rule>

export type LimitName = keyof typeof LIMITS

export interface Limits {
  /** Counts one more; seconds to wait when it is one too many. Never inside a transaction: it takes a connection of its own. */
  take: (name: LimitName, key: string) => Promise<{ retryAfter: number } | undefined>
}

/** Windows begin at multiples of their length, by the server's clock. */
export function limitsOf({ db, env, clock }: { db: Database; env: Env; clock: Clock }): Limits {
  const limiters = new Map(Object.entries(LIMITS).map(([name, rule]: [string, Rule]) => [name, limiterOf(db, env, name, rule)]))
  return {
    take: async (name, key) => {
      const limiter = limiters.get(name)
      if (!limiter) throw new Error(`no limit is called ${name}`)
      const { window } = LIMITS[name]
      const now = clock.now().getTime() / 1000
      const nth = Math.floor(now / window)
      try {
        await limiter.consume(`${key}:${nth}`)
        return undefined
      } catch (error) {
        if (error instanceof RateLimiterRes) return { retryAfter: (nth + 1) * window - now }
        throw error
      }
    },
  }
}

function limiterOf(db: Database, env: Env, name: string, { window, maximum }: Rule): RateLimiterDrizzle {
  const points = typeof maximum === 'number' ? maximum : maximum(env)
  return new RateLimiterDrizzle({
    storeClient: db,
    schema: rateLimits,
    keyPrefix: name,
    points,
    duration: window,
    // whoever is over it costs the database nothing more
    inMemoryBlockOnConsumed: points + 1,
    // start.ts sweeps
    clearExpiredByTimeout: false,
  })
}

/** Windows that are over. */
export async function forgetOldLimits(db: Database, now: Date): Promise<void> {
  await db.delete(rateLimits).where(lt(rateLimits.expire, now))
}
