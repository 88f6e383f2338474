import type { Deps } from '../deps.ts'
import type { CheckoutSession } from '../outside/card-payments.ts'
import { addTokens } from '../ledger/store.ts'
import { addOwnedInstance, bindSession, closeOrder, findGranted, findOrderBySession, fulfilOnce, type Grant, type Order } from './store.ts'

/** What became of a checkout session. `unpaid`: the form is done, the money is not there. */
export type Outcome = { status: 'open' | 'expired' | 'unpaid' } | { status: 'complete'; instanceId: string | null }

/**
 * The one way to grant what was paid for, called by the webhook and by the return page, in any order, at once and
 * however often: it asks the provider what is true now and grants once. Undefined: the session is none of ours.
 * Throws CardPaymentsError.
 */
export async function fulfil(deps: Deps, sessionId: string): Promise<Outcome | undefined> {
  const known = await findOrderBySession(deps.db, sessionId)
  if (known?.status === 'fulfilled') return complete(deps, known)
  const session = await deps.cards.findSession(sessionId)
  const order = known ?? (await orderNamedBy(deps, session))
  return order && applySession(deps, order, session)
}

/** Carries over to an order what the provider says of its session; null: that it does not know it. */
export async function applySession(deps: Deps, order: Order, session: CheckoutSession | null): Promise<Outcome> {
  if (session?.isPaid) {
    const isNow = await fulfilOnce(deps.db, order.id, grantOf(deps, order), deps.clock.now())
    if (isNow) deps.log.info({ orderId: order.id, kind: order.kind }, 'order fulfilled')
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

/** The process may have died after the provider made the session and before it was bound; the session names its order. */
async function orderNamedBy({ db }: Deps, session: CheckoutSession | null): Promise<Order | undefined> {
  if (session?.orderId == null) return undefined
  const bound = await bindSession(db, session.orderId, session.id)
  return bound === session.id ? findOrderBySession(db, session.id) : undefined
}

async function complete({ db }: Deps, order: Order): Promise<Outcome> {
  return { status: 'complete', ...(await findGranted(db, order.id)) }
}

/** By kind of order: what is given. */
function grantOf(deps: Deps, { kind, assessmentId }: Order): Grant {
  if (kind === 'tokens') {
    return (tx, { id: orderId, userId: coachId, quantity: amount }) => addTokens(tx, { coachId, amount, orderId }, deps.clock.now())
  }
  if (assessmentId === null) throw new Error(`an order of ${kind} cannot be granted`)
  const instance = { id: deps.random.id(), assessmentId }
  return (tx, order) => addOwnedInstance(tx, order, instance, deps.clock.now())
}
