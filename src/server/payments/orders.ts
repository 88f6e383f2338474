import type { Deps } from '../deps.ts'
import type { Language } from '#contract/languages.ts'
import { CardPaymentsError, KeptFailure, type CheckoutSession } from '../outside/card-payments.ts'
import { describePurchase } from './describe-purchase.ts'
import { applySession } from './fulfil.ts'
import { bindSession, closeOrder, findOrOpenOrder, type Order, type Quote } from './store.ts'

/** Who buys, and where the browser returns to after the payment. */
export interface Buyer {
  userId: string
  language: Language
  /** of the portal; contains `{CHECKOUT_SESSION_ID}` */
  returnPath: string
}

// an order that has ended is replaced by a new one; a third attempt means that the provider contradicts itself
const ATTEMPTS = 3

/**
 * An open checkout session for a quote: the one the buyer already has, or a new one. The order is stored before the
 * provider is asked, and asked again under the same key, so that a crash or a lost reply leaves one session.
 * Throws CardPaymentsError.
 */
export async function openCheckout(deps: Deps, buyer: Buyer, quote: Quote): Promise<CheckoutSession> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const order = await findOrOpenOrder(deps.db, buyer.userId, quote, deps.random.id(), deps.clock.now())
    const session = await sessionOf(deps, buyer, order, quote.coupon)
    if (session?.status === 'open') return session
    await applySession(deps, order, session)
  }
  throw new CardPaymentsError(new Error('No checkout session stayed open.'))
}

async function sessionOf(deps: Deps, buyer: Buyer, order: Order, coupon: string | null): Promise<CheckoutSession | null> {
  const { cards, db } = deps
  if (order.checkoutSessionId !== null) return cards.findSession(order.checkoutSessionId)
  const made = await cards
    .openSession({
      idempotencyKey: order.idempotencyKey,
      orderId: order.id,
      userId: buyer.userId,
      priceId: order.priceId,
      quantity: order.quantity,
      coupon,
      returnUrl: `${deps.env.publicUrl}${buyer.returnPath}`,
      description: await describePurchase(db, order, buyer.language),
      language: buyer.language,
    })
    .catch((error: unknown) => {
      if (!(error instanceof KeptFailure)) throw error
      deps.log.warn({ err: error, orderId: order.id }, 'the card provider keeps a failure under the key of an order')
      return null
    })
  // the order ends, and the next has another key; if this one got a session, nobody was told of it, so nobody can pay it
  if (made === null) return null
  await refuseOtherAmount(deps, order, made)
  const bound = await bindSession(db, order.id, made.id)
  if (bound === null || bound === made.id) return made
  // two concurrent requests in different languages: only one session belongs to the order, so the other must not be paid
  await cards.expireSession(made.id)
  return cards.findSession(bound)
}

/** Nobody is charged an amount other than the one shown (BUY-11). */
async function refuseOtherAmount({ cards, db, log }: Deps, order: Order, session: CheckoutSession): Promise<void> {
  const wanted = order.amountTotal
  if (session.amountTotal === wanted && session.currency === order.currency.toUpperCase()) return
  log.error(
    { priceId: order.priceId, wanted, asked: session.amountTotal, currency: session.currency },
    'the provider asks for a different amount',
  )
  // under the key of this order the provider repeats this session for a day, whatever its price is by then
  await closeOrder(db, order.id, 'failed')
  await cards.expireSession(session.id)
  throw new CardPaymentsError(new Error('The provider asks for a different amount.'))
}
