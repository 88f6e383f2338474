import * as z from 'zod/mini'
import type { CardSandbox } from './card-sandbox.ts'
import type { Behaviour, Delivery, SessionRecord } from './store.ts'

/** What tests and the control page can make the sandbox do. */
export const controlBody = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('behave'),
    delivery: z.optional(z.enum(['prompt', 'held', 'suppressed'])),
    delayMilliseconds: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(600_000))),
    copies: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(100))),
    settlement: z.optional(z.enum(['at-once', 'later'])),
    outage: z.optional(z.enum(['none', 'errors', 'silence'])),
  }),
  /** sends the held events, in the order they were made or reversed */
  z.strictObject({ action: z.literal('release'), order: z.optional(z.enum(['made', 'reversed'])) }),
  /** sends one event (again), whatever its state */
  z.strictObject({
    action: z.literal('deliver'),
    eventId: z.string(),
    times: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(100))),
  }),
  z.strictObject({ action: z.literal('expire'), sessionId: z.string() }),
  /** cents, of what has not been refunded yet */
  z.strictObject({ action: z.literal('refund'), sessionId: z.string(), amount: z.coerce.number().check(z.int(), z.gte(1)) }),
  z.strictObject({ action: z.literal('dispute'), sessionId: z.string(), outcome: z.enum(['withdrawn', 'reinstated']) }),
  z.strictObject({ action: z.literal('settle'), sessionId: z.string(), outcome: z.enum(['succeeded', 'failed']) }),
])
export type Control = z.output<typeof controlBody>

/** Does what was requested. False if the session or event does not exist, or its state does not allow it. */
export function control(sandbox: CardSandbox, wanted: Control): boolean {
  switch (wanted.action) {
    case 'behave': {
      const { action: _, ...change } = wanted
      sandbox.store.setBehaviour(Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)))
      return true
    }
    case 'release':
      return release(sandbox, wanted.order ?? 'made')
    case 'deliver':
      return deliver(sandbox, wanted.eventId, wanted.times ?? 1)
    case 'expire':
      return withSession(sandbox, wanted.sessionId, (record) => sandbox.sessions.expire(record))
    case 'refund':
      return withSession(sandbox, wanted.sessionId, (record) => sandbox.sessions.refund(record, wanted.amount))
    case 'dispute':
      return withSession(sandbox, wanted.sessionId, (record) => sandbox.sessions.dispute(record, wanted.outcome))
    case 'settle':
      return withSession(sandbox, wanted.sessionId, (record) => sandbox.sessions.settle(record, wanted.outcome))
  }
}

/** Shown by the control page and its JSON. */
export interface SandboxState {
  behaviour: Behaviour
  sessions: {
    id: string
    status: string | null
    paymentStatus: string
    amountTotal: number | null
    currency: string | null
    /** cents */
    refunded: number
    /** cents that a dispute has withdrawn and not reinstated */
    disputed: number
    metadata: Record<string, string>
    events: Pick<Delivery, 'eventId' | 'type' | 'state' | 'attempts' | 'copies' | 'lastStatus'>[]
  }[]
}

/** The state of the sandbox: behaviour, and every session with its events, newest session first. */
export function stateOf(sandbox: CardSandbox): SandboxState {
  return {
    behaviour: sandbox.store.behaviour,
    sessions: sandbox.store
      .all()
      .toReversed()
      .map(({ session, deliveries, refunded, dispute }) => ({
        id: session.id,
        status: session.status,
        paymentStatus: session.payment_status,
        amountTotal: session.amount_total,
        currency: session.currency,
        refunded: refunded ?? 0,
        disputed: dispute?.isWon === false ? dispute.amount : 0,
        metadata: session.metadata ?? {},
        events: deliveries.map(({ eventId, type, state, attempts, copies, lastStatus }) => ({
          eventId,
          type,
          state,
          attempts,
          copies,
          lastStatus,
        })),
      })),
  }
}

function release(sandbox: CardSandbox, order: 'made' | 'reversed'): boolean {
  const held = sandbox.store.all().flatMap((record) => deliveriesOf(record).filter(({ delivery }) => delivery.state === 'held'))
  const now = Date.now()
  // one millisecond apart and in the past, so that all are due, in order
  const queue = order === 'made' ? held : held.toReversed()
  queue.forEach(({ record, delivery }, index) => {
    delivery.state = 'waiting'
    delivery.dueAt = now - queue.length + index
    sandbox.store.save(record)
  })
  sandbox.delivery.wake()
  return true
}

function deliver(sandbox: CardSandbox, eventId: string, times: number): boolean {
  const found = sandbox.store
    .all()
    .flatMap(deliveriesOf)
    .find(({ delivery }) => delivery.eventId === eventId)
  if (!found) return false
  found.delivery.state = 'waiting'
  found.delivery.copies = times
  found.delivery.dueAt = Date.now()
  sandbox.store.save(found.record)
  sandbox.delivery.wake()
  return true
}

function deliveriesOf(record: SessionRecord): { record: SessionRecord; delivery: Delivery }[] {
  return record.deliveries.map((delivery) => ({ record, delivery }))
}

function withSession(sandbox: CardSandbox, id: string, step: (record: SessionRecord) => boolean): boolean {
  const record = sandbox.sessions.find(id)
  return record !== undefined && step(record)
}
