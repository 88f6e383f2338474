import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type Stripe from 'stripe'
import { writeDurably } from '../durable-file.ts'

/** The SDK's types have objects where the API sends decimal strings. */
export type WirePrice = Omit<Stripe.Price, 'unit_amount_decimal'> & { unit_amount_decimal: string }
export type WireLineItem = Omit<Stripe.LineItem, 'price'> & { price: WirePrice }

/** An event to be delivered to the webhook. `payload` is exactly the text that is signed. */
export interface Delivery {
  eventId: string
  type: string
  payload: string
  /** waiting: sent when due · held: until released · suppressed: never · delivered */
  state: 'waiting' | 'held' | 'suppressed' | 'delivered'
  /** epoch milliseconds, by the machine's clock */
  dueAt: number
  attempts: number
  /** how many more times it is to be delivered */
  copies: number
  lastStatus: number | null
}

/** A session and everything that belongs to it: stored in one file, so that one write stores both a payment and its event. */
export interface SessionRecord {
  session: Stripe.Checkout.Session
  lineItems: WireLineItem[]
  /** the reply to a repeated create */
  created: { idempotencyKey: string | null; fingerprint: string; reply: string }
  deliveries: Delivery[]
  /** cents refunded so far */
  refunded?: number
  /** a dispute about what had not been refunded */
  dispute?: { id: string; amount: number; isWon: boolean }
}

/** How the sandbox behaves. Set on its control page. */
export interface Behaviour {
  delivery: 'prompt' | 'held' | 'suppressed'
  delayMilliseconds: number
  copies: number
  /** `later`: a valid card completes the session but leaves it unpaid until it is settled, like a bank debit */
  settlement: 'at-once' | 'later'
  /** `errors`: the API replies 500 · `silence`: it never replies */
  outage: 'none' | 'errors' | 'silence'
}

const USUAL_BEHAVIOUR: Behaviour = { delivery: 'prompt', delayMilliseconds: 0, copies: 1, settlement: 'at-once', outage: 'none' }

export interface SandboxKeys {
  secretKey: string
  publishableKey: string
  webhookSecret: string
}

export interface SandboxStore {
  readonly keys: SandboxKeys
  readonly behaviour: Behaviour
  setBehaviour(change: Partial<Behaviour>): void
  /** idempotency keys whose first request failed at the provider; forgotten at a restart */
  readonly failedKeys: Set<string>
  find(sessionId: string): SessionRecord | undefined
  findByPayment(paymentId: string): SessionRecord | undefined
  findByIdempotencyKey(key: string): SessionRecord | undefined
  all(): SessionRecord[]
  /** sessions with an event to be delivered */
  withWaitingEvents(): SessionRecord[]
  /** The record is on disk when this returns. */
  save(record: SessionRecord): void
}

/** Opens the sandbox's folder, reading what an earlier process left there. */
export function openSandboxStore(folder: string): SandboxStore {
  const sessions = join(folder, 'sessions')
  mkdirSync(sessions, { recursive: true, mode: 0o700 })
  const keys = readOrMake(join(folder, 'keys.json'), makeKeys)
  const behaviourFile = join(folder, 'behaviour.json')
  let behaviour: Behaviour = { ...USUAL_BEHAVIOUR, ...(existsSync(behaviourFile) ? read<Partial<Behaviour>>(behaviourFile) : {}) }
  const records = new Map<string, SessionRecord>()
  const byKey = new Map<string, SessionRecord>()
  const waiting = new Set<SessionRecord>()
  const index = (record: SessionRecord) => {
    records.set(record.session.id, record)
    if (record.deliveries.some((one) => one.state === 'waiting')) waiting.add(record)
    else waiting.delete(record)
    if (record.created.idempotencyKey !== null) byKey.set(record.created.idempotencyKey, record)
  }
  for (const name of readdirSync(sessions)) {
    if (name.endsWith('.json')) index(read<SessionRecord>(join(sessions, name)))
  }
  return {
    keys,
    failedKeys: new Set(),
    get behaviour() {
      return behaviour
    },
    setBehaviour(change) {
      behaviour = { ...behaviour, ...change }
      writeDurably(behaviourFile, JSON.stringify(behaviour))
    },
    find: (id) => records.get(id),
    findByPayment: (id) => [...records.values()].find(({ session }) => session.payment_intent === id),
    findByIdempotencyKey: (key) => byKey.get(key),
    all: () => [...records.values()].toSorted((a, b) => a.session.created - b.session.created),
    withWaitingEvents: () => [...waiting],
    save(record) {
      writeDurably(join(sessions, `${record.session.id}.json`), JSON.stringify(record))
      index(record)
    },
  }
}

function makeKeys(): SandboxKeys {
  const random = () => randomBytes(18).toString('hex')
  return { secretKey: `sk_test_${random()}`, publishableKey: `pk_test_${random()}`, webhookSecret: `whsec_${random()}` }
}

function readOrMake<T>(path: string, make: () => T): T {
  if (existsSync(path)) return read<T>(path)
  const made = make()
  writeDurably(path, JSON.stringify(made))
  return made
}

/** Unchecked: only this module writes these files. */
function read<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T
}
