import type { Api } from '#contract/api.ts'
import type { Database } from '../db/database.ts'
import type { Env } from '../env.ts'
import type { Keys } from '../keys.ts'
import type { Clock } from '../outside/clock.ts'
import { counterOf } from './store.ts'
import { takeTurns } from './turns.ts'

/**
 * How often anybody may do what (docs/decisions/0025). Counted in the database, so that all processes count together and
 * a restart forgets nothing.
 *
 * What is counted where the thing itself is kept, because it must be exact with it:
 * ALLOCATIONS_PER_DAY, TAKEN_BACK_PER_TOKEN and RESENDS_MAXIMUM (contract/constants.ts) in instances/allocation-store.ts; MAILS_PER_HOUR and
 * MAILS_PER_DAY (env.ts), TRIES_PER_CODE, FREE_WRONG_GUESSES and WRONG_GUESSES_PER_DAY (auth/one-time-code.ts),
 * CHALLENGES_PER_EMAIL and OWN_MAILS_PER_HOUR, all in auth/store.ts; SESSIONS_PER_USER in auth/sessions-store.ts;
 * REPEATS_PER_ROTATION and REPEATS_PER_DAY of an earlier refresh token in auth/refresh-rules.ts; PER_COACH and PER_MAILBOX,
 * invitations to one address, and TAKEN_BACK_PER_COACH and TAKEN_BACK_PER_MAILBOX, all in mailer/store.ts;
 * WAITING_MAXIMUM, calls that wait for the database, in db/open.ts. How large one call may be: BODY_MAXIMUM
 * (http/router.ts), DEPTH_MAXIMUM (http/json.ts), RESPONSES_MAXIMUM, PICTURE_BYTES_MAXIMUM and PICTURE_PIXELS_MAXIMUM
 * (contract/constants.ts).
 */

const MINUTE = 60
const HOUR = 3600

/** `subject.call` of the contract. */
type CallName = { [Subject in keyof Api]: `${Subject}.${keyof Api[Subject] & string}` }[keyof Api]

interface Rule {
  /** seconds */
  window: number
  maximum: number | ((env: Env) => number)
  /** counted by the router, per account, before each of these; any other is counted where its key is known */
  calls?: readonly CallName[]
  /** fetched from the database a thirtieth at a time, because every call counts */
  inBlocks?: true
}

/** Every limit there is. What its key names stands beside it. */
export const LIMITS = {
  /** calls of somebody signed in that read, and that write, refused or not, per account: 112 questions answered twice are 224 */
  reads: { window: 10 * MINUTE, maximum: ({ limits }) => limits.readsPerTenMinutes, inBlocks: true },
  writes: { window: 10 * MINUTE, maximum: ({ limits }) => limits.writesPerTenMinutes, inBlocks: true },
  /** the whole squad, thousands of rows: each change of a row asks for both again */
  squads: { window: 10 * MINUTE, maximum: 600, calls: ['instances.allocated', 'tokens.list'] },
  /** asks the card provider, twice for some: a return page asks about 65 times an hour until it is told */
  payments: {
    window: HOUR,
    maximum: 200,
    calls: ['assessments.checkout', 'assessments.completeCheckout', 'tokens.checkout', 'tokens.completeCheckout'],
  },
  /** whether an address has an account; per account, and at one network address as often as two of them may ask */
  searches: { window: HOUR, maximum: 30, calls: ['users.searchByEmail'] },
  searchesPerAddress: { window: HOUR, maximum: 60 },
  /** codes asked for to close the account, and tried; each code's own tries and mails are counted besides */
  closings: { window: HOUR, maximum: 60, calls: ['users.deactivateCode', 'users.deactivate'] },
  /** addresses to upload a picture to */
  uploads: { window: HOUR, maximum: 60, calls: ['pictures.uploadUrl'] },
  /** allocations that told a coach that an address is a coach's: a pasted list of 300 has a handful, this is one in five */
  coachesFound: { window: HOUR, maximum: 60 },
  /** calls that are not for the caller's role and come into the audit log; more would only fill it. Per account or role */
  roleRefusalsNoted: { window: HOUR, maximum: 20 },
  /** sign-ins begun, per network address; on a device that signed in to this e-mail before, per device */
  startsPerAddress: { window: HOUR, maximum: ({ limits }) => limits.startsPerHourPerAddress },
  startsPerDevice: { window: HOUR, maximum: 60 },
  /** codes tried for a sign-in that is none, per network address */
  verifiesPerAddress: { window: HOUR, maximum: ({ limits }) => limits.verifiesPerHourPerAddress },
  /** refreshes with a token that is none, per network address; with a true one, per session */
  refreshesPerAddress: { window: HOUR, maximum: ({ limits }) => limits.refreshesPerHourPerAddress },
  refreshesPerSession: { window: 10 * MINUTE, maximum: 60 },
} as const satisfies Record<string, Rule>

