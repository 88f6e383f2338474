import type { Deps } from '../deps.ts'
import { CardPaymentsError } from '../outside/card-payments.ts'
import { fulfil } from './fulfil.ts'
import { storeRefund, readRefund } from './refunds-store.ts'
import { findOrderBySession } from './store.ts'

// each but the last means that this or another event has changed the total
const ATTEMPTS = 50

/**
 * Applies the refunds and disputes of a payment to its order. It asks the provider for the current amount, so events may be
 * repeated, late or out of order. Throws CardPaymentsError. TOKENS-15, docs/decisions/0018-token-ledger.md
 */
export async function applyRefunds(deps: Deps, paymentId: string): Promise<void> {
  const sessionId = await deps.cards.findSessionOfPayment(paymentId)
  if (sessionId === null) return
  // this event may have overtaken the one that reports the payment
  const outcome = await fulfil(deps, sessionId)
  if (outcome?.status !== 'complete') return
  const order = await findOrderBySession(deps.db, sessionId)
  if (!order) return
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const seen = await readRefund(deps.db, order.id)
    const amount = Math.min(await deps.cards.readRefunded(paymentId), order.amountTotal)
    if (amount === seen.amount) return
    const isStored = await storeRefund(deps.db, order, seen, amount, deps.clock.now())
    // and asked again: while this reply was on its way, another event may have found that nothing has changed, as it was back at `seen`
    if (isStored) deps.log.info({ orderId: order.id, kind: order.kind, amount }, 'refund applied')
  }
  throw new CardPaymentsError(new Error('The refunded amount of a payment kept changing.'))
}
