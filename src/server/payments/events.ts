/** Events of the card provider that the webhook acts on. */

export const PAYMENT_FAILED = 'checkout.session.async_payment_failed'

/** The events after which an order may have changed. */
export const ORDER_EVENTS: ReadonlySet<string> = new Set([
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  PAYMENT_FAILED,
  'checkout.session.expired',
])

/** The events after which the refunded amount of a payment may have changed, and which the provider has to send. */
const REFUND_EVENTS_NEEDED = [
  'charge.refunded',
  'refund.updated',
  'refund.failed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
]
export const REFUND_EVENTS: ReadonlySet<string> = new Set([
  ...REFUND_EVENTS_NEEDED,
  'charge.refund.updated',
  'refund.created',
  'charge.dispute.created',
  'charge.dispute.updated',
])

/** What the webhook must be subscribed to, as .env.example lists it. */
export const EVENTS_NEEDED: readonly string[] = [...ORDER_EVENTS, ...REFUND_EVENTS_NEEDED]
