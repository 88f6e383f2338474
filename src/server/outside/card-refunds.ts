import type Stripe from 'stripe'

/** What the provider says of money that went back to a payer. Ids are those of its payments. */
export interface Refunds {
  /** the checkout session that was paid; null: none */
  findSessionOfPayment: (paymentId: string) => Promise<string | null>
  /** cents that are not ours any more: refunded, or withdrawn over a dispute and not reinstated */
  readRefunded: (paymentId: string) => Promise<number>
}

/** By the provider's own SDK. Its errors are thrown as they are. */
export function refundsOf(stripe: Stripe): Refunds {
  return {
    async findSessionOfPayment(paymentId) {
      const { data } = await stripe.checkout.sessions.list({ payment_intent: paymentId, limit: 1 })
      return data[0]?.id ?? null
    },
    async readRefunded(paymentId) {
      const [payment, disputes] = await Promise.all([
        stripe.paymentIntents.retrieve(paymentId, { expand: ['latest_charge'] }),
        stripe.disputes.list({ payment_intent: paymentId, limit: 100 }),
      ])
      const charge = payment.latest_charge
      const refunded = charge === null || typeof charge === 'string' ? 0 : charge.amount_refunded
      return disputes.data.filter(isWithdrawn).reduce((sum, dispute) => sum + dispute.amount, refunded)
    },
  }
}

/** A dispute books what it withdraws and what it reinstates; the bookings may be in another currency, so their sign decides. */
function isWithdrawn({ balance_transactions: bookings }: Stripe.Dispute): boolean {
  return bookings.reduce((sum, booking) => sum + booking.amount, 0) < 0
}

/** The payment that an event about money going back is of; null for any other. */
export function paymentOf(about: Stripe.Event['data']['object']): string | null {
  const kind = about.object
  if (kind !== 'charge' && kind !== 'refund' && kind !== 'dispute') return null
  const { payment_intent: payment } = about
  return typeof payment === 'string' || payment === null ? payment : payment.id
}