/** What one key does one after the other, in this process, and how many may wait for their turn. */
export const TURNS = {
  /** saves of one account: together they would only meet each other. A phone sends one at a time */
  saves: 20,
} as const

export type LimitName = keyof typeof LIMITS
export type TurnName = keyof typeof TURNS

/** seconds */
export interface Wait {
  retryAfter: number
}

export interface Limits {
  /** Counts one more; seconds to wait when it is one too many. Never inside a transaction: it takes a connection of its own. */
  take: (name: LimitName, key: string) => Promise<Wait | undefined>
  /** Counts nothing; seconds to wait when the next would be one too many. */
  look: (name: LimitName, key: string) => Promise<Wait | undefined>
  /** Runs it when it is this key's turn, unless too many wait. */
  inTurn: <T>(name: TurnName, key: string, work: () => Promise<T>) => Promise<{ done: T } | Wait>
}

const rules: readonly (readonly [LimitName, Rule])[] = Object.entries(LIMITS) as [LimitName, Rule][] // its own entries

/** The limits that the router counts before a call. */
export function limitsOn(call: string): LimitName[] {
  return rules.filter(([, { calls }]) => calls?.some((name) => name === call)).map(([name]) => name)
}

interface LimitsParts {
  db: Database
  env: Env
  keys: Keys
  clock: Clock
}

/** Windows begin at multiples of their length, by the server's clock. */
export function limitsOf({ db, env, keys, clock }: LimitsParts): Limits {
  const counters = new Map(
    rules.map(([name, { window, maximum, inBlocks }]) => {
      const points = typeof maximum === 'number' ? maximum : maximum(env)
      const block = inBlocks ? Math.max(1, Math.floor(points / 30)) : 1
      return [name, counterOf({ db, keys }, { name, points, window, block })] as const
    }),
  )
  const turns = new Map(Object.entries(TURNS).map(([name, maximum]) => [name, takeTurns(maximum)]))

  function windowOf(name: LimitName, key: string) {
    const counter = counters.get(name)
    if (!counter) throw new Error(`no limit is called ${name}`)
    const { window } = LIMITS[name]
    const now = clock.now().getTime() / 1000
    const nth = Math.floor(now / window)
    return { counter, inWindow: `${key}:${nth}`, wait: { retryAfter: (nth + 1) * window - now } }
  }

  return {
    take: async (name, key) => {
      const { counter, inWindow, wait } = windowOf(name, key)
      return (await counter.take(inWindow)) ? undefined : wait
    },
    look: async (name, key) => {
      const { counter, inWindow, wait } = windowOf(name, key)
      return (await counter.isOver(inWindow)) ? wait : undefined
    },
    inTurn: async (name, key, work) => {
      const queue = turns.get(name)
      if (!queue) throw new Error(`nothing takes turns as ${name}`)
      const outcome = await queue(key, work)
      return outcome === 'full' ? { retryAfter: 1 } : outcome
    },
  }
}
