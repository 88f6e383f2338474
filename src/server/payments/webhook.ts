import type { payments } from '#contract/payments.ts'
import type { Handler } from '../http/handle.ts'
import { askProvider } from './ask-provider.ts'
import { fulfil } from './fulfil.ts'
import { applyRefunds } from './refunds.ts'
import { closeOrder, findOrderBySession, isEventProcessed, markEventProcessed } from './store.ts'

const FAILED = 'checkout.session.async_payment_failed'
/** Events that can change an order. */
const ORDER_EVENTS = new Set(['checkout.session.completed', 'checkout.session.async_payment_succeeded', FAILED, 'checkout.session.expired'])
/** Events after which the refunded amount of a payment may have changed. */
const REFUND_EVENTS = new Set([
  'charge.refunded',
  'charge.refund.updated',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
])

/**
 * An event only triggers a look: the current state is read from the provider, so repeated, late and out-of-order events are harmless
 * (SECURITY-11). It is acknowledged once its work is done; until then the provider sends it again.
 */
export const webhook: Handler<typeof payments.webhook> = async ({ body, header, refuse, deps }) => {
  const { db, cards, clock, log } = deps
  const event = cards.readEvent(body, header('stripe-signature') ?? '', clock.now())
  if (!event) return refuse('INVALID_SIGNATURE')
  if (await isEventProcessed(db, event.id)) return { received: true }
  const { sessionId, paymentId } = event
  if (sessionId !== null && ORDER_EVENTS.has(event.type)) {
    const outcome = await askProvider(
      log,
      () => fulfil(deps, sessionId),
      () => refuse('UNAVAILABLE', { retryAfter: 30 }),
    )
    if (outcome?.status === 'unpaid' && event.type === FAILED) {
      const order = await findOrderBySession(db, sessionId)
      if (order) await closeOrder(db, order.id, 'failed')
    }
  }
  if (paymentId !== null && REFUND_EVENTS.has(event.type)) {
    await askProvider(
      log,
      () => applyRefunds(deps, paymentId),
      () => refuse('UNAVAILABLE', { retryAfter: 30 }),
    )
  }
  await markEventProcessed(db, event, clock.now())
  return { received: true }
}
