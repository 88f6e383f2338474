import type { assessments } from '#contract/assessments.ts'
import { screens } from '#contract/screens.ts'
import type { Handler } from '../http/handler.ts'
import { callCardProvider } from '../payments/call-card-provider.ts'
import { openCheckout } from '../payments/orders.ts'
import { findAssessmentOfPrice, type Quote } from '../payments/store.ts'

const RETURN_PATH = `${screens.directPurchaseReturn.path}?session_id={CHECKOUT_SESSION_ID}`

/** Opens a checkout session for one assessment, or returns the buyer's open one. The price comes from the database. BUY-11 */
export const checkout: Handler<typeof assessments.checkout> = async ({ params, caller, language, refuse, deps }) => {
  const priced = await findAssessmentOfPrice(deps.db, params.priceId)
  if (!priced) return refuse('INVALID_PRICE')
  const { assessmentId, price } = priced
  const { id: priceId, unitAmount, currency } = price
  const quote: Quote = {
    kind: 'assessment',
    assessmentId,
    priceId,
    quantity: 1,
    unitAmount,
    amountTotal: unitAmount,
    currency,
    coupon: null,
  }
  const buyer = { userId: caller.userId, language, returnPath: RETURN_PATH }
  const session = await callCardProvider(
    deps.log,
    () => openCheckout(deps, buyer, quote),
    () => refuse('PAYMENTS_UNAVAILABLE', { retryAfter: 30 }),
  )
  return { url: null, clientSecret: session.clientSecret, sessionId: session.id }
}
