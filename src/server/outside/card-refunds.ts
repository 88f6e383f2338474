import type Stripe from 'stripe'

/** What the provider reports about refunds and disputes. Ids are those of its payments. */
export interface Refunds {
  /** the checkout session that was paid; null: none */
  findSessionOfPayment: (paymentId: string) => Promise<string | null>
  /** cents refunded, or withdrawn in a dispute and not reinstated */
  readRefunded: (paymentId: string) => Promise<number>
}

/** By the provider's SDK, whose errors it throws. */
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

/** Decided by the sign of the dispute's balance transactions, since they may be in another currency. */
function isWithdrawn({ balance_transactions: transactions }: Stripe.Dispute): boolean {
  return transactions.reduce((sum, transaction) => sum + transaction.amount, 0) < 0
}

/** The payment that a refund or dispute event is about; null for any other event. */
export function paymentOf(about: Stripe.Event['data']['object']): string | null {
  const kind = about.object
  if (kind !== 'charge' && kind !== 'refund' && kind !== 'dispute') return null
  const { payment_intent: payment } = about
  return typeof payment === 'string' || payment === null ? payment : payment.id
}
