import type { payments } from '#contract/payments.ts'
import type { Handler } from '../http/handler.ts'
import { UnreadableEvent } from '../outside/card-payments.ts'
import { callCardProvider } from './call-card-provider.ts'
import { ORDER_EVENTS, PAYMENT_FAILED, REFUND_EVENTS } from './events.ts'
import { fulfil } from './fulfil.ts'
import { applyRefunds } from './refunds.ts'
import { closeOrder, findOrderBySession, isEventProcessed, markEventProcessed } from './store.ts'

/**
 * An event only triggers a look: the current state is read from the provider, so repeated, late and out-of-order events are harmless
 * (SECURITY-11). It is acknowledged once its work is done; until then the provider sends it again.
 */
export const webhook: Handler<typeof payments.webhook> = async ({ body, header, refuse, deps }) => {
  const { db, cards, clock, log } = deps
  const event = readEvent()
  if (!event) return refuse('INVALID_SIGNATURE')
  // tells the operator whether an old secret is still in use
  if (event.secretPlace > 0) log.warn({ secretPlace: event.secretPlace }, 'an event is signed with an older webhook secret only')
  if (await isEventProcessed(db, event.id)) return { received: true }
  const { sessionId, paymentId } = event
  if (sessionId !== null && ORDER_EVENTS.has(event.type)) {
    const outcome = await callCardProvider(
      log,
      () => fulfil(deps, sessionId),
      () => refuse('UNAVAILABLE', { retryAfter: 30 }),
    )
    if (outcome?.status === 'unpaid' && event.type === PAYMENT_FAILED) {
      const order = await findOrderBySession(db, sessionId)
      if (order) await closeOrder(db, order.id, 'failed')
    }
  }
  if (paymentId !== null && REFUND_EVENTS.has(event.type)) {
    await callCardProvider(
      log,
      () => applyRefunds(deps, paymentId),
      () => refuse('UNAVAILABLE', { retryAfter: 30 }),
    )
  }
  await markEventProcessed(db, event, clock.now())
  return { received: true }

  function readEvent() {
    try {
      return cards.readEvent(body, header('stripe-signature') ?? '', clock.now())
    } catch (error) {
      if (!(error instanceof UnreadableEvent)) throw error
      log.warn({ err: error }, 'an event of the card provider has another form than we know')
      return refuse('INVALID_INPUT')
    }
  }
}
