import type Stripe from 'stripe'
import type { SessionRecord } from './store.ts'

/** The payment of a session, its charge and its dispute, in the format of the provider's API and with the fields that are used. */

type WireCharge = Pick<
  Stripe.Charge,
  | 'id'
  | 'object'
  | 'amount'
  | 'amount_captured'
  | 'amount_refunded'
  | 'captured'
  | 'created'
  | 'currency'
  | 'disputed'
  | 'livemode'
  | 'metadata'
  | 'paid'
  | 'payment_intent'
  | 'refunded'
  | 'status'
>
type WirePayment = Pick<
  Stripe.PaymentIntent,
  'id' | 'object' | 'amount' | 'amount_received' | 'created' | 'currency' | 'livemode' | 'status'
> & {
  latest_charge: WireCharge
}
type WireDispute = Pick<Stripe.Dispute, 'id' | 'object' | 'amount' | 'charge' | 'currency' | 'livemode' | 'payment_intent' | 'status'> & {
  balance_transactions: { object: 'balance_transaction'; amount: number; currency: string }[]
}
type Dispute = NonNullable<SessionRecord['dispute']>

export function newDispute(id: string, amount: number): Dispute {
  return { id, amount, isWon: false }
}

export function wireCharge({ session, refunded, dispute }: SessionRecord): WireCharge {
  const amount = session.amount_total ?? 0
  return {
    id: chargeOf(session),
    object: 'charge',
    amount,
    amount_captured: amount,
    amount_refunded: refunded ?? 0,
    captured: true,
    created: session.created,
    currency: session.currency ?? '',
    disputed: dispute !== undefined,
    livemode: false,
    metadata: {},
    paid: true,
    payment_intent: paymentOf(session),
    refunded: refunded === amount,
    status: 'succeeded',
  }
}

export function wirePayment(record: SessionRecord): WirePayment {
  const { amount, created, currency, livemode } = wireCharge(record)
  return {
    id: paymentOf(record.session),
    object: 'payment_intent',
    amount,
    amount_received: amount,
    created,
    currency,
    livemode,
    status: 'succeeded',
    latest_charge: wireCharge(record),
  }
}

export function wireDispute({ session }: SessionRecord, { id, amount, isWon }: Dispute): WireDispute {
  const currency = session.currency ?? ''
  const transaction = (cents: number) => ({ object: 'balance_transaction' as const, amount: cents, currency })
  return {
    id,
    object: 'dispute',
    amount,
    balance_transactions: isWon ? [transaction(-amount), transaction(amount)] : [transaction(-amount)],
    charge: chargeOf(session),
    currency,
    livemode: false,
    payment_intent: paymentOf(session),
    status: isWon ? 'won' : 'needs_response',
  }
}

/** The id of a session's payment; in the sandbox a session has no more of it. */
const paymentOf = ({ payment_intent: payment }: Stripe.Checkout.Session) => (typeof payment === 'string' ? payment : '')

const chargeOf = (session: Stripe.Checkout.Session) => `ch_${paymentOf(session).slice(3)}`
