import type { Api } from '#contract/api.ts'
import type { Database } from '../db/database.ts'
import type { Env } from '../env.ts'
import type { Keys } from '../keys.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Clock } from '../outside/clock.ts'
import { counterOf, countOver } from './store.ts'
import { createKeyedMutex } from './keyed-mutex.ts'

/**
 * Rate limits (docs/decisions/0025). Counted in the database, so that all processes count together and a restart loses nothing.
 *
 * Counted or decided elsewhere:
 * - codes: CODE_RESEND_SECONDS (contract/constants.ts) in auth/store.ts; TRIES_PER_CODE, FREE_WRONG_GUESSES and WRONG_GUESSES_PER_DAY in
 *   auth/one-time-code.ts; CHALLENGES_PER_EMAIL in auth/store.ts; MAILS_PER_HOUR, MAILS_PER_DAY and MAILS_PER_DAY_IN_ALL (env.ts) and
 *   OWN_MAILS_PER_HOUR in auth/sign-in-counts-store.ts
 * - sessions: SESSIONS_PER_USER in auth/sessions-store.ts; REPEATS_PER_ROTATION and REPEATS_PER_DAY of an earlier refresh token in
 *   auth/refresh-rules.ts
 * - allocations and reminders: ALLOCATIONS_PER_DAY, RECLAIMED_UNOPENED_PER_TOKEN and REMINDERS_MAXIMUM (contract/constants.ts) in
 *   instances/allocation-store.ts
 * - mails to one address: PER_COACH and PER_MAILBOX, TAKEN_BACK_PER_COACH and TAKEN_BACK_PER_MAILBOX in mailer/weekly-limits-store.ts
 * - uploads: PICTURE_BYTES_MAXIMUM and PICTURE_PIXELS_MAXIMUM (contract/constants.ts); UPLOAD_URL_MINUTES in pictures/upload-url.ts,
 *   UPLOAD_TIMEOUT_SECONDS in pictures/media-routes.ts
 * - load: SLOTS and WAIT_MS in http/call-slots.ts; ROOM, bytes of bodies that arrive at once, in http/body-room.ts; WAITING_MAXIMUM, requests
 *   of one connection, in http/pipelines.ts
 * - size of a body: BODY_MAXIMUM in http/socket-limits.ts; DEPTH_MAXIMUM and VALUES_MAXIMUM in http/json.ts; RESPONSES_MAXIMUM
 *   (contract/constants.ts)
 */

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 3600

/** `subject.call` of the contract. */
export type EndpointName = { [Subject in keyof Api]: `${Subject}.${keyof Api[Subject] & string}` }[keyof Api]

interface Rule {
  /** seconds */
  window: number
  maximum: number | ((env: Env) => number)
  /** the router counts these calls per account; without, a handler counts where it knows the key */
  calls?: readonly EndpointName[]
  /** counted in the database in blocks of a thirtieth, because every call is counted */
  inBlocks?: true
}

/** All rate limits. Unless its comment names another key, a limit is counted per account. */
export const LIMITS = {
  /** calls that read and calls that write, refused or not, per account: answering 112 questions twice takes 224 */
  reads: { window: 10 * MINUTE_SECONDS, maximum: ({ limits }) => limits.readsPerTenMinutes, inBlocks: true },
  writes: { window: 10 * MINUTE_SECONDS, maximum: ({ limits }) => limits.writesPerTenMinutes, inBlocks: true },
  /** lists of the whole squad, with thousands of rows; each change of a row makes the portal fetch both again */
  squads: { window: 10 * MINUTE_SECONDS, maximum: 600, calls: ['instances.allocated', 'tokens.list'] },
  /** calls the card provider, some twice; a return page polls about 65 times an hour */
  payments: {
    window: HOUR_SECONDS,
    maximum: 200,
    calls: ['assessments.checkout', 'assessments.completeCheckout', 'tokens.checkout', 'tokens.completeCheckout'],
  },
  /** whether an e-mail has an account: per account, and twice as many per network address */
  searches: { window: HOUR_SECONDS, maximum: 30, calls: ['users.searchByEmail'] },
  searchesPerAddress: { window: HOUR_SECONDS, maximum: 60 },
  /** codes requested and tried to close an account; tries per code and mails have limits of their own */
  closings: { window: HOUR_SECONDS, maximum: 60, calls: ['users.deactivateCode', 'users.deactivate'] },
  /** PDFs made, not calls refused: each costs a tenth of a second of a processor, and the device stores what it got */
  reports: { window: HOUR_SECONDS, maximum: 20 },
  /** answers files brought back, per network address: a coach may bring those of a whole squad */
  filesPerAddress: { window: HOUR_SECONDS, maximum: 120 },
  /** bounce reports with a wrong key, per network address: even one is too many, and the operator should see it */
  bounceKeys: { window: 24 * HOUR_SECONDS, maximum: 0 },
  /** upload URLs for pictures */
  uploads: { window: HOUR_SECONDS, maximum: 60, calls: ['pictures.uploadUrl'] },
  /** photos that the decoder refused: each may have taken it ten seconds, and everybody waits for it */
  refusedPictures: { window: HOUR_SECONDS, maximum: 10 },
  /** allocations refused because the address is a coach's: a pasted list of 300 has a handful, and this allows one in five */
  coachesFound: { window: HOUR_SECONDS, maximum: 60 },
  /** calls refused because of the role that are written to the audit log; more would only fill it. Per account or role */
  roleRefusalsNoted: { window: HOUR_SECONDS, maximum: 20 },
  /** sign-ins started, per network address; per device on a device that signed in to this e-mail before */
  startsPerAddress: { window: HOUR_SECONDS, maximum: ({ limits }) => limits.startsPerHourPerAddress },
  startsPerDevice: { window: HOUR_SECONDS, maximum: 60 },
  /** codes tried for sign-ins that do not exist, per network address */
  verifiesPerAddress: { window: HOUR_SECONDS, maximum: ({ limits }) => limits.verifiesPerHourPerAddress },
  /** refreshes with an invalid token, per network address; with a valid one, per session */
  refreshesPerAddress: { window: HOUR_SECONDS, maximum: ({ limits }) => limits.refreshesPerHourPerAddress },
  /** asked what became of an account: with an invalid proof per network address, with a valid one per account */
  accountStatesPerAddress: { window: HOUR_SECONDS, maximum: 120 },
  accountStates: { window: HOUR_SECONDS, maximum: 120 },
  refreshesPerSession: { window: 10 * MINUTE_SECONDS, maximum: 60 },
} as const satisfies Record<string, Rule>

