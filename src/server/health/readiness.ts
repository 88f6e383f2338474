import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { refuseAfter } from '../http/refuse-after.ts'
import { Refused } from '../http/refusal.ts'
import type { Mail } from '../outside/mail.ts'
import type { Media } from '../outside/media.ts'
import { backlogOf, checkClock, checkDatabase, checkWriting, PROBE_TIMEOUT_MS, schemaCheck } from './store.ts'

/** Whether this process should get calls, and the state of the parts it needs. docs/decisions/0054 */

/** Without these a process can serve nobody, but another one may. */
const NEEDED = ['database', 'schema'] as const
/**
 * Without these some calls wait or are refused, in all processes alike: a balancer that removed all processes would stop the rest, too. A clock
 * that is wrong may be the database's.
 */
const SHARED = ['writes', 'jobs', 'mail', 'store', 'clock'] as const
/** Callers do not notice when this one fails. Checked only if there is one. */
const REPLICA = 'replica'

type RequiredPart = (typeof NEEDED)[number]
type SharedPart = (typeof SHARED)[number]
export type Part = RequiredPart | SharedPart | typeof REPLICA
/** `behind`: a backlog of minutes is being worked off; `unknown`: the first check is not over yet */
export type PartState = 'ok' | 'behind' | 'failing' | 'unknown'

export interface Readiness {
  status: 'ready' | 'not-ready' | 'draining'
  parts: Record<RequiredPart | SharedPart, PartState> & { replica?: PartState }
}

interface ReadinessParts {
  db: Database
  /** whether the database has replied to anybody in the last `within` milliseconds */
  hasReplied: (within: number) => boolean
  replica: { check: () => Promise<void> } | null
  mail: Mail
  media: Media
  isDraining: () => boolean
  /** called when a part begins to fail, and when it recovers */
  onChange: (part: Part, state: PartState, why: unknown) => void
}

// they ask every second, and there may be several
const RESULT_KEPT_MS = 15_000
// longer than the timeouts of mail server and store for single replies; one that sends a byte now and then would never end
const SHARED_TIMEOUT_MS = 30_000
const BEGIN_MS = 2000
// no object has this name: the answer is that there is none
const NO_OBJECT = 'uploads/readiness'

export function readinessOf({ db, replica, hasReplied, mail, media, isDraining, onChange }: ReadinessParts): () => Promise<Readiness> {
  const checkSchema = schemaCheck(db)
  const needed: Record<RequiredPart, () => Promise<void>> = {
    database: () => checkDatabase(db),
    schema: checkSchema,
  }
  const shared: Record<SharedPart, CheckPart> = {
    writes: () => checkWriting(db),
    clock: () => checkClock(db),
    jobs: async () => {
      const late = await backlogOf(db)
      // a process that has only begun has its first job in a moment
      const later = late === 'stuck' ? await pause(BEGIN_MS).then(() => backlogOf(db)) : late
      if (later === 'stuck') throw new Error('a job has been due for minutes, and none is done')
      return later
    },
    mail: mail.check,
    store: async () => {
      await media.read(NO_OBJECT, 1)
    },
  }
  const last = new Map<Part, PartState>()
  const noteState = (part: Part) => (state: PartState, why?: unknown) => {
    const before = last.get(part) ?? 'ok'
    last.set(part, state)
    if (state !== before && (state === 'failing' || before === 'failing')) onChange(part, state, why)
    return state
  }
  const states = {
    ...mapValues(needed, (part, check) => singleFlight(withTimeoutUnlessBusy(check, hasReplied), noteState(part))),
    ...mapValues(shared, (part, check) => staleWhileRevalidate(check, noteState(part))),
  }

  const checkReplica = replica && singleFlight(replica.check, noteState(REPLICA))

  return async () => {
    const names = [...NEEDED, ...SHARED]
    const found = await Promise.all(names.map(async (part) => [part, await states[part]()] as const))
    const all = Object.fromEntries(found) as Record<RequiredPart | SharedPart, PartState> // of all names
    const parts = { ...all, ...(checkReplica ? { replica: await checkReplica() } : {}) }
    if (isDraining()) return { status: 'draining', parts }
    return { status: NEEDED.every((part) => parts[part] === 'ok') ? 'ready' : 'not-ready', parts }
  }
}

function mapValues<Name extends string, From, To>(from: Record<Name, From>, to: (name: Name, value: From) => To): Record<Name, To> {
  const entries = (Object.entries(from) as [Name, From][]).map(([name, value]) => [name, to(name, value)] as const)
  return Object.fromEntries(entries) as Record<Name, To> // of the same names
}

/** A check that waits behind calls for a connection does not fail: a busy process is healthy. */
function withTimeoutUnlessBusy(check: () => Promise<void>, hasReplied: (within: number) => boolean): () => Promise<void> {
  return async () => {
    try {
      await refuseAfter(PROBE_TIMEOUT_MS, check())
    } catch (error) {
      if (!(error instanceof Refused && hasReplied(PROBE_TIMEOUT_MS))) throw error
    }
  }
}

/** Rejects if the part fails. */
type CheckPart = () => Promise<'behind' | null | void>
type ReadState = () => Promise<PartState>
type NoteState = (state: PartState, why?: unknown) => PartState

/** Checks on each call; concurrent calls share the result. */
function singleFlight(check: () => Promise<void>, noteState: NoteState): ReadState {
  let checking: Promise<PartState> | undefined
  return () => {
    checking ??= outcomeOf(check, noteState).finally(() => {
      checking = undefined
    })
    return checking
  }
}

/** Returns the last result and checks again in the background; only the first call waits, briefly. */
function staleWhileRevalidate(check: CheckPart, noteState: NoteState): ReadState {
  let state: PartState = 'unknown'
  let since = Number.NEGATIVE_INFINITY
  let checking: Promise<void> | undefined
  const revalidate = async () => {
    state = await outcomeOf(() => refuseAfter(SHARED_TIMEOUT_MS, check()), noteState)
    since = performance.now()
    checking = undefined
  }
  return async () => {
    if (performance.now() - since > RESULT_KEPT_MS) checking ??= revalidate()
    if (state === 'unknown' && checking) await refuseAfter(PROBE_TIMEOUT_MS, checking).catch(() => {})
    return state
  }
}

async function outcomeOf(check: CheckPart, noteState: NoteState): Promise<PartState> {
  try {
    return noteState((await check()) ?? 'ok')
  } catch (error) {
    return noteState('failing', error)
  }
}
