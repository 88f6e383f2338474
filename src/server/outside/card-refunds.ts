import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { providerText } from './card-text.ts'

/** What the provider reports about refunds and disputes. Ids are those of its payments. */
export interface Refunds {
  /** the checkout session that was paid; null: none */
  findSessionOfPayment: (paymentId: string) => Promise<string | null>
  /** cents refunded, or withdrawn in a dispute and not reinstated */
  readRefunded: (paymentId: string) => Promise<number>
}

const sessionsForm = z.object({ data: z.array(z.object({ id: providerText })) })
const intentForm = z.object({ latest_charge: z.nullable(z.union([z.string(), z.object({ amount_refunded: z.int() })])) })
const disputeForm = z.object({ amount: z.int(), balance_transactions: z.array(z.object({ amount: z.int() })) })
const disputesForm = z.object({ data: z.array(disputeForm) })

/** Refunds by the provider's SDK, whose errors it throws, and those of a reply in another form. */
export function refundsOf(stripe: Stripe): Refunds {
  return {
    async findSessionOfPayment(paymentId) {
      const { data } = sessionsForm.parse(await stripe.checkout.sessions.list({ payment_intent: paymentId, limit: 1 }))
      return data[0]?.id ?? null
    },
    async readRefunded(paymentId) {
      const [payment, disputes] = await Promise.all([
        stripe.paymentIntents.retrieve(paymentId, { expand: ['latest_charge'] }),
        stripe.disputes.list({ payment_intent: paymentId, limit: 100 }),
      ])
      const charge = intentForm.parse(payment).latest_charge
      const refunded = charge === null || typeof charge === 'string' ? 0 : charge.amount_refunded
      return disputesForm
        .parse(disputes)
        .data.filter(isWithdrawn)
        .reduce((sum, dispute) => sum + dispute.amount, refunded)
    },
  }
}

/** Decided by the sign of the dispute's balance transactions, since they may be in another currency. */
function isWithdrawn({ balance_transactions: transactions }: z.output<typeof disputeForm>): boolean {
  return transactions.reduce((sum, transaction) => sum + transaction.amount, 0) < 0
}

const paymentForm = z.nullable(z.union([providerText, z.object({ id: providerText })]))

/** The payment that a refund or dispute event is about; null for any other event. Throws for one of another form. */
export function paymentOf(about: { object?: string | undefined; payment_intent?: unknown }): string | null {
  const kind = about.object
  if (kind !== 'charge' && kind !== 'refund' && kind !== 'dispute') return null
  const payment = paymentForm.parse(about.payment_intent)
  return typeof payment === 'string' || payment === null ? payment : payment.id
}