/** Work that this process does one piece at a time per key, and how many pieces may wait. */
export const MUTEXES = {
  /** saves of one account: in parallel they would only conflict. A phone sends one at a time */
  saves: 20,
  /** photos of one account: a person sends one, and the next can wait */
  pictures: 0,
} as const

export type LimitName = keyof typeof LIMITS
type MutexName = keyof typeof MUTEXES

/** seconds */
interface Wait {
  retryAfter: number
}

export interface Limits {
  /** Counts one more. Returns how long to wait if that is over the limit. Not for use in a transaction: it needs a connection of its own. */
  take: (name: LimitName, key: string) => Promise<Wait | undefined>
  /** Returns how long to wait if one more would be over the limit. Counts only what it refuses that way, so that `hits` has it. */
  peek: (name: LimitName, key: string) => Promise<Wait | undefined>
  /** The limits that somebody exceeds in the current window. */
  hits: () => Promise<{ limit: LimitName; callers: number; maximum: number; windowSeconds: number }[]>
  /** Runs the work once no other work of this key runs, unless too many are waiting. */
  runExclusive: <T>(name: MutexName, key: string, work: () => Promise<T>) => Promise<{ done: T } | Wait>
}

const rules: readonly (readonly [LimitName, Rule])[] = Object.entries(LIMITS) as [LimitName, Rule][] // Object.entries returns plain strings

/** The limits that the router counts for a call. */
export function limitsOn(call: string): LimitName[] {
  return rules.filter(([, { calls }]) => calls?.some((name) => name === call)).map(([name]) => name)
}

interface LimitsParts {
  db: Database
  env: Env
  keys: Keys
  clock: Clock
  metrics: Pick<Metrics, 'limited'>
}

function maximumOf(maximum: Rule['maximum'], env: Env): number {
  return typeof maximum === 'number' ? maximum : maximum(env)
}

/** Windows start at multiples of their length, by the server's clock. */
export function limitsOf({ db, env, keys, clock, metrics }: LimitsParts): Limits {
  const counters = new Map(
    rules.map(([name, { window, maximum: set, inBlocks }]) => {
      const maximum = maximumOf(set, env)
      const block = inBlocks ? Math.max(1, Math.floor(maximum / 30)) : 1
      return [name, counterOf({ db, keys }, { name, maximum, window, block })] as const
    }),
  )
  const mutexes = new Map(Object.entries(MUTEXES).map(([name, maximum]) => [name, createKeyedMutex(maximum)]))

  function windowOf(name: LimitName, key: string) {
    const counter = counters.get(name)
    if (!counter) throw new Error(`there is no limit named ${name}`)
    const { window } = LIMITS[name]
    const now = clock.now().getTime() / 1000
    const windowNumber = Math.floor(now / window)
    return { counter, inWindow: `${key}:${windowNumber}`, wait: { retryAfter: (windowNumber + 1) * window - now } }
  }

  const hit = (name: LimitName | MutexName, wait: Wait) => {
    metrics.limited(name)
    return wait
  }

  return {
    take: async (name, key) => {
      const { counter, inWindow, wait } = windowOf(name, key)
      return (await counter.take(inWindow)) ? undefined : hit(name, wait)
    },
    peek: async (name, key) => {
      const { counter, inWindow, wait } = windowOf(name, key)
      if (!(await counter.isOver(inWindow))) return undefined
      await counter.take(inWindow)
      return hit(name, wait)
    },
    hits: async () => {
      const callersOf = await countOver(
        db,
        rules.map(([name, { maximum, window }]) => ({ name, window, maximum: maximumOf(maximum, env) })),
        clock.now(),
      )
      return rules.flatMap(([limit, { window: windowSeconds, maximum }]) => {
        const callers = callersOf.get(limit) ?? 0
        return callers === 0 ? [] : [{ limit, callers, maximum: maximumOf(maximum, env), windowSeconds }]
      })
    },
    runExclusive: async (name, key, work) => {
      const mutex = mutexes.get(name)
      if (!mutex) throw new Error(`there is no mutex named ${name}`)
      const outcome = await mutex(key, work)
      return outcome === 'full' ? hit(name, { retryAfter: 1 }) : outcome
    },
  }
}
