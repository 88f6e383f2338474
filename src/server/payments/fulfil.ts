import type { Deps } from '../deps.ts'
import type { CheckoutSession } from '../outside/card-payments.ts'
import { addTokens } from '../ledger/store.ts'
import { addOwnedInstance, bindSession, closeOrder, findGranted, findOrderBySession, fulfilOnce, type Grant, type Order } from './store.ts'

/** The state of a checkout session. `unpaid`: the form was completed, the payment has not arrived. */
export type Outcome = { status: 'open' | 'expired' | 'unpaid' } | { status: 'complete'; instanceId: string | null }

/**
 * The only way to grant what was paid for. The webhook and the return page call it, in any order, concurrently and repeatedly: it
 * asks the provider for the current state and grants once, and nothing to an erased account. Undefined: the session is not one of ours.
 * Throws CardPaymentsError.
 */
export async function fulfil(deps: Deps, sessionId: string): Promise<Outcome | undefined> {
  const known = await findOrderBySession(deps.db, sessionId)
  if (known?.status === 'fulfilled') return complete(deps, known)
  const session = await deps.cards.findSession(sessionId)
  const order = known ?? (await orderNamedBy(deps, session))
  return order && applySession(deps, order, session)
}

/** Applies the state of a session to its order; null: the provider does not know the session. */
export async function applySession(deps: Deps, order: Order, session: CheckoutSession | null): Promise<Outcome> {
  if (session?.isPaid) {
    const { id: orderId, kind } = order
    const done = await fulfilOnce(deps.db, orderId, grantOf(deps, order), deps.clock.now())
    if (done === 'fulfilled') deps.log.info({ orderId, kind }, 'order fulfilled')
    if (done === 'erased') deps.log.error({ orderId, kind }, 'paid by an account that has been erased: refund it at the card provider')
    return complete(deps, order)
  }
  if (session?.status === 'open') return { status: 'open' }
  if (session?.status === 'complete') {
    if (order.status === 'open') await closeOrder(deps.db, order.id, 'paid')
    return { status: 'unpaid' }
  }
  await closeOrder(deps.db, order.id, 'expired')
  return { status: 'expired' }
}

/** If the process died after the provider created the session and before it was stored, the session still names its order. */
async function orderNamedBy({ db }: Deps, session: CheckoutSession | null): Promise<Order | undefined> {
  if (session?.orderId == null) return undefined
  const bound = await bindSession(db, session.orderId, session.id)
  return bound === session.id ? findOrderBySession(db, session.id) : undefined
}

async function complete({ db }: Deps, order: Order): Promise<Outcome> {
  return { status: 'complete', ...(await findGranted(db, order.id)) }
}

/** What to grant, by kind of order. */
function grantOf(deps: Deps, { kind, assessmentId }: Order): Grant {
  if (kind === 'tokens') {
    return (tx, { id: orderId, userId: coachId, quantity: amount }) => addTokens(tx, { coachId, amount, orderId }, deps.clock.now())
  }
  if (assessmentId === null) throw new Error(`an order of ${kind} cannot be granted`)
  const instance = { id: deps.random.id(), assessmentId }
  return (tx, order) => addOwnedInstance(tx, order, instance, deps.clock.now())
}
